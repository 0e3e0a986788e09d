"""Moments of an episode, read off its Trace: grasp, carry, release, rest.

The same rules hold for a demonstration and for any policy. A moment is decided by the rows up to
it and the few rows that confirm it, so a prefix of a trace tells the same story, only shorter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from perm.core.arrays import BoolArray, FloatArray
from perm.core.errors import unknown_name
from perm.core.trace import Trace

CONFIRM_ROWS = 3
"""Rows (0.15 s) that confirm a change: so many with both fingers on an object make a hold, so many
in a row without end it. A finger that loses contact for one or two rows changes nothing."""
CARRIED = 0.02
"""How far [m] an object has to be moved in the hand for the hold to be a carry: a brush against a
neighbour or a grasp that slips at once is none."""
OPENED = 0.002
"""How much wider [m] than in the hold the fingers have to be to count as open. Small, since the
widest objects leave the fingers no more than 3 mm; a slip narrows the gap instead."""
MOVING = 0.02
"""Speed [m/s] above which something is moving, 1 mm a row."""
SHUT = 0.004
"""Distance [m] between fingers that have met; with nothing between them it is up to 3 mm."""
NEAR = 0.03
"""How near [m], horizontally, to where it ends a carry is in its final descent."""


@dataclass(frozen=True)
class Carry:
    """An object was held by both fingers and moved by more than `CARRIED`.

    Attributes:
        object: Name of the object.
        grasp: First row of the hold.
        moved: First row at which the object is more than `CARRIED` from where it was grasped.
        stop: First row after the hold's last contact.
        release: First row, from `stop` on, at which the fingers are open; None while the object
            is held, or where it was lost and the fingers have not opened since.
    """

    object: str
    grasp: int
    moved: int
    stop: int
    release: int | None


def carries(trace: Trace, objects: str | Sequence[str] | None = None) -> tuple[Carry, ...]:
    """Return all carries, in the order in which they became one (by `moved`).

    Args:
        trace: Any trace, of any length.
        objects: Look at this object or at these only; None for all.

    Raises:
        PermError: An object is not in the trace.
    """
    names = trace.object_names
    objects = [objects] if isinstance(objects, str) else objects
    for name in objects or ():
        if name not in names:
            raise unknown_name("object", name, names)
    both: BoolArray = trace.contact[:, :, 0] & trace.contact[:, :, 1]
    found = [
        carry
        for index in np.flatnonzero(both.any(axis=0))
        if objects is None or names[index] in objects
        for carry in _carries_of(trace, names[index], both[:, index])
    ]
    return tuple(sorted(found, key=lambda carry: (carry.moved, carry.grasp)))


def carries_of_one(trace: Trace, name: str | None = None) -> tuple[Carry, ...]:
    """Return the carries of one object: of the one that is named, else of the first one carried.

    Raises:
        PermError: The object is not in the trace.
    """
    found = carries(trace, name)
    return tuple(carry for carry in found if carry.object == found[0].object)


def moves_while_carrying(trace: Trace, objects: str | Sequence[str] | None = None) -> BoolArray:
    """Return the rows of lateral moves, shape (T+1,).

    True at row t if the end effector went sideways faster than `MOVING` from row t-1 to row t and
    an object was carried at both ends of that step.

    Args:
        trace: Any trace, of any length.
        objects: Only carries of this object or of these count; None for all.

    Raises:
        PermError: An object is not in the trace.
    """
    carried = np.zeros(len(trace.ee_pos), dtype=bool)
    for carry in carries(trace, objects):
        carried[carry.grasp : carry.stop] = True
    speed = np.linalg.norm(np.diff(trace.ee_pos[:, :2], axis=0), axis=1) / trace.dt
    moves = np.zeros_like(carried)
    moves[1:] = carried[1:] & carried[:-1] & (speed > MOVING)
    return moves


def sideways_row(trace: Trace, carry: Carry) -> int | None:
    """Return the first row of a carry at which its object is more than `CARRIED` to the side.

    That is, horizontally, from where it was grasped; None while it has only been lifted.
    """
    ground = trace.object_pos[carry.object][carry.grasp : carry.stop, :2]
    far = np.linalg.norm(ground - ground[0], axis=1) > CARRIED
    return carry.grasp + int(far.argmax()) if far.any() else None


def descent_row(trace: Trace, carry: Carry) -> int:
    """Return the first row of the final descent of a carry.

    From there to the end of the hold its object stayed within `NEAR`, horizontally, of where the
    hold ended.
    """
    ground = trace.object_pos[carry.object][carry.grasp : carry.stop, :2]
    far = np.flatnonzero(np.linalg.norm(ground - ground[-1], axis=1) > NEAR)
    return carry.grasp + (int(far[-1]) + 1 if len(far) else 0)


def gripped(trace: Trace, name: str) -> BoolArray:
    """Return the rows at which an object is between the fingers, shape (T+1,).

    Both fingers touch it, and they are neither shut nor as wide as they have been: open fingers or
    a fist that push an object touch it as well, but do not hold it.

    Args:
        trace: Any trace, of any length.
        name: An object of the trace.
    """
    fingers = trace.contact[:, trace.object_names.index(name)]
    touching: BoolArray = fingers[:, 0] & fingers[:, 1]
    held = np.zeros_like(touching)
    for start, stop in _holds(touching):
        held[start:stop] = True
    width = trace.gripper_width
    between: BoolArray = (width > SHUT) & (width < np.maximum.accumulate(width) - OPENED)
    return held & between


def completion_row(trace: Trace) -> int:
    """Return the first row at which the mission was complete, or the last row if it is not yet."""
    return int(trace.success.argmax()) if trace.success.any() else trace.n_steps


def rest_row(pos: FloatArray, dt: float, start: int) -> int:
    """Return the row at which something has come to rest, or the last row if it has not yet.

    Args:
        pos: Positions, shape (T+1, 3) [m].
        dt: Seconds between rows.
        start: Row from which to look.

    Returns:
        First row that ends `CONFIRM_ROWS` steps, all from `start` on, slower than `MOVING`.
    """
    slow = np.linalg.norm(np.diff(pos[start:], axis=0), axis=1) / dt < MOVING
    if len(slow) >= CONFIRM_ROWS:
        resting = np.flatnonzero(sliding_window_view(slow, CONFIRM_ROWS).all(axis=1))
        if len(resting):
            return start + int(resting[0]) + CONFIRM_ROWS
    return len(pos) - 1


def _carries_of(trace: Trace, name: str, touching: BoolArray) -> list[Carry]:
    pos, found = trace.object_pos[name], []
    no_more = (len(touching), len(touching))
    for (grasp, stop), (end, _) in pairwise([*_holds(touching), no_more]):
        far = np.linalg.norm(pos[grasp:stop] - pos[grasp], axis=1) > CARRIED
        if far.any():
            release = _release(trace.gripper_width, grasp, stop, end)
            found.append(Carry(name, grasp, grasp + int(far.argmax()), stop, release))
    return found


def _holds(touching: BoolArray) -> list[tuple[int, int]]:
    """Return first row and first row after of each hold, with the chatter taken out."""
    rows = np.flatnonzero(touching)
    gaps = np.flatnonzero(np.diff(rows) > CONFIRM_ROWS) + 1
    bounds = [0, *gaps.tolist(), len(rows)]
    return [
        (int(rows[first]), int(rows[last - 1]) + 1)
        for first, last in pairwise(bounds)
        if last - first >= CONFIRM_ROWS
    ]


def _release(width: FloatArray, grasp: int, stop: int, end: int) -> int | None:
    """Return the row at which the fingers opened between a hold and row `end`, or None."""
    if len(width) - stop < CONFIRM_ROWS:
        return None  # Not yet known whether the contact comes back.
    opened = np.flatnonzero(width[stop:end] > np.median(width[grasp:stop]) + OPENED)
    return stop + int(opened[0]) if len(opened) else None
