"""One control step, compiled: 25 physics steps with robosuite's OSC_POSE between their halves.

The arithmetic is robosuite's, operation by operation and in its memory layouts, so that states are
LIBERO's to the last bit; `docs/decisions/0008-simulation-core.md` tells what that takes.

numba keeps what it compiles on the disk, and compiles anew when this file changes, not when another
one does. So all that is compiled is here; what it counts on elsewhere is written down in `ORDER`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numba import njit, types
from robosuite.utils.control_utils import nullspace_torques, orientation_error

from perm.core.arrays import FloatArray
from perm.sim.osc import ArmState, Command, Gains, Physics, Room
from perm.sim.seen import Seen

SUBSTEPS = 25
"""Physics steps of 2 ms in one control step of 50 ms."""
VIEW_SUBSTEP = 24
"""The one after which LIBERO samples what is seen, in an episode that began from a stored state."""

ORDER: Mapping[type, str] = MappingProxyType(
    {
        Physics: "qpos qvel qfrc_bias qM ctrl xpos xquat site_xpos site_xmat",
        Room: "u vt s work iwork letters sizes factors",
        ArmState: "pos rotation velocity turn_rate joint_pos joint_vel "
        "jacobian jacobian_pos jacobian_turn mass room_3 room_6",
        Command: "pos rotation turn fingers squeeze",
        Gains: "kp kd rest torque_low torque_high finger_mid finger_half",
        Seen: "last camera qpos qvel xpos xquat site_xpos",
    }
)
"""Fields of the records in the order that is compiled in."""
for _record, _fields in ORDER.items():
    if _record._fields != tuple(_fields.split()):  # type: ignore[attr-defined]
        raise ImportError(f"{_record.__name__} has changed: write its fields down in ORDER.")

_address = types.intp
_of_model_and_data = types.void(_address, _address)
_mj_step1: Any = types.ExternalFunction("mj_step1", _of_model_and_data)
_mj_step2: Any = types.ExternalFunction("mj_step2", _of_model_and_data)
_mj_actuation: Any = types.ExternalFunction("mj_fwdActuation", _of_model_and_data)
_mj_acceleration: Any = types.ExternalFunction("mj_fwdAcceleration", _of_model_and_data)
_mj_constraint: Any = types.ExternalFunction("mj_fwdConstraint", _of_model_and_data)
_mj_full_mass: Any = types.ExternalFunction("mj_fullM", types.void(*[_address] * 3))
_mj_site_jacobian: Any = types.ExternalFunction(
    "mj_jacSite", types.void(*[_address] * 4, types.int32)
)
_dgesdd: Any = types.ExternalFunction("perm_dgesdd", types.void(*[_address] * 14))
_dgemm: Any = types.ExternalFunction("perm_dgemm", types.void(*[_address] * 13))


@njit(nogil=True)
def pinv(matrix: FloatArray, room: Room) -> FloatArray:
    """Return the pseudo-inverse of a square matrix (n, n), in Fortran order."""
    n = matrix.shape[0]
    inverse = np.empty((n, n))
    inverse[:] = matrix.T
    n_at, jump = room.sizes.ctypes.data, room.sizes.itemsize
    work_at, info_at, count_at = n_at + jump, n_at + 2 * jump, n_at + 3 * jump
    a, s, u, vt = inverse.ctypes.data, room.s.ctypes.data, room.u.ctypes.data, room.vt.ctypes.data
    work, iwork = room.work.ctypes.data, room.iwork.ctypes.data
    job = room.letters.ctypes.data
    _dgesdd(job, n_at, n_at, a, n_at, s, u, n_at, vt, n_at, work, work_at, iwork, info_at)
    if room.sizes[2] != 0:
        raise ValueError("LAPACK found no singular values.")
    smallest, count = room.s[0] * 1e-15, 0
    for k in range(n):
        if room.s[k] > smallest:
            room.s[k] = 1.0 / room.s[k]
            count = k
    room.sizes[3] = count + 1
    for i in range(n):
        for k in range(count + 1):
            room.vt[i, k] *= room.s[k]
    flip, one = job + 1, room.factors.ctypes.data
    null = one + room.factors.itemsize
    _dgemm(flip, flip, n_at, n_at, count_at, one, vt, n_at, u, n_at, null, a, n_at)
    return inverse.T


@njit(nogil=True)
def opspace_matrices(arm: ArmState) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the inertia that the hand shows, and the nullspace of its motion.

    robosuite has numba's `pinv` ask LAPACK how much room it needs, and allocate it, three times in
    each physics step. Here the room is kept; the calls and their order are the same.

    Args:
        arm: Its mass and Jacobians.

    Returns:
        Inertia against forces (3, 3) and torques (3, 3), nullspace (7, 7); Fortran order.
    """
    inverse = np.linalg.inv(arm.mass)
    whole = pinv(np.dot(np.dot(arm.jacobian, inverse), arm.jacobian.T), arm.room_6)
    pos = pinv(np.dot(np.dot(arm.jacobian_pos, inverse), arm.jacobian_pos.T), arm.room_3)
    turn = pinv(np.dot(np.dot(arm.jacobian_turn, inverse), arm.jacobian_turn.T), arm.room_3)
    back = np.dot(np.dot(inverse, arm.jacobian.T), whole)
    return pos, turn, np.eye(7) - np.dot(back, arm.jacobian)


@njit(cache=True, nogil=True)
def update_arm(model: int, data: int, site: int, physics: Physics, arm: ArmState) -> None:
    """Read the arm's state from MuJoCo's."""
    nv = physics.qvel.shape[0]
    linear, angular, mass = np.empty((3, nv)), np.empty((3, nv)), np.empty((nv, nv))
    _mj_site_jacobian(model, data, linear.ctypes.data, angular.ctypes.data, site)
    _mj_full_mass(model, mass.ctypes.data, physics.qM.ctypes.data)
    arm.pos[:] = physics.site_xpos[site]
    arm.rotation[:] = physics.site_xmat[site].reshape(3, 3)
    arm.velocity[:] = np.dot(linear, physics.qvel)
    arm.turn_rate[:] = np.dot(angular, physics.qvel)
    arm.joint_pos[:] = physics.qpos[:7]
    arm.joint_vel[:] = physics.qvel[:7]
    arm.jacobian_pos[:] = linear[:, :7]
    arm.jacobian_turn[:] = angular[:, :7]
    arm.jacobian[:3] = linear[:, :7]
    arm.jacobian[3:] = angular[:, :7]
    arm.mass[:] = mass[:7, :7]


@njit(nogil=True)
def _solve(model: int, data: int) -> None:
    """Do what is left of a forward pass after `mj_step1`."""
    _mj_actuation(model, data)
    _mj_acceleration(model, data)
    _mj_constraint(model, data)


@njit(nogil=True)
def _torques(arm: ArmState, command: Command, gains: Gains, bias: FloatArray) -> FloatArray:
    turn_error = orientation_error(command.rotation, arm.rotation)
    force = (command.pos - arm.pos) * gains.kp[:3] + -arm.velocity * gains.kd[:3]
    torque = turn_error * gains.kp[3:] + -arm.turn_rate * gains.kd[3:]
    inertia_pos, inertia_turn, nullspace = opspace_matrices(arm)
    wrench = np.empty(6)
    wrench[:3] = np.dot(inertia_pos, force)
    wrench[3:] = np.dot(inertia_turn, torque)
    torques: FloatArray = np.dot(arm.jacobian.T, wrench) + bias
    torques += nullspace_torques(arm.mass, nullspace, gains.rest, arm.joint_pos, arm.joint_vel)
    return np.minimum(np.maximum(torques, gains.torque_low), gains.torque_high)


@njit(cache=True, nogil=True)
def aim(
    model: int,
    data: int,
    site: int,
    is_current: bool,
    physics: Physics,
    pos: FloatArray,
    rotation: FloatArray,
    command: Command,
    reach: FloatArray,
    speed: float,
    last: FloatArray,
    action: FloatArray,
) -> bool:
    """Take the first half of a control step's first physics step, and set its goal.

    Args:
        model: Address of the mjModel.
        data: Address of the mjData.
        site: Number of the grip site.
        is_current: Whether the arm's pose is to be kept.
        physics: Arrays of `data`.
        pos: The arm's, (3,).
        rotation: The arm's, (3, 3).
        command: Set, but for its rotation.
        reach: Rows: least and largest entry of an action, their middle, what a unit of it means,
            and what the middle means; (5, 6).
        speed: Change of the fingers' command in a physics step.
        last: Set to the configuration before.
        action: Shape (7,).

    Returns:
        Whether the action turns the hand: then the goal's rotation is still to be set.
    """
    last[:] = physics.qpos
    _mj_step1(model, data)
    if not is_current:
        pos[:] = physics.site_xpos[site]
        rotation[:] = physics.site_xmat[site].reshape(3, 3)
    low, high, middle, unit, zero = reach
    for i in range(6):
        delta = (min(max(action[i], low[i]), high[i]) - middle[i]) * unit[i] + zero[i]
        if i < 3:
            command.pos[i] = pos[i] + delta
        else:
            command.turn[i - 3] = delta
    command.squeeze[0] = -1.0 * speed * np.sign(action[6])
    return bool((command.turn != 0).any())


@njit(cache=True, nogil=True)
def control_step(
    model: int,
    data: int,
    site: int,
    is_current: bool,
    physics: Physics,
    arm: ArmState,
    command: Command,
    gains: Gains,
    seen: Seen,
) -> None:
    """Take 25 physics steps; the first half of the first one is done already, see `aim`.

    robosuite makes a full forward pass before its controller, another one inside it, and steps.
    The passes differ in nothing but the constraint solver, which moves on its warm start each
    time; so a pass is only another solve here, and the second one is left out where robosuite's
    controller still has its state, right after a reset.

    Args:
        model: Address of the mjModel.
        data: Address of the mjData.
        site: Number of the grip site.
        is_current: Whether `arm` needs no update in the first physics step.
        physics: Arrays of `data`.
        arm: State of the arm; updated.
        command: Goal; the fingers' command is updated.
        gains: Constants of the controller.
        seen: Filled at the moment when LIBERO samples.
    """
    for substep in range(1, SUBSTEPS + 1):
        if substep > 1:
            _mj_step1(model, data)
        _solve(model, data)
        if substep > 1 or not is_current:
            _mj_constraint(model, data)
            update_arm(model, data, site, physics, arm)
        physics.ctrl[:7] = _torques(arm, command, gains, physics.qfrc_bias[:7])
        command.fingers[0] = min(max(command.fingers[0] + command.squeeze[0], -1.0), 1.0)
        command.fingers[1] = min(max(command.fingers[1] - command.squeeze[0], -1.0), 1.0)
        physics.ctrl[7:9] = gains.finger_mid + gains.finger_half * command.fingers
        if substep == VIEW_SUBSTEP:
            seen.camera[:] = physics.qpos
        _mj_step2(model, data)
        if substep == VIEW_SUBSTEP:
            seen.qpos[:] = physics.qpos
            seen.qvel[:] = physics.qvel
            seen.xpos[:] = physics.xpos
            seen.xquat[:] = physics.xquat
            seen.site_xpos[:] = physics.site_xpos
