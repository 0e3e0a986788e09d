"""The records of robosuite's OSC_POSE that compiled code works on: tuples of arrays."""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dgesdd_lwork

from perm.core.arrays import AnyArray, FloatArray


class Physics(NamedTuple):
    """MuJoCo's arrays, the robot's joints first; names are MuJoCo's."""

    qpos: FloatArray
    qvel: FloatArray
    qfrc_bias: FloatArray
    qM: AnyArray  # noqa: N815
    ctrl: FloatArray
    xpos: FloatArray
    xquat: FloatArray
    site_xpos: FloatArray
    site_xmat: FloatArray


class Room(NamedTuple):
    """Working memory for the pseudo-inverse of an n x n matrix.

    Attributes:
        u, vt, s: Singular vectors, transposed, (n, n); singular values (n,).
        work, iwork: LAPACK's.
        letters: "S" and "C" for LAPACK and BLAS.
        sizes: n, length of `work`, LAPACK's answer, number of singular values that count.
        factors: 1 and 0.
    """

    u: FloatArray
    vt: FloatArray
    s: FloatArray
    work: FloatArray
    iwork: AnyArray
    letters: AnyArray
    sizes: AnyArray
    factors: FloatArray


class ArmState(NamedTuple):
    """What the controller knows of the arm; robosuite keeps it until the next update.

    Attributes:
        pos, rotation: Pose of the grip site, (3,) [m] and (3, 3).
        velocity, turn_rate: Its motion, (3,) [m/s] and (3,) [rad/s].
        joint_pos, joint_vel: (7,) [rad], [rad/s].
        jacobian, jacobian_pos, jacobian_turn: (6, 7), and its halves; Fortran order.
        mass: Joint-space inertia (7, 7), Fortran order.
        room_3, room_6: Working memory.
    """

    pos: FloatArray
    rotation: FloatArray
    velocity: FloatArray
    turn_rate: FloatArray
    joint_pos: FloatArray
    joint_vel: FloatArray
    jacobian: FloatArray
    jacobian_pos: FloatArray
    jacobian_turn: FloatArray
    mass: FloatArray
    room_3: Room
    room_6: Room


class Command(NamedTuple):
    """What the arm shall do.

    Attributes:
        pos, rotation: Goal of the grip site, (3,) [m] and (3, 3).
        turn: What the action turns it by, axis times angle, (3,) [rad].
        fingers: Command of the fingers (2,), in [-1, 1]; it moves on with each physics step.
        squeeze: Change of the first finger's command in a physics step, (1,).
    """

    pos: FloatArray
    rotation: FloatArray
    turn: FloatArray
    fingers: FloatArray
    squeeze: FloatArray


class Gains(NamedTuple):
    """Constants of the controller; see `perm.sim.blueprint.Arm`.

    Attributes:
        kp, kd, rest, torque_low, torque_high: As in `Arm`.
        finger_mid, finger_half: The fingers' control is mid + half * command, (2,).
    """

    kp: FloatArray
    kd: FloatArray
    rest: FloatArray
    torque_low: FloatArray
    torque_high: FloatArray
    finger_mid: FloatArray
    finger_half: FloatArray


def make_room(n: int) -> Room:
    """Return working memory for n x n matrices."""
    length = int(dgesdd_lwork(n, n, full_matrices=0)[0])
    return Room(
        u=np.zeros((n, n)),
        vt=np.zeros((n, n)),
        s=np.zeros(n),
        work=np.zeros(length),
        iwork=np.zeros(8 * n, dtype=np.int32),
        letters=np.frombuffer(b"SC", dtype=np.uint8).copy(),
        sizes=np.array([n, length, 0, 0], dtype=np.int32),
        factors=np.array([1.0, 0.0]),
    )


def empty_arm_state() -> ArmState:
    """Return an arm state to be filled, in robosuite's memory layouts."""
    return ArmState(
        pos=np.zeros(3),
        rotation=np.zeros((3, 3)),
        velocity=np.zeros(3),
        turn_rate=np.zeros(3),
        joint_pos=np.zeros(7),
        joint_vel=np.zeros(7),
        jacobian=np.zeros((6, 7), order="F"),
        jacobian_pos=np.zeros((3, 7), order="F"),
        jacobian_turn=np.zeros((3, 7), order="F"),
        mass=np.zeros((7, 7), order="F"),
        room_3=make_room(3),
        room_6=make_room(6),
    )
