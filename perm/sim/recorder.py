"""Records what happens in a scene, row by row, and makes a Trace of it."""

from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import AnyArray, BoolArray, FloatArray
from perm.core.conventions import ACTION_SIZE, DT
from perm.core.geometry import matrix_to_quat
from perm.core.mission import Goal
from perm.core.trace import Trace
from perm.sim.bodies import collision_geoms, root_body, subtree, support_height
from perm.sim.env import SimEnv
from perm.sim.facts import object_facts, region_facts

FINGERS = ("gripper0_leftfinger", "gripper0_rightfinger")


class Recorder:
    """Keeps one row per moment: before each action and at the end.

    Derived quantities (poses, contacts, predicates) are those of the last physics step's
    beginning, 2 ms before the state of the row: what LIBERO's own success check sees.
    """

    def __init__(self, env: SimEnv, goal: Goal, preferred_goal: Goal | None = None) -> None:
        """Begin recording an episode that begins now.

        Args:
            env: The scene, already at its start.
            goal: What counts as success.
            preferred_goal: The goal with the preferred choice, or None.
        """
        self._env = env
        self._goal = goal
        self._preferred_goal = preferred_goal
        self._objects = object_facts(env)
        self._regions = region_facts(env)
        self._support_z = support_height(env)
        self._bodies = [root_body(env, name) for name in self._objects]
        self._joints = _scene_joints(env)
        self._geom_object, self._geom_finger = _contact_tables(env, list(self._objects))
        self._geom_fixture = _fixture_geoms(env)
        self._rows: list[dict[str, Any]] = []
        self._actions: list[FloatArray] = []

    def row(self) -> None:
        """Record this moment."""
        env, data = self._env, self._env.data
        self._rows.append(
            {
                "ee_pos": env.ee_pos,
                "ee_quat": matrix_to_quat(env.ee_rotation),
                "gripper_width": env.gripper_width,
                "object_pos": data.xpos[self._bodies].copy(),
                "object_quat": data.xquat[self._bodies].copy(),
                "joint_pos": data.qpos[list(self._joints.values())].copy(),
                "contact": self._contact(),
                "on_fixture": self._touches_fixture(),
                "success": env.reached(self._goal),
                "preferred": self._preferred_goal is not None and env.reached(self._preferred_goal),
                "state": env.state,
                "view_qpos": env.seen.camera.copy(),
                "proprio": env.observe(),
            }
        )

    def action(self, action: FloatArray) -> None:
        """Record the action that follows the last row."""
        self._actions.append(np.array(action, dtype=np.float64))

    @property
    def last(self) -> dict[str, Any]:
        """The row recorded last."""
        return self._rows[-1]

    @property
    def n_rows(self) -> int:
        """Number of rows so far."""
        return len(self._rows)

    @property
    def object_names(self) -> tuple[str, ...]:
        """Movable objects, in the order of the object columns."""
        return tuple(self._objects)

    def tail(self, name: str, count: int) -> AnyArray:
        """Return one recorded quantity over the last rows, shape (count, ...)."""
        return np.array([row[name] for row in self._rows[-count:]])

    def column(self, name: str) -> AnyArray:
        """Return one recorded quantity over all rows, shape (rows, ...)."""
        return np.array([row[name] for row in self._rows])

    def proprio(self) -> dict[str, AnyArray]:
        """Return the robot observations over all rows."""
        rows = [row["proprio"] for row in self._rows]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def trace(self) -> Trace:
        """Return everything so far as a Trace; there has to be one row more than actions."""
        pos, quat = self.column("object_pos"), self.column("object_quat")
        joints = self.column("joint_pos")
        return Trace(
            dt=DT,
            actions=np.array(self._actions).reshape(-1, ACTION_SIZE),
            ee_pos=self.column("ee_pos"),
            ee_quat=self.column("ee_quat"),
            gripper_width=self.column("gripper_width"),
            object_pos={name: pos[:, i] for i, name in enumerate(self._objects)},
            object_quat={name: quat[:, i] for i, name in enumerate(self._objects)},
            joint_pos={name: joints[:, i] for i, name in enumerate(self._joints)},
            contact=self.column("contact"),
            success=self.column("success"),
            support_z=self._support_z,
            objects=self._objects,
            regions=self._regions,
            preferred=None if self._preferred_goal is None else self.column("preferred"),
        )

    def _contact(self) -> BoolArray:
        """Which object touches which finger, (n_objects, 2)."""
        touching = np.zeros((len(self._objects), 2), dtype=bool)
        data = self._env.data
        pairs = data.contact.geom[: data.ncon]
        for first, second in ((0, 1), (1, 0)):
            objects = self._geom_object[pairs[:, first]]
            fingers = self._geom_finger[pairs[:, second]]
            hit = (objects >= 0) & (fingers >= 0)
            touching[objects[hit], fingers[hit]] = True
        return touching

    def _touches_fixture(self) -> bool:
        """Whether a finger touches a fixture: the handle of a drawer, a knob."""
        pairs = self._env.data.contact.geom[: self._env.data.ncon]
        fingers = self._geom_finger[pairs] >= 0
        fixtures = self._geom_fixture[pairs]
        return bool((fingers & fixtures[:, ::-1]).any())


def _fixture_geoms(env: SimEnv) -> BoolArray:
    """Which geoms belong to a fixture that stands on the table or floor, (ngeom,)."""
    mask = np.zeros(env.model.ngeom, dtype=bool)
    for body in env.fixture_bodies.values():
        mask[collision_geoms(env, subtree(env, body))] = True
    return mask


def _scene_joints(env: SimEnv) -> dict[str, int]:
    """Index into qpos of every drawer, door and knob, by joint name."""
    joints = {}
    for i in range(env.model.njnt):
        name = env.model.joint(i).name
        free = env.model.jnt_type[i] == mujoco.mjtJoint.mjJNT_FREE
        if not free and not name.startswith(("robot0_", "gripper0_")):
            joints[name] = int(env.model.jnt_qposadr[i])
    return joints


def _contact_tables(env: SimEnv, names: list[str]) -> tuple[AnyArray, AnyArray]:
    """For each geom: index of its object or -1, index of its finger or -1."""
    of_object = np.full(env.model.ngeom, -1)
    of_finger = np.full(env.model.ngeom, -1)
    for i, name in enumerate(names):
        of_object[collision_geoms(env, subtree(env, root_body(env, name)))] = i
    for i, body in enumerate(FINGERS):
        index = mujoco.mj_name2id(env.model, mujoco.mjtObj.mjOBJ_BODY, body)
        of_finger[collision_geoms(env, subtree(env, index))] = i
    return of_object, of_finger
