"""The arm alone: where the hand is for its joints, and which joints bring it to a pose. Compiled.

Agrees with MuJoCo's kinematics; see `tests/sim/test_arm.py`.
"""

from typing import NamedTuple

import mujoco
import numpy as np
from numba import njit

from perm.core.arrays import FloatArray
from perm.sim.env import SimEnv

POSITION_ERROR, ROTATION_ERROR = 0.004, 0.04
"""How near the arm has to come to a pose to reach it [m, rad]."""
GOOD_POSITION, GOOD_ROTATION = 0.001, 0.01
"""How near is near enough to stop looking for better joints [m, rad]."""
MAX_ITERATIONS = 12
DAMPING = 1e-4
HOMING = 0.4
"""Share of the way to the joints' rest that free motion takes in an iteration, as the controller's
null space pulls the arm there."""
LARGEST_MOVE, LARGEST_TURN = 0.05, 0.2
"""Largest error that an iteration follows [m, rad]."""
LIMIT_ROOM = 0.02
"""Room kept to the joints' limits [rad]."""


class Arm(NamedTuple):
    """An arm of turning joints in a row, as it is when all of them are at 0; world frame.

    Attributes:
        anchors: A point on each joint's axis [m], (7, 3).
        axes: Directions of the axes, (7, 3).
        pos: Of the grip site [m], (3,).
        rotation: Of the grip site, (3, 3).
        low, high: The joints' limits [rad], (7,).
        rest: Where the controller pulls them [rad], (7,).
    """

    anchors: FloatArray
    axes: FloatArray
    pos: FloatArray
    rotation: FloatArray
    low: FloatArray
    high: FloatArray
    rest: FloatArray


def arm_of(env: SimEnv) -> Arm:
    """Return the arm of a scene's robot."""
    model, arm = env.model, env.blueprint.arm
    data = mujoco.MjData(model)
    joints = [model.joint(name) for name in arm.joints]
    data.qpos[:] = env.data.qpos
    data.qpos[[joint.qposadr[0] for joint in joints]] = 0.0
    mujoco.mj_kinematics(model, data)
    numbers, site = [joint.id for joint in joints], model.site(arm.grip_site).id
    low, high = np.array([joint.range for joint in joints]).T.copy()
    return Arm(
        anchors=data.xanchor[numbers].copy(),
        axes=data.xaxis[numbers].copy(),
        pos=data.site_xpos[site].copy(),
        rotation=data.site_xmat[site].reshape(3, 3).copy(),
        low=low,
        high=high,
        rest=np.array(arm.rest_qpos, dtype=np.float64),
    )


@njit(cache=True, nogil=True)
def hand_at(arm: Arm, joints: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the grip site for joints (7,) [rad]: position (3,), rotation (3, 3), Jacobian (6, 7).

    The Jacobian's rows are velocity and rotation speed in the world frame.
    """
    turn, shift = np.eye(3), np.zeros(3)
    axes, anchors = np.empty((7, 3)), np.empty((7, 3))
    for k in range(7):
        _apply(turn, arm.axes[k], axes[k])
        _apply(turn, arm.anchors[k], anchors[k])
        anchors[k] += shift
        turn = turn @ _about(arm.axes[k], joints[k])
        _apply(turn, arm.anchors[k], shift)
        shift[:] = anchors[k] - shift
    pos = np.empty(3)
    _apply(turn, arm.pos, pos)
    pos += shift
    jacobian = np.empty((6, 7))
    for k in range(7):
        x, y, z = axes[k]
        u, v, w = pos - anchors[k]
        jacobian[0, k], jacobian[1, k], jacobian[2, k] = y * w - z * v, z * u - x * w, x * v - y * u
        jacobian[3:, k] = axes[k]
    return pos, turn @ arm.rotation, jacobian


@njit(cache=True, nogil=True)
def reach(
    arm: Arm, pos: FloatArray, rotation: FloatArray, joints: FloatArray, mobility: FloatArray
) -> tuple[FloatArray, bool, float]:
    """Return joints that bring the hand to a pose, found from joints nearby.

    Damped least squares, and what is free of it towards the joints' rest; weighted by the arm's
    inertia, as the controller weights them.

    Args:
        arm: The arm.
        pos: Of the hand (3,) [m].
        rotation: Of the hand (3, 3).
        joints: To begin from (7,) [rad].
        mobility: Inverse of the joint-space inertia (7, 7).

    Returns:
        Joints (7,) [rad], whether they reach the pose, and the smallest singular value of the
        Jacobian there.
    """
    now, turned, jacobian = hand_at(arm, joints)
    error, far, off = _error(pos, rotation, now, turned)
    for _ in range(MAX_ITERATIONS):
        if far < GOOD_POSITION and off < GOOD_ROTATION:
            break
        error[:3] *= min(1.0, LARGEST_MOVE / (far + 1e-9))
        error[3:] *= min(1.0, LARGEST_TURN / (off + 1e-9))
        home = HOMING * (arm.rest - joints)
        back = mobility @ jacobian.T
        square = jacobian @ back + DAMPING * np.eye(6)
        joints = joints + home + back @ np.linalg.solve(square, error - jacobian @ home)
        joints = np.minimum(np.maximum(joints, arm.low + LIMIT_ROOM), arm.high - LIMIT_ROOM)
        now, turned, jacobian = hand_at(arm, joints)
        error, far, off = _error(pos, rotation, now, turned)
    least = np.linalg.eigvalsh(jacobian @ jacobian.T)[0]
    reached = far <= POSITION_ERROR and off <= ROTATION_ERROR
    return joints, reached, np.sqrt(max(least, 0.0))


@njit(nogil=True)
def _error(
    pos: FloatArray, rotation: FloatArray, now: FloatArray, turned: FloatArray
) -> tuple[FloatArray, float, float]:
    """Return what is left to a pose, (6,), and how far [m] and how turned [rad] that is."""
    turn = rotation @ turned.T
    error = np.empty(6)
    error[:3] = pos - now
    # Axis times sine: as good as the angle for poses near each other, and cheap.
    error[3] = (turn[2, 1] - turn[1, 2]) / 2
    error[4] = (turn[0, 2] - turn[2, 0]) / 2
    error[5] = (turn[1, 0] - turn[0, 1]) / 2
    far, off = np.sqrt((error[:3] ** 2).sum()), np.sqrt((error[3:] ** 2).sum())
    return error, far, off


@njit(nogil=True)
def _about(axis: FloatArray, angle: float) -> FloatArray:
    """Return the rotation about a unit vector, (3, 3)."""
    x, y, z = axis
    sine, cosine = np.sin(angle), np.cos(angle)
    rest = 1.0 - cosine
    turn = np.empty((3, 3))
    turn[0, 0], turn[1, 1], turn[2, 2] = (
        cosine + rest * x * x,
        cosine + rest * y * y,
        cosine + rest * z * z,
    )
    turn[0, 1], turn[1, 0] = rest * x * y - sine * z, rest * x * y + sine * z
    turn[2, 0], turn[0, 2] = rest * x * z - sine * y, rest * x * z + sine * y
    turn[1, 2], turn[2, 1] = rest * y * z - sine * x, rest * y * z + sine * x
    return turn


@njit(nogil=True)
def _apply(matrix: FloatArray, vector: FloatArray, result: FloatArray) -> None:
    """Set the result (3,) to a matrix (3, 3) times a vector (3,); BLAS is slow for so little."""
    for i in range(3):
        result[i] = matrix[i, 0] * vector[0] + matrix[i, 1] * vector[1] + matrix[i, 2] * vector[2]
