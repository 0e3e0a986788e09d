"""Motion measurements: how the end effector travelled, and when."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from perm.core.arrays import BoolArray, FloatArray
from perm.core.satisfaction import Measurement
from perm.core.trace import Trace
from perm.metrics.moments import Carry, carries, moves_while_carrying


def highest_row(ee_pos: FloatArray, among: BoolArray) -> int | None:
    """Return the first row at which the end effector is highest.

    Args:
        ee_pos: End-effector positions in the world frame, shape (T+1, 3) [m].
        among: Rows that count, shape (T+1,).

    Returns:
        The row, or None where none counts.
    """
    if not among.any():
        return None
    return int(np.where(among, ee_pos[:, 2], -np.inf).argmax())


def carry_height(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how high things were carried (preferences 1-5 and 1-7).

    Largest height [m] of the end effector above the work surface over the rows at which it moved
    sideways with an object in the hand. None while nothing has been carried sideways.

    Args:
        trace: Any trace.
        params: Optional `object`: a name or a list of names, the only objects that count.
    """
    row = highest_row(trace.ee_pos, moves_while_carrying(trace, _objects(params)))
    if row is None:
        return (Measurement("carry", None, "m", reason="nothing was carried sideways"),)
    return (Measurement("carry", float(trace.ee_pos[row, 2] - trace.support_z), "m", row),)


def event_rows(found: Sequence[Carry]) -> list[tuple[int, str, str]]:
    """Return (row, event, object) of each grasp and release, in order of time.

    Objects are numbered in the order in which they were picked up. "grasp 1" is the first grasp of
    the first object and "release 1" its last release, so that who drops it and picks it up again
    is not done before he has put it down. There is no "release 1" while the object is in the hand,
    or where it was lost at last with the fingers closed.
    """
    events = []
    for number, name in enumerate(dict.fromkeys(carry.object for carry in found), 1):
        mine = [carry for carry in found if carry.object == name]
        events.append((mine[0].grasp, f"grasp {number}", name))
        if mine[-1].release is not None:
            events.append((mine[-1].release, f"release {number}", name))
    return sorted(events)


def event_steps(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how soon things were picked up and let go (preferences 1-1 and 1-2).

    Number of steps taken before each grasp and each release of a carried object, as events
    "grasp 1", "release 1", "grasp 2", ... in order of time; see `event_rows`. A single None while
    nothing has been carried.

    Args:
        trace: Any trace.
        params: Optional `object`: a name or a list of names, the only objects that count.
    """
    events = event_rows(carries(trace, _objects(params)))
    if not events:
        return (Measurement("grasp 1", None, "steps", reason="nothing was picked up"),)
    return tuple(Measurement(event, float(row), "steps", row, name) for row, event, name in events)


def _objects(params: Mapping[str, Any]) -> Sequence[str] | None:
    """Return the objects that count, None for all."""
    only: str | Sequence[str] | None = params.get("object")
    return [only] if isinstance(only, str) else only
