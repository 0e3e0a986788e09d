"""Skill measurements of the release: how an object was put down.

All look at the last release of the object, so that who picks it up once more is not done before he
has put it down again. None while it has not been released since it was last picked up.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.geometry import quat_to_matrix
from perm.core.satisfaction import Measurement
from perm.core.trace import Trace
from perm.metrics.moments import Carry, carries_of_one, descent_row, rest_row
from perm.metrics.places import centre_path

THROWN = 0.05
"""Speed [m/s] in the hand above which something is released in motion. A hand that puts something
down still creeps at a few cm/s."""


def turn_about_vertical(first: FloatArray, second: FloatArray) -> float:
    """Return by how much the yaw differs between two orientations [rad], 0 to pi.

    Args:
        first: wxyz, shape (4,).
        second: wxyz, shape (4,).
    """
    turn = quat_to_matrix(second) @ quat_to_matrix(first).T
    return abs(math.atan2(turn[1, 0] - turn[0, 1], turn[0, 0] + turn[1, 1]))


def tilt_since(first: FloatArray, second: FloatArray) -> float:
    """Return how far from the vertical the axis is that was vertical before [rad], 0 to pi.

    Args:
        first: Orientation in which the axis was vertical, wxyz, shape (4,).
        second: Orientation now, wxyz, shape (4,).
    """
    axis = (quat_to_matrix(second) @ quat_to_matrix(first).T)[:, 2]
    return math.atan2(math.hypot(axis[0], axis[1]), axis[2])


def throw_fall(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure whether an object was thrown (preference 2-10).

    How far [m] its origin falls from the row at which the fingers opened until it rests, or so
    far; 0 where it did not move in the hand before: a low drop is no throw.

    Args:
        trace: Any trace.
        params: Optional `object`, else the first object carried.

    Raises:
        PermError: There is no such object.
    """
    found = carries_of_one(trace, params.get("object"))
    last = _last_release(found)
    if last is None:
        return (_not_released("release", "m", found, params),)
    carry, release = last
    pos = trace.object_pos[carry.object]
    # Not at the release itself, where it may fall already.
    speed = float(np.linalg.norm(pos[carry.stop - 1] - pos[carry.stop - 2])) / trace.dt
    if speed <= THROWN:
        reason = f"{carry.object} was released at rest"
        return (Measurement("release", 0.0, "m", release, reason),)
    row = rest_row(pos, trace.dt, release)
    reason = f"{carry.object} was released at {speed:.2f} m/s"
    return (Measurement("release", float(pos[release, 2] - pos[row, 2]), "m", row, reason),)


def place_turn(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how far an object was turned in its final descent (preference 2-12).

    Difference [rad] of its yaw between the first row of the final descent, see
    `perm.metrics.moments.descent_row`, and the last row in the hand. A turn on the way there does
    not count.

    Args:
        trace: Any trace.
        params: Optional `object`, else the first object carried.

    Raises:
        PermError: There is no such object.
    """
    found = carries_of_one(trace, params.get("object"))
    last = _last_release(found)
    if last is None:
        return (_not_released("release", "rad", found, params),)
    carry, release = last
    quat = trace.object_quat[carry.object]
    turn = turn_about_vertical(quat[descent_row(trace, carry)], quat[carry.stop - 1])
    return (Measurement("release", turn, "rad", release, f"release of {carry.object}"),)


def lay_tilt(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure whether an object was laid down (preference 2-14).

    Angle [rad] between the vertical and the body axis that was vertical when the object was first
    grasped, once it has come to rest after its release, or at the end of the trace if it has not
    yet.

    Args:
        trace: Any trace.
        params: Optional `object`, else the first object carried.

    Raises:
        PermError: There is no such object.
    """
    found = carries_of_one(trace, params.get("object"))
    last = _last_release(found)
    if last is None:
        return (_not_released("rest", "rad", found, params),)
    carry, release = last
    # The centre, since the origin of a bottle is at its foot and rests while the bottle falls over.
    row = rest_row(centre_path(trace, carry.object), trace.dt, release)
    quat = trace.object_quat[carry.object]
    tilt = tilt_since(quat[found[0].grasp], quat[row])
    return (Measurement("rest", tilt, "rad", row, f"release of {carry.object}"),)


def _last_release(found: Sequence[Carry]) -> tuple[Carry, int] | None:
    if not found or found[-1].release is None:
        return None
    return found[-1], found[-1].release


def _not_released(
    event: str, unit: str, found: Sequence[Carry], params: Mapping[str, Any]
) -> Measurement:
    if found:
        return Measurement(event, None, unit, reason=f"{found[-1].object} was not released")
    name = params.get("object")
    reason = f"{name} was not picked up" if name else "nothing was picked up"
    return Measurement(event, None, unit, reason=reason)
