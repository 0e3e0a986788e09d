"""The measurements by name: which raw quantities a preference can be judged by."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from perm.core.errors import unknown_name
from perm.core.satisfaction import Measurement
from perm.core.task import MetricSpec
from perm.core.trace import Trace
from perm.metrics.carrying import carry_height, carry_rotation, detour, target_distance
from perm.metrics.grasping import approach_angle, edge_pick, handle_pick
from perm.metrics.keys import check_keys
from perm.metrics.motion import event_steps, peak_acceleration
from perm.metrics.profile import object_choice, portions, target_choice
from perm.metrics.releasing import lay_tilt, place_turn, throw_fall
from perm.metrics.sliding import dragged_share, pushed_share


@dataclass(frozen=True)
class Measure:
    """A measurement with the parameters that it takes; call it with a trace and its parameters.

    It holds on any trace, also on a prefix: what cannot be measured is None with a reason. There
    is at least one Measurement, and several are in order of time.

    Attributes:
        function: From trace and parameters to measurements.
        required: Parameters that must be given.
        optional: Parameters that may be given.
        lists: Those that may hold a list of names; the others hold one value.
    """

    function: Callable[[Trace, Mapping[str, Any]], tuple[Measurement, ...]]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()

    def __call__(self, trace: Trace, params: Mapping[str, Any]) -> tuple[Measurement, ...]:
        """Return what was measured.

        Raises:
            PermError: A parameter is unknown, missing or names nothing in the trace.
        """
        check_keys("the metric", params, self.required, self.optional)
        return tuple(_finite(measured) for measured in self.function(trace, params))


_CHOICE = ("preferred", "candidates")
_OBJECT = ("object",)

MEASUREMENTS: Mapping[str, Measure] = MappingProxyType(
    {
        "event_steps": Measure(event_steps, optional=_OBJECT, lists=_OBJECT),
        "peak_acceleration": Measure(peak_acceleration),
        "target_distance": Measure(target_distance, ("target",), optional=_OBJECT, lists=_OBJECT),
        "carry_height": Measure(carry_height, optional=_OBJECT, lists=_OBJECT),
        "detour": Measure(detour, optional=_OBJECT, lists=_OBJECT),
        "carry_rotation": Measure(carry_rotation, optional=_OBJECT, lists=_OBJECT),
        "edge_pick": Measure(edge_pick, ("side",), optional=_OBJECT),
        "handle_pick": Measure(handle_pick, optional=_OBJECT),
        "approach_angle": Measure(approach_angle, optional=("from", "object")),
        "pushed_share": Measure(pushed_share, optional=_OBJECT),
        "dragged_share": Measure(dragged_share, optional=_OBJECT),
        "throw_fall": Measure(throw_fall, optional=_OBJECT),
        "place_turn": Measure(place_turn, optional=_OBJECT),
        "lay_tilt": Measure(lay_tilt, optional=_OBJECT),
        "object_choice": Measure(object_choice, required=_CHOICE, lists=_CHOICE),
        "target_choice": Measure(target_choice, required=("object", *_CHOICE), lists=_CHOICE),
        "portions": Measure(
            portions,
            required=("candidates", "targets"),
            optional=("wanted",),
            lists=("candidates", "targets"),
        ),
    }
)


def measure(metric: MetricSpec, trace: Trace) -> tuple[Measurement, ...]:
    """Return what a metric measures in a trace; see `Measure`.

    Raises:
        PermError: There is no such measurement, or its parameters are wrong.
    """
    check_metric(metric)
    return MEASUREMENTS[metric.name](trace, metric.params)


def check_metric(metric: MetricSpec) -> None:
    """Refuse a metric whose name or parameters are not known, before there is any trace.

    Raises:
        PermError: With the nearest known names.
    """
    if metric.name not in MEASUREMENTS:
        raise unknown_name("measurement", metric.name, MEASUREMENTS)
    known = MEASUREMENTS[metric.name]
    check_keys(f"metric {metric.name}", metric.params, known.required, known.optional)


def _finite(measured: Measurement) -> Measurement:
    """Return the measurement, without a raw value that is no number (a simulation gone wrong)."""
    if measured.raw is None or math.isfinite(measured.raw):
        return measured
    return replace(measured, raw=None, reason=f"not a finite number: {measured.raw}")
