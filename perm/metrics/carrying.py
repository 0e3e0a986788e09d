"""Motion measurements of the carry: where the hand went, and how, with an object in it.

All that has been carried so far counts, also what was dropped and picked up again.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from perm.core.arrays import BoolArray, FloatArray
from perm.core.satisfaction import Measurement
from perm.core.trace import Trace
from perm.metrics.moments import (
    CARRIED,
    Carry,
    carries,
    descent_row,
    moves_while_carrying,
    sideways_row,
)
from perm.metrics.places import target_path

NOT_CARRIED = "nothing was carried sideways"


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


def turn_angles(quat: FloatArray) -> FloatArray:
    """Return the angle [rad] of each rotation from one row to the next.

    Args:
        quat: Unit quaternions, of either sign, shape (T+1, 4).

    Returns:
        Shape (T,). Exact for small angles too, where the arc cosine of the product is not.
    """
    chord = np.minimum(
        np.linalg.norm(quat[1:] - quat[:-1], axis=1), np.linalg.norm(quat[1:] + quat[:-1], axis=1)
    )
    angles: FloatArray = 4 * np.arcsin(np.minimum(chord / 2, 1.0))
    return angles


def carry_height(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how high things were carried (preferences 1-5 and 1-7).

    Largest height [m] of the end effector above the work surface over the rows at which it moved
    sideways with an object in the hand. None while nothing has been carried sideways.

    Args:
        trace: Any trace.
        params: Optional `object`: a name or a list of names, the only objects that count.
    """
    row = highest_row(trace.ee_pos, moves_while_carrying(trace, params.get("object")))
    if row is None:
        return (Measurement("carry", None, "m", reason=NOT_CARRIED),)
    return (Measurement("carry", float(trace.ee_pos[row, 2] - trace.support_z), "m", row),)


def target_distance(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how near things were carried to something (preference 1-4).

    Smallest distance [m] from the end effector or the held object's origin to the target's origin,
    from where the object is 2 cm to the side of where it was grasped to its final descent, see
    `perm.metrics.moments.descent_row`: where it stands and where it has to go is the task's
    business, not the manner's. None while nothing has been carried so far. A target that is carried
    itself does not count.

    Args:
        trace: Any trace.
        params: `target`: an object or a region; optional `object`: a name or a list of names, the
            only objects that count.

    Raises:
        PermError: There is no such target or object.
    """
    target = target_path(trace, params["target"])
    distance = np.full(len(target), np.inf)
    for carry, row in _sideways(trace, params):
        if carry.object != params["target"]:
            rows = slice(row, descent_row(trace, carry))
            for pos in (trace.ee_pos, trace.object_pos[carry.object]):
                gap = np.linalg.norm(pos[rows] - target[rows], axis=1)
                distance[rows] = np.minimum(distance[rows], gap)
    nearest = int(distance.argmin())
    if distance[nearest] == np.inf:
        return (Measurement("carry", None, "m", reason=NOT_CARRIED),)
    return (Measurement("carry", float(distance[nearest]), "m", nearest),)


def detour(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how far from straight things were carried (preference 1-6).

    Path length of the end effector from grasp to release over the chord, less 1: 0 on a straight
    line. Of several carries both lengths are summed. None while nothing is 2 cm to the side of
    where it was grasped, or where all was put back to where it came from.

    Args:
        trace: Any trace.
        params: Optional `object`: a name or a list of names, the only objects that count.
    """
    found = _sideways(trace, params)
    if not found:
        return (Measurement("carry", None, "ratio", reason=NOT_CARRIED),)
    paths = [trace.ee_pos[carry.grasp : carry.stop] for carry, _ in found]
    length = sum(float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()) for path in paths)
    chord = sum(float(np.linalg.norm(path[-1] - path[0])) for path in paths)
    last = max(carry.stop for carry, _ in found) - 1
    if chord < CARRIED:
        reason = "what was carried is back where it was picked up"
        return (Measurement("carry", None, "ratio", last, reason),)
    return (Measurement("carry", length / chord - 1, "ratio", last),)


def carry_rotation(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how much the hand turned on the way (preference 1-8).

    Rotation angle [rad] of the end effector, summed over the steps at which it moved sideways with
    an object in the hand: a turn there and back counts twice, one on the spot does not count. None
    while nothing has been carried sideways.

    Args:
        trace: Any trace.
        params: Optional `object`: a name or a list of names, the only objects that count.
    """
    moves = moves_while_carrying(trace, params.get("object"))
    if not moves.any():
        return (Measurement("carry", None, "rad", reason=NOT_CARRIED),)
    angle = float(turn_angles(trace.ee_quat)[moves[1:]].sum())
    return (Measurement("carry", angle, "rad", int(np.flatnonzero(moves)[-1])),)


def _sideways(trace: Trace, params: Mapping[str, Any]) -> list[tuple[Carry, int]]:
    """Return the carries that count and went sideways, each with the row from which on it has."""
    rows = [(carry, sideways_row(trace, carry)) for carry in carries(trace, params.get("object"))]
    return [(carry, row) for carry, row in rows if row is not None]
