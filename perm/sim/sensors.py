"""LIBERO's observations, made from what was seen."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.sim.blueprint import Blueprint
from perm.sim.seen import Seen


def proprioception(blueprint: Blueprint, model: Any, seen: Seen) -> dict[str, AnyArray]:
    """Return what a policy is told of the robot.

    Returns:
        robot0_eef_pos (3,) [m], robot0_eef_quat (4,) xyzw, robot0_gripper_qpos (2,) [m],
        robot0_joint_pos (7,) [rad].
    """
    arm = blueprint.arm
    return {
        "robot0_eef_pos": seen.site_xpos[model.site(arm.grip_site).id].copy(),
        "robot0_eef_quat": _xyzw(seen.xquat[model.body(arm.hand_body).id]),
        "robot0_gripper_qpos": seen.qpos[7:9].copy(),
        "robot0_joint_pos": seen.qpos[:7].copy(),
    }


def all_observations(blueprint: Blueprint, model: Any, seen: Seen) -> dict[str, AnyArray]:
    """Return every entry of LIBERO's observations but images, in LIBERO's order."""
    robot = _robot(blueprint, model, seen)
    objects = _objects(blueprint, model, seen, robot)
    return {
        **robot,
        **objects,
        "robot0_proprio-state": np.concatenate(list(robot.values())),
        "object-state": np.concatenate(list(objects.values())),
    }


def _robot(blueprint: Blueprint, model: Any, seen: Seen) -> dict[str, AnyArray]:
    told = proprioception(blueprint, model, seen)
    joints = told["robot0_joint_pos"]
    return {
        "robot0_joint_pos": joints,
        "robot0_joint_pos_cos": np.cos(joints),
        "robot0_joint_pos_sin": np.sin(joints),
        "robot0_joint_vel": seen.qvel[:7].copy(),
        "robot0_eef_pos": told["robot0_eef_pos"],
        "robot0_eef_quat": told["robot0_eef_quat"],
        "robot0_gripper_qpos": told["robot0_gripper_qpos"],
        "robot0_gripper_qvel": seen.qvel[7:9].copy(),
    }


def _objects(
    blueprint: Blueprint, model: Any, seen: Seen, robot: dict[str, AnyArray]
) -> dict[str, AnyArray]:
    from robosuite.utils import transform_utils as transforms

    hand = transforms.pose2mat((robot["robot0_eef_pos"], robot["robot0_eef_quat"]))
    world = transforms.pose_inv(hand)
    found: dict[str, AnyArray] = {}
    for name, pos, quat in _object_poses(blueprint, model, seen):
        pose = transforms.pose_in_A_to_pose_in_B(transforms.pose2mat((pos, quat)), world)
        relative_pos, relative_quat = transforms.mat2pose(pose)
        found |= {
            f"{name}_pos": pos,
            f"{name}_quat": quat,
            f"{name}_to_robot0_eef_pos": relative_pos,
            f"{name}_to_robot0_eef_quat": relative_quat,
        }
    return found


def _object_poses(
    blueprint: Blueprint, model: Any, seen: Seen
) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    for name, entity in blueprint.entities.items():
        if entity.movable:
            body = model.body(entity.root_body).id
            yield name, seen.xpos[body].copy(), _xyzw(seen.xquat[body])


def _xyzw(wxyz: FloatArray) -> FloatArray:
    return wxyz[[1, 2, 3, 0]]
