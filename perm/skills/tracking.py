"""Turns reference poses into LIBERO's delta actions and follows a timed path."""

from collections.abc import Iterator

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import (
    ACTION_SIZE,
    GRIPPER_CLOSE,
    GRIPPER_OPEN,
    POSITION_SCALE,
    ROTATION_SCALE,
)
from perm.core.errors import GiveUp
from perm.core.geometry import rotation_vector
from perm.sim.env import SimEnv
from perm.skills.pose import Path, Pose

FEED_FORWARD = 3.77
"""Commanded displacement per displacement of the reference in a step. Commanding d, the controller
(kp 150, critically damped) goes at 5.31 d per second, which is d / 3.77 in a step of 0.05 s."""
SETTLE_GAIN = 1.5
SETTLE_STEPS = 25
LEFT_OVER, MAX_TURN = 0.02, 0.15
"""Distance and angle from the end of a motion beyond which an attempt is given up [m, rad]."""
MAX_ERROR = 0.05
"""Distance from the reference beyond which an attempt is given up [m]."""


class Hand:
    """The hand as the expert sees and moves it."""

    def __init__(self, env: SimEnv) -> None:
        """Take the scene whose robot moves."""
        self._env = env
        self.closed = False

    @property
    def pos(self) -> FloatArray:
        """Position between the finger tips [m], shape (3,)."""
        return self._env.ee_pos

    @property
    def rotation(self) -> FloatArray:
        """Rotation of the hand, shape (3, 3)."""
        return self._env.ee_rotation

    def errors(self, pos: FloatArray, rotation: FloatArray) -> tuple[float, float]:
        """Return how far the hand is from a pose, in metres and in radians."""
        return (
            float(np.linalg.norm(pos - self.pos)),
            float(np.linalg.norm(rotation_vector(rotation @ self.rotation.T))),
        )

    def action(
        self,
        pos: FloatArray,
        rotation: FloatArray,
        step: FloatArray | None = None,
        turn: FloatArray | None = None,
        gain: float = 1.0,
    ) -> FloatArray:
        """Return the action that moves the hand towards a pose, shape (7,).

        Args:
            pos: Reference position (3,) [m].
            rotation: Reference rotation (3, 3).
            step: Displacement of the reference in the coming control step (3,) [m].
            turn: Rotation of the reference in the coming control step (3,) [rad].
            gain: Share of the error that is commanded.
        """
        move = gain * (pos - self.pos)
        twist = gain * rotation_vector(rotation @ self.rotation.T)
        if step is not None:
            move = move + FEED_FORWARD * step
        if turn is not None:
            twist = twist + FEED_FORWARD * turn
        action = np.empty(ACTION_SIZE)
        action[:3] = _limit(move / POSITION_SCALE)
        action[3:6] = _limit(twist / ROTATION_SCALE)
        action[6] = GRIPPER_CLOSE if self.closed else GRIPPER_OPEN
        return action

    def hold(self, steps: int, pose: Pose) -> Iterator[FloatArray]:
        """Stay at a pose for some steps while the fingers move."""
        for _ in range(steps):
            yield self.action(pose.pos, pose.rotation)

    def squeeze(self, steps: int, still: float, pose: Pose) -> Iterator[FloatArray]:
        """Stay at a pose until the fingers move less than `still` [m] in a step, within bounds."""
        for step in range(steps):
            width = self._env.gripper_width
            yield self.action(pose.pos, pose.rotation)
            if step >= 3 and abs(width - self._env.gripper_width) < still:
                return

    def follow(
        self, path: Path, tolerance: float, opens: float | None = None
    ) -> Iterator[FloatArray]:
        """Follow a timed path, then come to rest at its end.

        Args:
            path: A pose for each control step.
            tolerance: Distance from the end at which it is good enough [m].
            opens: Open the fingers so far before the end [m].

        Raises:
            GiveUp: The hand is too far from where it should be.
        """
        last = len(path.pos) - 1
        for k in range(last + 1):
            if opens is not None and np.linalg.norm(path.pos[last] - path.pos[k]) <= opens:
                self.closed = False
            now, then = path.rotation[k], path.rotation[min(k + 1, last)]
            step = path.pos[min(k + 1, last)] - path.pos[k]
            yield self.action(path.pos[k], now, step, rotation_vector(then @ now.T))
            self._check(path.pos[k])
        yield from self.settle(path.pos[last], path.rotation[last], tolerance)

    def settle(
        self, pos: FloatArray, rotation: FloatArray, tolerance: float
    ) -> Iterator[FloatArray]:
        """Close the last distance to a pose, within a bounded number of steps.

        Args:
            pos: Position to reach (3,) [m].
            rotation: Rotation to reach (3, 3).
            tolerance: Distance at which it is good enough [m].

        Raises:
            GiveUp: The hand is still far away.
        """
        for _ in range(SETTLE_STEPS):
            distance, angle = self.errors(pos, rotation)
            if distance < tolerance and angle < 0.05:
                return
            yield self.action(pos, rotation, gain=SETTLE_GAIN)
        distance, angle = self.errors(pos, rotation)
        if distance > LEFT_OVER or angle > MAX_TURN:
            raise GiveUp("tracking: the hand does not get there")

    def _check(self, pos: FloatArray) -> None:
        distance = float(np.linalg.norm(pos - self.pos))
        if distance > MAX_ERROR:
            raise GiveUp("tracking: the hand is off its way")


def _limit(vector: FloatArray) -> FloatArray:
    """Shrink a command, keeping its direction, until no entry exceeds 1."""
    largest = float(np.abs(vector).max())
    return vector / largest if largest > 1 else vector
