"""Real episodes of tasks that ask for two things, or for what excludes the task."""

from contextlib import closing

import pytest

from perm.core.arrays import FloatArray
from perm.core.episode import EpisodeId, Outcome
from perm.core.errors import GiveUp
from perm.core.policy import Observation, PolicySpec
from perm.core.task import Task
from perm.pipeline.request import calibrations_of
from perm.pipeline.workshop import Order, Workshop, why_failed
from perm.sim.env import SimEnv
from perm.sim.episode import run_episode
from perm.sim.starts import start_of
from perm.suites.library import load_library

pytestmark = pytest.mark.sim

LIBRARY = load_library()
ONE_BOWL = "conflict/pt5_quantity_070__task_pref"


def attempt(workshop: Workshop, task: Task):
    order = Order(task, 0, 0, "trial", (30,), calibrations_of(LIBRARY, task))
    done = workshop.attempt(order)
    return done.episode, {score.preference: score.label for score in done.scores}


def test_only_one_portion_is_no_success_once_there_are_two() -> None:
    with closing(Workshop()) as workshop:
        task = LIBRARY.tasks[ONE_BOWL]
        episode, labels = attempt(workshop, task)
        assert why_failed(task, episode) == ""
        assert (episode.outcome, labels) == (Outcome.SUCCESS, {"3-8": 0.0})
        other = LIBRARY.tasks[f"{ONE_BOWL}.P"]
        episode, labels = attempt(workshop, other)
        assert episode.trace is not None
        assert episode.trace.success.any()  # after the first portion
        assert (episode.outcome, labels) == (Outcome.FAILURE, {"3-8": 1.0})


def test_the_expert_follows_one_wish_or_the_other_and_the_labels_tell() -> None:
    with closing(Workshop()) as workshop:
        joint = LIBRARY.tasks["conflict/pp4_pick_lr_001__joint"]
        for task in LIBRARY.with_other_ways([joint]):
            episode, labels = attempt(workshop, task)
            assert episode.outcome is Outcome.SUCCESS
            assert task.is_followed(labels), labels


class Listener:
    """Keeps the prompt and gives up."""

    spec = PolicySpec("listener")

    def __init__(self) -> None:
        self.prompt = ""

    def reset(self, prompt: str, seed: int) -> None:
        self.prompt = prompt

    def act(self, obs: Observation) -> FloatArray:
        raise GiveUp("heard enough")


def test_a_policy_hears_the_prompt_of_its_task_byte_for_byte() -> None:
    groups = ("conflict/pp2_height_104", "conflict/pt3_category_118", "compose/4-11_104")
    tasks = [task for task in LIBRARY.tasks.values() if task.group in groups]
    wishes = {"1-5": "Close to ground when moving.", "1-7": "Move higher."}
    wishes |= {"3-4": "Prefer blue objects.", "3-9": "Prefer dairy products."}
    assert len(tasks) == 5 + 3 + 4
    for task in tasks:
        listener = Listener()
        with closing(SimEnv(task.mission.layout)) as env:
            start = start_of(task.mission, 0, env)
            run_episode(env, listener, task, EpisodeId(task.id, 0, 0), start)
        asked = " ".join(wishes[preference.id] for preference in task.condition)
        sentence = task.mission.language
        assert listener.prompt == (f"Task: {sentence}. Preference: {asked}" if asked else sentence)
