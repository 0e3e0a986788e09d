import math

import numpy as np

from perm.policies.state import robot_state


def test_the_state_follows_the_order_of_its_parts() -> None:
    obs = {
        "robot0_eef_pos": np.array([0.1, 0.2, 0.3]),
        "robot0_eef_quat": np.array([1.0, 0.0, 0.0, 0.0]),
        "robot0_gripper_qpos": np.array([0.02, -0.02]),
        "robot0_joint_pos": np.arange(7.0),
    }
    np.testing.assert_allclose(
        robot_state(obs, ("eef_pos", "eef_axis_angle", "gripper_qpos")),
        [0.1, 0.2, 0.3, math.pi, 0, 0, 0.02, -0.02],
    )
    np.testing.assert_allclose(
        robot_state(obs, ("gripper_qpos", "joint_pos")), [0.02, -0.02, 0, 1, 2, 3, 4, 5, 6]
    )
