import numpy as np
import pytest

from perm.core.episode import Episode, EpisodeId
from perm.sim.episode import run_episode
from perm.sim.starts import start_of
from perm.skills.expert import ExpertPolicy

from ..sim.scenes import scene, task

pytestmark = pytest.mark.sim

BOWL = "akita_black_bowl_1"
UNSEEN = 41
"""An init index that no calibration has seen."""


def play(name: str, ignore: bool, index: int = UNSEEN) -> tuple[Episode, ExpertPolicy]:
    item = task(name)
    env = scene(item.mission.id)
    expert = ExpertPolicy(env, item, ignore_preference=ignore)
    start = start_of(item.mission, index, env)
    return run_episode(env, expert, item, EpisodeId(item.id, index, 0), start), expert


@pytest.mark.parametrize("name", ["1-7_104", "1-2_065"])
def test_it_does_a_task_plainly_and_moves_nothing_else(name: str) -> None:
    episode, expert = play(name, ignore=True)
    assert episode.stop == "settled", episode.stop
    assert expert.subtasks[0].skill == "pick"
    trace = episode.trace
    assert trace is not None
    moved = {n for n, pos in trace.object_pos.items() if np.linalg.norm(pos[-1] - pos[0]) > 0.01}
    assert moved == {expert.subtasks[0].object}


def test_the_same_episode_has_the_same_actions_to_the_last_bit() -> None:
    first, _ = play("1-7_104", ignore=False)
    play("1-7_104", ignore=True, index=30)
    again, _ = play("1-7_104", ignore=False)
    assert first.trace is not None
    assert again.trace is not None
    assert np.array_equal(first.trace.actions, again.trace.actions)


def test_a_preference_changes_what_the_hand_does_and_it_still_succeeds() -> None:
    highest = []
    for ignore in (False, True):
        episode, _ = play("1-7_104", ignore)
        assert episode.stop == "settled", episode.stop
        assert episode.trace is not None
        highest.append(float(episode.trace.object_pos[BOWL][:, 2].max()))
    # Asked to move higher, it carries the bowl about 12 cm higher.
    assert highest[0] - highest[1] > 0.06


def test_subtasks_tell_what_was_done_when_and_where() -> None:
    episode, expert = play("1-7_104", ignore=True)
    pick, place = expert.subtasks
    assert (pick.skill, pick.object, pick.target) == ("pick", BOWL, None)
    assert (place.skill, place.target) == ("place_on", "plate_1")
    assert pick.start == 0
    assert pick.stop == place.start
    assert episode.trace is not None
    assert place.stop == episode.trace.n_steps
    grasped = int(np.flatnonzero(episode.trace.held >= 0)[0])
    assert pick.start < grasped < pick.stop
    assert expert.planning_s > 0


@pytest.mark.parametrize("name", ["compose/4-3_112__AB", "scale/4-3_114"])
def test_in_haste_it_still_comes_from_the_side_between_neighbours(name: str) -> None:
    hasty, plain = (play(name, ignore)[0] for ignore in (False, True))
    assert (hasty.stop, plain.stop) == ("settled", "settled")
    assert hasty.trace is not None
    assert plain.trace is not None
    assert hasty.trace.n_steps < 0.9 * plain.trace.n_steps
