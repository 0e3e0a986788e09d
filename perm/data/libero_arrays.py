"""Between an episode's arrays and the ones that LIBERO's readers expect."""

from collections.abc import Mapping

import h5py
import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.core.geometry import axis_angle
from perm.data.schema import PROPRIO


def libero_arrays(
    actions: FloatArray, states: FloatArray, proprio: Mapping[str, AnyArray], success: bool
) -> dict[str, AnyArray]:
    """Return LIBERO's arrays of a demonstration by path, each with T rows.

    Args:
        actions: (T, 7).
        states: (T+1, S); the last row is left out.
        proprio: Robot observations (T+1, ...), see `perm.data.schema.PROPRIO`.
        success: Whether the goal held after the last action, as measured.
    """
    pos, quat, gripper, joints = (np.asarray(proprio[name])[:-1] for name in PROPRIO)
    turn = axis_angle(quat)
    ended = np.zeros(len(actions), dtype=np.uint8)
    ended[-1] = success
    return {
        "actions": actions,
        "states": states[:-1],
        "robot_states": np.concatenate([gripper, pos, quat], axis=1),
        "rewards": ended,
        "dones": ended,
        "obs/ee_pos": pos,
        "obs/ee_ori": turn,
        "obs/ee_states": np.concatenate([pos, turn], axis=1),
        "obs/gripper_states": gripper,
        "obs/joint_states": joints,
    }


def read_proprio(demo: h5py.Group) -> dict[str, AnyArray]:
    """Return the robot observations of a demonstration before each action, (T, ...)."""
    return {
        "robot0_eef_pos": demo["obs/ee_pos"][()],
        "robot0_eef_quat": demo["robot_states"][:, 5:9],
        "robot0_gripper_qpos": demo["obs/gripper_states"][()],
        "robot0_joint_pos": demo["obs/joint_states"][()],
    }
