"""LIBERO's arrays follow from the robot's observations."""

import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.data.libero_arrays import libero_arrays


@pytest.mark.parametrize("success", [True, False])
def test_only_the_last_done_tells_and_it_tells_what_was_measured(success: bool) -> None:
    arrays = libero_arrays(np.zeros((3, 7)), np.zeros((4, 5)), _proprio(4), success)
    assert arrays["dones"].tolist() == [0, 0, int(success)]
    assert arrays["rewards"].tolist() == [0, 0, int(success)]


def test_robot_states_are_gripper_position_quaternion() -> None:
    proprio = _proprio(2)
    arrays = libero_arrays(np.zeros((1, 7)), np.zeros((2, 5)), proprio, success=True)
    assert arrays["robot_states"].tolist() == [[0.2, 0.2, 0.1, 0.1, 0.1, 0.0, 0.0, 0.0, 1.0]]
    assert arrays["obs/ee_states"].tolist() == [[0.1, 0.1, 0.1, 0.0, 0.0, 0.0]]


def _proprio(rows: int) -> dict[str, FloatArray]:
    return {
        "robot0_eef_pos": np.full((rows, 3), 0.1),
        "robot0_eef_quat": np.tile([0.0, 0.0, 0.0, 1.0], (rows, 1)),
        "robot0_gripper_qpos": np.full((rows, 2), 0.2),
        "robot0_joint_pos": np.full((rows, 7), 0.3),
    }
