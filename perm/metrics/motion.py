"""Motion measurements of the whole episode: how fast and how smoothly things were done."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from perm.core.satisfaction import Measurement
from perm.core.trace import Trace
from perm.metrics.moments import Carry, carries

PEAK = 0.95
"""Quantile of the accelerations that counts as their peak: one in twenty may be larger."""
FEWEST = 20
"""Accelerations below which there is no such quantile."""


def peak_acceleration(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure how suddenly the end effector accelerated (preference 1-3).

    95 % quantile [m/s^2] of the norm of its acceleration, the second difference of its position,
    over the episode so far. None in the first second, for lack of rows.

    Args:
        trace: Any trace.
        params: None.
    """
    second = np.diff(trace.ee_pos, n=2, axis=0) / trace.dt**2
    if len(second) < FEWEST:
        reason = f"there are only {len(second)} accelerations, {FEWEST} are needed"
        return (Measurement("episode", None, "m/s^2", reason=reason),)
    peak = float(np.quantile(np.linalg.norm(second, axis=1), PEAK))
    return (Measurement("episode", peak, "m/s^2", trace.n_steps),)


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
    events = event_rows(carries(trace, params.get("object")))
    if not events:
        return (Measurement("grasp 1", None, "steps", reason="nothing was picked up"),)
    return tuple(Measurement(event, float(row), "steps", row, name) for row, event, name in events)
