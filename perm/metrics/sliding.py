"""Skill measurements of objects that are moved without being lifted."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import unknown_name
from perm.core.satisfaction import Measurement
from perm.core.trace import Trace
from perm.metrics.moments import CARRIED, completion_row, gripped

LIFTED = 0.005
"""How much higher [m] than at the start an object counts as lifted. Pushing and dragging tilt it,
which raises its origin by 1 to 2 mm; picking it up raises it by centimetres."""


def pushed_share(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure whether an object was pushed (preference 2-8).

    Share of its way, sideways and until the mission was first complete, or so far, that it went
    neither lifted nor in the grip of the fingers; before that, as event "rise" [m], how much
    higher than at the start it ever was until then. Both None until it has gone 2 cm.

    Args:
        trace: Any trace.
        params: Optional `object`, else the first one that has gone 2 cm.

    Raises:
        PermError: There is no such object.
    """
    return _slid(trace, params, is_in_grip=False)


def dragged_share(trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Measure whether an object was dragged (preference 2-9).

    As `pushed_share`, but of the way that it went in the grip of the fingers, not lifted.

    Args:
        trace: Any trace.
        params: Optional `object`, else the first one that has gone 2 cm.

    Raises:
        PermError: There is no such object.
    """
    return _slid(trace, params, is_in_grip=True)


def _slid(trace: Trace, params: Mapping[str, Any], *, is_in_grip: bool) -> tuple[Measurement, ...]:
    trace = trace.until(completion_row(trace))
    name = _first_moved(trace, params.get("object"))
    if name is None:
        reason = f"{params['object']} was not moved" if "object" in params else "nothing was moved"
        return (
            Measurement("rise", None, "m", reason=reason),
            Measurement("travel", None, "ratio", reason=reason),
        )
    steps, rise = _steps(trace, name), trace.object_pos[name][:, 2] - trace.object_pos[name][0, 2]
    grip, highest = gripped(trace, name), int(rise.argmax())
    counts = (rise[1:] < LIFTED) & ((grip[1:] & grip[:-1]) == is_in_grip)
    share = float(np.average(counts, weights=steps))
    return (
        Measurement("rise", float(rise[highest]), "m", highest, name),
        Measurement("travel", share, "ratio", trace.n_steps, name),
    )


def _first_moved(trace: Trace, only: str | None) -> str | None:
    """Return the object, of all or of one, that was first to have gone `CARRIED` sideways."""
    if only is not None and only not in trace.objects:
        raise unknown_name("object", only, trace.objects)
    names = trace.objects if only is None else (only,)
    gone = {name: np.cumsum(_steps(trace, name)) > CARRIED for name in names}
    return min(
        (name for name in names if gone[name].any()),
        key=lambda name: int(gone[name].argmax()),
        default=None,
    )


def _steps(trace: Trace, name: str) -> FloatArray:
    """Return how far an object went sideways in each step, shape (T,) [m]."""
    steps: FloatArray = np.linalg.norm(np.diff(trace.object_pos[name][:, :2], axis=0), axis=1)
    return steps
