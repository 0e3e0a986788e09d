"""Skill measurements: where and how an object was taken and put down."""

from collections.abc import Mapping
from typing import Any

from perm.core.arrays import FloatArray
from perm.core.conventions import SIDES
from perm.core.errors import unknown_name
from perm.core.geometry import quat_to_matrix
from perm.core.satisfaction import Measurement
from perm.core.trace import Trace
from perm.metrics.moments import carries


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
    if side not in SIDES:
        raise unknown_name("side", side, SIDES)
    return float((ee_pos - centre) @ SIDES[side])


def object_centre(trace: Trace, name: str, row: int) -> FloatArray:
    """Return the middle of an object's bounding box in the world frame, shape (3,) [m]."""
    rotation = quat_to_matrix(trace.object_quat[name][row])
    centre: FloatArray = trace.object_pos[name][row] + rotation @ trace.objects[name].centre
    return centre


def edge_pick(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure at which edge an object was picked (preferences 2-1, 2-2 and 2-13).

    Signed offset [m] of the end effector from the object's centre along the asked side, at the
    first row of the first hold that carried the object. None while it has not been carried: a
    grasp that slipped does not count.

    Args:
        trace: Any trace.
        params: `side` as in `side_offset`; optional `object`, else the first object carried.

    Raises:
        PermError: There is no such side or object.
    """
    side, name = params["side"], params.get("object")
    if side not in SIDES:
        raise unknown_name("side", side, SIDES)
    found = carries(trace, None if name is None else [name])
    if not found:
        reason = f"{name or 'nothing'} was {'not ' if name else ''}picked up"
        return (Measurement("grasp", None, "m", reason=reason),)
    first = found[0]
    centre = object_centre(trace, first.object, first.grasp)
    offset = side_offset(trace.ee_pos[first.grasp], centre, side)
    return (Measurement("grasp", offset, "m", first.grasp, f"grasp of {first.object}"),)
