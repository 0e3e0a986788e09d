from dataclasses import replace

import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.core.conventions import hold_action
from perm.core.episode import EpisodeId, Outcome
from perm.core.errors import GiveUp
from perm.core.policy import Observation, PolicySpec
from perm.core.task import Task
from perm.sim.episode import run_episode
from perm.sim.starts import start_of

from .scenes import scene, task

pytestmark = pytest.mark.sim


class Scripted:
    """Answers with what a function of the call's number gives."""

    spec = PolicySpec("scripted")

    def __init__(self, answer) -> None:
        self.answer, self.calls, self.prompt = answer, 0, ""

    def reset(self, prompt: str, seed: int) -> None:
        self.prompt, self.calls = prompt, 0

    def act(self, obs: Observation) -> FloatArray:
        self.calls += 1
        return self.answer(self.calls)


def play(policy: Scripted, steps: int = 6, name: str = "1-7_104"):
    base = task(name)
    short: Task = replace(base, mission=replace(base.mission, max_steps=steps))
    env = scene(base.mission.id)
    start = start_of(base.mission, 0, env)
    return run_episode(env, policy, short, EpisodeId(short.id, 0, 0), start)


def test_an_episode_ends_at_the_step_limit_and_records_a_row_more_than_actions() -> None:
    policy = Scripted(lambda n: hold_action()[None])
    episode = play(policy)
    assert (episode.outcome, episode.stop) == (Outcome.FAILURE, "step limit")
    assert episode.trace is not None
    assert episode.trace.n_steps == 6
    assert len(episode.trace.ee_pos) == 7
    assert episode.trace.contact.shape == (7, 4, 2)
    assert episode.states is not None
    assert np.array_equal(episode.states[0], episode.start.state)
    assert policy.prompt == "Task: Put the bowl on the plate. Preference: Move higher."


def test_all_actions_of_a_chunk_are_executed_before_the_next_question() -> None:
    policy = Scripted(lambda n: np.tile(hold_action(), (4, 1)))
    play(policy, steps=6)
    assert policy.calls == 2


def test_a_policy_that_breaks_makes_an_error_not_a_failure() -> None:
    def answer(n: int) -> FloatArray:
        raise ConnectionError("server gone")

    episode = play(Scripted(answer))
    assert episode.outcome is Outcome.ERROR
    assert episode.error == "ConnectionError: server gone"
    assert episode.trace is None


@pytest.mark.parametrize("shape", [(7,), (0, 7), (3, 8), (1, 1, 7)])
def test_actions_of_another_shape_are_an_error(shape: tuple[int, ...]) -> None:
    episode = play(Scripted(lambda n: np.zeros(shape)))
    assert episode.outcome is Outcome.ERROR
    assert "expected (K, 7) with K >= 1" in episode.error


def test_a_policy_that_gives_up_fails_and_says_why() -> None:
    def answer(n: int) -> FloatArray:
        if n == 3:
            raise GiveUp("plan: no path")
        return hold_action()[None]

    episode = play(Scripted(answer))
    assert (episode.outcome, episode.stop) == (Outcome.FAILURE, "gave up: plan: no path")
    assert episode.trace is not None
    assert episode.trace.n_steps == 2


def test_actions_are_stored_as_executed_and_clips_are_counted() -> None:
    def answer(n: int) -> FloatArray:
        action = hold_action()
        action[0] = 3.0 if n == 2 else 0.1
        return action[None]

    episode = play(Scripted(answer))
    assert episode.clip_count == 1
    assert episode.trace is not None
    assert episode.trace.actions[:3, 0].tolist() == [0.1, 1.0, 0.1]


def test_a_bowl_held_still_over_the_plate_by_nobody_is_no_settled_success() -> None:
    policy = Scripted(lambda n: hold_action()[None])
    episode = play(policy, steps=12)
    assert not episode.success_any
    assert not episode.success_settled
