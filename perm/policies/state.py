"""The robot's state as one vector, put together from named parts."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.core.policy import Observation


def axis_angle(quat: AnyArray) -> FloatArray:
    """Return axis times angle [rad] of a unit quaternion, with the angle in [0, 2 pi].

    The sign of the quaternion is kept: models were trained on what robosuite's `quat2axisangle`
    gives, and that is longer than pi where w < 0. (`perm.core.geometry.rotation_vector` gives
    the shortest rotation, which differs there.)

    Args:
        quat: xyzw, shape (4,).
    """
    w = min(1.0, max(-1.0, float(quat[3])))
    sine = math.sqrt(1.0 - w * w)
    if sine == 0.0:
        return np.zeros(3)
    return np.asarray(quat[:3], dtype=np.float64) * (2.0 * math.acos(w) / sine)


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
