import numpy as np
import pytest

from perm.core.episode import EpisodeId
from perm.metrics.satisfaction import judge
from perm.sim.episode import run_episode
from perm.sim.starts import start_of
from perm.skills.expert import ExpertPolicy

from ..sim.scenes import library, scene, task

pytestmark = pytest.mark.sim

TASKS = ("1-7_104", "1-2_065", "2-1_019", "3-2_081_1", "3-3_019_1")
UNSEEN = 41
"""An init index that no calibration has seen."""


def play(name: str, ignore: bool, index: int = UNSEEN):
    item = task(name)
    env = scene(item.mission.id)
    expert = ExpertPolicy(env, item, ignore_preference=ignore)
    start = start_of(item.mission, index, env)
    return run_episode(env, expert, item, EpisodeId(item.id, index, 0), start), expert


@pytest.mark.parametrize("name", TASKS)
def test_the_expert_succeeds_and_keeps_the_preference_or_ignores_it(name: str) -> None:
    item = task(name)
    calibration = library().calibration(item, item.condition[0])
    labels = []
    for ignore in (False, True):
        episode, expert = play(name, ignore)
        assert episode.stop == "settled", episode.stop
        assert expert.subtasks[0].skill == "pick"
        assert episode.trace is not None
        labels.append(judge(item.condition[0], episode.trace, calibration).label)
    assert labels[0] == 1
    assert labels[1] in (0, 0.25)


def test_the_same_episode_has_the_same_actions_to_the_last_bit() -> None:
    first, _ = play("1-7_104", ignore=False)
    play("1-7_104", ignore=True, index=30)
    again, _ = play("1-7_104", ignore=False)
    assert first.trace is not None
    assert again.trace is not None
    assert np.array_equal(first.trace.actions, again.trace.actions)


def test_subtasks_tell_what_was_done_when_and_where() -> None:
    episode, expert = play("1-7_104", ignore=True)
    pick, place = expert.subtasks
    assert (pick.skill, pick.object, pick.target) == ("pick", "akita_black_bowl_1", None)
    assert (place.skill, place.target) == ("place_on", "plate_1")
    assert pick.start == 0
    assert pick.stop == place.start
    assert episode.trace is not None
    assert place.stop == episode.trace.n_steps
    grasped = int(np.flatnonzero(episode.trace.held >= 0)[0])
    assert pick.start < grasped < pick.stop
    assert np.linalg.norm(episode.trace.ee_pos[grasped] - pick.goal_pos) < 0.01
