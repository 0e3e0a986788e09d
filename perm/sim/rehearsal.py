"""Where the arm would end up and what it would touch if the hand went somewhere."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from perm.core.arrays import FloatArray
from perm.sim.arm import arm_of, reach
from perm.sim.bodies import root_body
from perm.sim.env import SimEnv
from perm.sim.load import Held, Load
from perm.sim.touching import SUNK, SURFACE, Touching

CLOSING = (0.75, 0.5, 0.25, 0.0)
"""Shares of their way at which closing fingers are looked at, 1 for open."""


@dataclass(frozen=True)
class Reach:
    """How a motion would end.

    Attributes:
        joints: Positions of the arm's joints along it [rad], (N, 7), up to what stops it.
        margin: Smallest distance of a joint to its limit on the way [rad].
        dexterity: Smallest singular value of the hand's Jacobian on the way: how much the hand
            moves for a turn of the joints in the direction in which it moves least. A stretched
            arm has none.
        problem: What would stop it, or "".
    """

    joints: FloatArray
    margin: float
    dexterity: float
    problem: str = ""


@dataclass(frozen=True)
class Room:
    """The distance to the nearest thing [m], and its name."""

    distance: float
    name: str


class Rehearsal:
    """What would come of motions, in a copy of the scene."""

    def __init__(self, env: SimEnv) -> None:
        """Copy the scene as it stands; see `look`."""
        self._env = env
        self._scene = Touching(env, arm_of(env))

    @property
    def joints(self) -> FloatArray:
        """The arm's joints as they are in the scene now [rad], shape (7,)."""
        return np.array(self._env.data.qpos[self._scene.qpos])

    def look(self) -> None:
        """Copy where everything stands now."""
        self._scene.look()

    def held_at(self, name: str, pos: FloatArray, rotation: FloatArray) -> Held:
        """Return an object as it is now, in a hand at a pose, (3,) [m] and (3, 3)."""
        data, body = self._env.data, root_body(self._env, name)
        offset = (data.xpos[body] - pos) @ rotation
        return Held(name, offset, rotation.T @ data.xmat[body].reshape(3, 3))

    def held_now(self, name: str) -> Held:
        """Return an object as it is held in the scene now."""
        held = self.held_at(name, self._env.ee_pos, self._env.ee_rotation)
        return replace(held, fingers=np.array(self._env.data.qpos[self._scene.fingers]))

    def follow(
        self,
        poses: Iterable[tuple[FloatArray, FloatArray]],
        joints: FloatArray,
        load: Load,
        clearance: float | None = 0.0,
    ) -> Reach:
        """Return how the arm would follow hand poses, up to what stops it.

        Args:
            poses: Positions (3,) [m] and rotations (3, 3), near each other.
            joints: Where the arm begins (7,) [rad].
            load: What is in the hand, and what it may touch.
            clearance: Distance kept to everything else but the work surface [m]; None to look at
                no contacts.
        """
        scene = self._scene
        scene.arrange(load)
        mobility = scene.mobility(joints)
        dexterity, problem, passed = np.inf, "", []
        for pos, rotation in poses:
            joints, reached, free = reach(scene.arm, pos, rotation, joints, mobility)
            passed.append(joints)
            dexterity, problem = min(dexterity, free), "" if reached else "out of reach"
            if reached and clearance is not None:
                problem = self._touched(joints, load, clearance)
            if problem:
                break
        way = np.array(passed)
        margin = np.minimum(way - scene.arm.low, scene.arm.high - way).min(initial=np.inf)
        return Reach(way, float(margin), dexterity, problem)

    def room(self, joints: FloatArray, load: Load, most: float) -> Room:
        """Return how near arm, hand and what it holds are to anything else.

        Args:
            joints: Where the arm is (7,) [rad].
            load: What is in the hand; what it may touch does not count.
            most: What is farther away than this does not matter [m].
        """
        self._scene.arrange(load)
        for distance, name in self._scene.contacts(joints, load, most):
            if name != SURFACE or distance < 0:
                return Room(distance, name)
        return Room(most, "nothing")

    def caught(self, joints: FloatArray, load: Load) -> str:
        """Return what else the fingers meet as they close on what is held, or "".

        Args:
            joints: Where the arm is (7,) [rad].
            load: What is in the hand.
        """
        if load.held is None:
            return ""
        for share in CLOSING:
            held = replace(load.held, fingers=share * self._scene.open)
            room = self.room(joints, replace(load, held=held), 0.0)
            if room.distance < -SUNK:
                return room.name
        return ""

    def fits(self, pos: FloatArray, rotation: FloatArray, load: Load, room: float) -> bool:
        """Return whether what is held could be at a pose without the hand.

        Args:
            pos: Its origin (3,) [m].
            rotation: (3, 3).
            load: What is held, and what else has been moved.
            room: Distance to everything else that there has to be [m].
        """
        return self._scene.apart(pos, rotation, load, room)

    def _touched(self, joints: FloatArray, load: Load, clearance: float) -> str:
        """Return what comes nearer than it may, or ""."""
        for distance, name in self._scene.contacts(joints, load, clearance):
            if distance < (min(0.0, clearance) if name == SURFACE else clearance):
                return f"hits {name}"
        return ""
