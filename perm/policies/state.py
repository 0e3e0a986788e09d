"""The robot's state as one vector, put together from named parts."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.core.geometry import axis_angle
from perm.core.policy import Observation

STATE_PARTS: Mapping[str, Callable[[Observation], AnyArray]] = {
    "eef_pos": lambda obs: obs["robot0_eef_pos"],
    "eef_axis_angle": lambda obs: axis_angle(obs["robot0_eef_quat"]),
    "gripper_qpos": lambda obs: obs["robot0_gripper_qpos"],
    "joint_pos": lambda obs: obs["robot0_joint_pos"],
}
"""Parts a state can have: position (3,) [m] and rotation (3,) [rad] of the end effector in the
world frame, finger joints (2,) [m], arm joints (7,) [rad]."""


def robot_state(obs: Observation, parts: Sequence[str]) -> FloatArray:
    """Return the parts in the given order as one vector.

    Args:
        obs: Observation with the robot's entries.
        parts: Names in `STATE_PARTS`.
    """
    return np.concatenate([STATE_PARTS[part](obs) for part in parts], dtype=np.float64)
