import numpy as np
import pytest

from perm.core.errors import PermError
from perm.policies.check_policy import Verdict, check_policy
from perm.policies.replay import ReplayPolicy


def _recording(steps: int, dx: float, gripper: float = -1.0) -> np.ndarray:
    actions = np.zeros((steps, 7))
    actions[:, 0], actions[:, 6] = dx, gripper
    return actions


def test_plays_the_selected_recording_and_then_holds_with_its_last_gripper_command() -> None:
    policy = ReplayPolicy({7: _recording(2, 0.7, gripper=1.0), 3: _recording(4, 0.3)})
    assert policy.spec.init_indices == (3, 7)
    policy.select(7)
    policy.reset("Put the bowl on the plate", 0)
    np.testing.assert_array_equal(policy.act({}), _recording(2, 0.7, gripper=1.0))
    for _ in range(2):
        np.testing.assert_array_equal(policy.act({}), [[0, 0, 0, 0, 0, 0, 1]])


def test_an_episode_that_ended_early_leaves_nothing_for_the_next() -> None:
    policy = ReplayPolicy({3: _recording(4, 0.3), 7: _recording(2, 0.7)})
    policy.select(3)
    policy.reset("", 0)
    policy.act({})[:] = 9.0  # whoever runs it may write into what it got
    policy.select(7)
    policy.reset("", 0)
    np.testing.assert_array_equal(policy.act({}), _recording(2, 0.7))
    policy.select(3)
    policy.reset("", 0)
    np.testing.assert_array_equal(policy.act({}), _recording(4, 0.3))


def test_passes_the_checker_once_selected() -> None:
    policy = ReplayPolicy({3: _recording(4, 0.3)})
    assert check_policy(policy)[-1].verdict is Verdict.PROBLEM
    assert "call select(init_index) first" in check_policy(policy)[-1].advice
    policy.select(3)
    assert {finding.verdict for finding in check_policy(policy)} == {Verdict.OK}


def test_an_index_that_was_not_recorded_is_refused() -> None:
    policy = ReplayPolicy({3: _recording(4, 0.3), 12: _recording(2, 0.7)})
    with pytest.raises(PermError, match=r"from init index 4; only: 3, 12\."):
        policy.select(4)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros((5, 8)), r"init index 3 have shape \(5, 8\); \(T, 7\)"),
        (np.zeros((0, 7)), r"shape \(0, 7\)"),
        (np.zeros(7), r"shape \(7,\)"),
        (np.full((2, 7), np.nan), "NaN or infinity"),
    ],
)
def test_recordings_that_cannot_be_played_are_refused(actions: np.ndarray, message: str) -> None:
    with pytest.raises(PermError, match=message):
        ReplayPolicy({3: actions})


def test_no_recordings_are_refused() -> None:
    with pytest.raises(PermError, match="no recorded episode"):
        ReplayPolicy({})
