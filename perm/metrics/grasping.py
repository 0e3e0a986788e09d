"""Skill measurements of the grasp: where an object was taken, and from which side.

All are taken at the first row of the first hold that carried the object, and stay. None while it
has not been carried: a grasp that slipped does not count.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import SIDES
from perm.core.errors import unknown_name
from perm.core.geometry import quat_to_matrix
from perm.core.satisfaction import Measurement
from perm.core.trace import Trace
from perm.metrics.moments import Carry, carries_of_one
from perm.metrics.places import object_centre

ANY = "any"
"""In place of a side: whichever side the hand comes from."""
ASIDE = 0.005
"""How far [m] to the side of the centre a handle has to be for its direction to mean anything."""


def side_offset(ee_pos: FloatArray, centre: FloatArray, side: str) -> float:
    """Return how far the end effector is to one side of an object's centre [m].

    Args:
        ee_pos: End-effector position in the world frame, shape (3,) [m].
        centre: The object's centre in the world frame, shape (3,) [m].
        side: "left", "right", "front" or "back", as LIBERO says.

    Returns:
        Offset along the side's direction, negative on the opposite side.

    Raises:
        PermError: The side has no such name.
    """
    return float((ee_pos - centre) @ _direction(side))


def approach_tilt(ee_quat: FloatArray, side: str = ANY) -> float:
    """Return how far from the vertical a hand comes [rad].

    The angle between the approach axis and straight down, 0 to pi; with a side, its share towards
    that side: the angle times the cosine between the side and the direction that the hand comes
    from. So it is the angle where the hand comes from that side, 0 where it comes from the one
    next to it, negative from the opposite one.

    Args:
        ee_quat: Orientation of the end effector, its z axis is the approach, wxyz, shape (4,).
        side: "left", "right", "front", "back" or "any".

    Raises:
        PermError: The side has no such name.
    """
    back = -quat_to_matrix(ee_quat)[:, 2]
    sine = math.hypot(back[0], back[1])
    tilt = math.atan2(sine, back[2])
    if side == ANY:
        return tilt
    direction = _direction(side, ANY)
    return tilt * float(back @ direction) / sine if sine else 0.0


def edge_pick(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure at which edge an object was picked (preferences 2-1, 2-2 and 2-13).

    Signed offset [m] of the end effector from the object's centre along the asked side.

    Args:
        trace: Any trace.
        params: `side` as in `side_offset`; optional `object`, else the first object carried.

    Raises:
        PermError: There is no such side or object.
    """
    _direction(params["side"])
    first = _first_carry(trace, params)
    if first is None:
        return (_not_picked_up("m", params),)
    centre = object_centre(trace, first.object, first.grasp)
    offset = side_offset(trace.ee_pos[first.grasp], centre, params["side"])
    return (_grasp(first, offset, "m"),)


def handle_pick(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how far towards its handle an object was picked (preference 2-3).

    Offset [m] of the end effector from the object's centre along the horizontal direction from
    there to the handle. None too where the object has no handle, or has it above or below.

    Args:
        trace: Any trace.
        params: Optional `object`, else the first object carried.

    Raises:
        PermError: There is no such object.
    """
    first = _first_carry(trace, params)
    if first is None:
        return (_not_picked_up("m", params),)
    facts, row = trace.objects[first.object], first.grasp
    if facts.handle is None:
        return (_grasp(first, None, "m", f"{first.object} has no handle"),)
    rotation = quat_to_matrix(trace.object_quat[first.object][row])
    to_handle = (rotation @ (facts.handle - facts.centre))[:2]
    length = float(np.linalg.norm(to_handle))
    if length < ASIDE:
        return (_grasp(first, None, "m", f"the handle of {first.object} points to no side"),)
    offset = trace.ee_pos[row] - object_centre(trace, first.object, row)
    return (_grasp(first, float(offset[:2] @ to_handle) / length, "m"),)


def approach_angle(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how tilted the hand came (preferences 2-4 to 2-7 and 2-11).

    The angle [rad] of `approach_tilt`.

    Args:
        trace: Any trace.
        params: Optional `from`: a side, or "any", which is the default; optional `object`, else
            the first object carried.

    Raises:
        PermError: There is no such side or object.
    """
    side = params.get("from", ANY)
    if side != ANY:
        _direction(side, ANY)
    first = _first_carry(trace, params)
    if first is None:
        return (_not_picked_up("rad", params),)
    return (_grasp(first, approach_tilt(trace.ee_quat[first.grasp], side), "rad"),)


def _direction(side: str, *others: str) -> FloatArray:
    if side not in SIDES:
        raise unknown_name("side", side, [*SIDES, *others])
    return SIDES[side]


def _first_carry(trace: Trace, params: Mapping[str, Any]) -> Carry | None:
    return next(iter(carries_of_one(trace, params.get("object"))), None)


def _grasp(carry: Carry, raw: float | None, unit: str, reason: str = "") -> Measurement:
    return Measurement("grasp", raw, unit, carry.grasp, reason or f"grasp of {carry.object}")


def _not_picked_up(unit: str, params: Mapping[str, Any]) -> Measurement:
    name = params.get("object")
    reason = f"{name} was not picked up" if name else "nothing was picked up"
    return Measurement("grasp", None, unit, reason=reason)
