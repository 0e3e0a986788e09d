"""Profile measurements: which of several possible choices was made.

All give 1 for a preferred choice, 0 for another one, in the unit "match".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import unknown_name
from perm.core.geometry import quat_to_matrix
from perm.core.satisfaction import Measurement
from perm.core.trace import Trace
from perm.metrics.moments import carries, rest_row
from perm.metrics.places import object_centre, region_poses

UNIT = "match"


@dataclass(frozen=True)
class Box:
    """The place that a target takes up.

    Attributes:
        centre: In the world frame, shape (3,) [m].
        rotation: From the box's axes to the world's, shape (3, 3).
        half_extents: Along the box's axes, shape (3,) [m].
    """

    centre: FloatArray
    rotation: FloatArray
    half_extents: FloatArray


def is_within_footprint(point: FloatArray, box: Box) -> bool:
    """Return whether a point of shape (3,) [m] is above, in or below a box.

    The axis that is nearest to the vertical does not matter: body axes need not be z up.
    """
    local = np.abs((point - box.centre) @ box.rotation)
    level = np.arange(3) != np.abs(box.rotation[2]).argmax()
    return bool((local <= box.half_extents)[level].all())


def nearest_target(point: FloatArray, boxes: Mapping[str, Box]) -> str | None:
    """Return the name of the box nearest to a point, among those with the point in the footprint.

    Args:
        point: World frame, shape (3,) [m].
        boxes: The targets by name.

    Returns:
        The name, or None where the point is outside all footprints.
    """
    inside = [name for name, box in boxes.items() if is_within_footprint(point, box)]
    return min(inside, key=lambda n: float(np.linalg.norm(boxes[n].centre - point)), default=None)


def object_choice(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure which candidate was committed to first (preferences 3-x with a choice of object).

    Committed to means picked up and moved, see `perm.metrics.moments.Carry`; decided at the row at
    which it has moved. None while no candidate has been.

    Args:
        trace: Any trace.
        params: `candidates` and, among them, `preferred`: names of objects.

    Raises:
        PermError: A candidate is not in the trace, a preferred one not among the candidates.
    """
    _check_preferred(params)
    found = carries(trace, params["candidates"])
    if not found:
        reason = f"none of {', '.join(params['candidates'])} was picked up"
        return (Measurement("choice", None, UNIT, reason=reason),)
    return (_choice(found[0].object, found[0].moved, f"picked {found[0].object}", params),)


def target_choice(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure on which candidate an object was released (preferences 3-x with a choice of target).

    Where the object's centre is once it has come to rest after its last release, or at the end of
    the trace if it has not yet: on the nearest candidate whose footprint it is in. None if it has
    not been released since it was last picked up, or was released on no candidate.

    Args:
        trace: Any trace.
        params: `object`: what is put down; `candidates` and, among them, `preferred`: names of
            objects or regions to put it on or in.

    Raises:
        PermError: A name is not in the trace, a preferred one not among the candidates.
    """
    _check_preferred(params)
    name = params["object"]
    found = carries(trace, [name])
    release = found[-1].release if found else None
    if release is None:
        reason = f"{name} was not {'released' if found else 'picked up'}"
        return (Measurement("choice", None, UNIT, reason=reason),)
    row = rest_row(trace.object_pos[name], trace.dt, release)
    boxes = {target: _box(trace, target, row) for target in params["candidates"]}
    target = nearest_target(object_centre(trace, name, row), boxes)
    if target is None:
        reason = f"{name} was released on none of {', '.join(boxes)}"
        return (Measurement("choice", None, UNIT, row, reason),)
    return (_choice(target, row, f"released on {target}", params),)


def portions(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure whether so many portions were delivered (preference 3-8): 1 for yes, 0 for fewer.

    Delivered is what was picked up, released, and lies on the target once it has come to rest, or
    at the end of the trace if it has not yet. None while nothing has been.

    Args:
        trace: Any trace.
        params: `candidates`: names of the objects that count; `targets`: objects or regions that
            they are put on or in, any of them; `wanted`: how many, 2 if it is not given.

    Raises:
        PermError: A name is not in the trace.
    """
    targets, wanted = params["targets"], int(params.get("wanted", 2))
    rows = []
    for name in params["candidates"]:
        found = carries(trace, [name])
        release = found[-1].release if found else None
        if release is None:
            continue
        row = rest_row(trace.object_pos[name], trace.dt, release)
        boxes = {target: _box(trace, target, row) for target in targets}
        if nearest_target(object_centre(trace, name, row), boxes) is not None:
            rows.append(row)
    there = " or ".join(targets)
    if not rows:
        return (Measurement("choice", None, UNIT, reason=f"nothing was delivered to {there}"),)
    reason = f"{len(rows)} delivered to {there}"
    return (Measurement("choice", float(len(rows) >= wanted), UNIT, max(rows), reason),)


def _check_preferred(params: Mapping[str, Any]) -> None:
    for name in params["preferred"]:
        if name not in params["candidates"]:
            raise unknown_name("candidate", name, params["candidates"])


def _choice(name: str, row: int, reason: str, params: Mapping[str, Any]) -> Measurement:
    return Measurement("choice", float(name in params["preferred"]), UNIT, row, reason)


def _box(trace: Trace, target: str, row: int) -> Box:
    """Return where an object or a region is at a row; see `region_poses`."""
    if target in trace.objects:
        rotation = quat_to_matrix(trace.object_quat[target][row])
        half_extents = trace.objects[target].half_extents
        return Box(object_centre(trace, target, row), rotation, half_extents)
    centres, rotations = region_poses(trace, target)
    return Box(centres[row], rotations[row], trace.regions[target].size)
