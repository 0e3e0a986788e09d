"""Traces changed by a known amount: a metric has to follow, or it does not measure what it says."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from perm.core.errors import PermError
from perm.core.task import MetricSpec
from perm.core.trace import Trace
from perm.metrics.altering import (
    aside,
    bent,
    dropped,
    faster,
    higher,
    lifted,
    nearer,
    placed_turned,
    slower,
    tilted,
    to_handle,
    uprighted,
    waved,
)
from perm.metrics.measurements import measure


@dataclass(frozen=True)
class Mutation:
    """A change of a trace whose effect on the raw quantity is known beforehand.

    Attributes:
        change: From trace, parameters of the metric and an amount to the changed trace.
        amounts: From nothing at all on.
        grows: Whether the raw quantity has to grow with the amount; else it has to fall.
        words: What was changed, with the unit of the amount.
    """

    change: Callable[[Trace, Mapping[str, Any], float], Trace]
    amounts: tuple[float, ...]
    grows: bool
    words: str


def mutated(metric: MetricSpec, trace: Trace) -> list[float]:
    """Return the raw quantity of the deciding event, for the amounts of the metric's mutation.

    Raises:
        PermError: There is no mutation of this measurement, or a changed trace measures nothing.
    """
    if metric.name not in MUTATIONS:
        raise PermError(f"There is no mutation for {metric.name}.")
    mutation = MUTATIONS[metric.name]
    raws = []
    for amount in mutation.amounts:
        changed = mutation.change(trace, metric.params, amount) if amount else trace
        raw = measure(metric, changed)[-1].raw
        if raw is None:
            raise PermError(f"{metric.name}: {mutation.words} {amount} leaves nothing to measure.")
        raws.append(raw)
    return raws


def follows(metric: MetricSpec, raws: Sequence[float]) -> bool:
    """Return whether raw quantities grow, or fall, with every amount of the metric's mutation."""
    steps = np.diff(raws)
    return bool((steps > 0).all() if MUTATIONS[metric.name].grows else (steps < 0).all())


def swapped(trace: Trace, first: str, second: str) -> Trace:
    """Return a trace in which two objects, or two regions, have changed places from the start."""
    names = {first: second, second: first}

    def swap(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: values[names.get(name, name)] for name in values}

    if first in trace.regions:
        return replace(trace, regions=swap(trace.regions))
    order = [trace.object_names.index(names.get(name, name)) for name in trace.object_names]
    return replace(
        trace,
        object_pos=swap(trace.object_pos),
        object_quat=swap(trace.object_quat),
        objects=swap(trace.objects),
        contact=trace.contact[:, order],
    )


DEGREES = (0.0, math.radians(5), math.radians(10), math.radians(15))
CENTIMETRES = (0.0, 0.01, 0.02, 0.04)

MUTATIONS: Mapping[str, Mutation] = MappingProxyType(
    {
        "event_steps": Mutation(slower, (0, 1, 2, 3), True, "rows more at each row:"),
        "peak_acceleration": Mutation(faster, (0, 1, 2, 3), True, "rows less after each row:"),
        "target_distance": Mutation(nearer, CENTIMETRES, False, "target nearer [m]:"),
        "carry_height": Mutation(higher, CENTIMETRES, True, "carried higher [m]:"),
        "detour": Mutation(bent, (0.0, 0.05, 0.10, 0.15), True, "carried aside [m]:"),
        "carry_rotation": Mutation(waved, (0.0, 0.3, 0.6, 0.9), True, "turned on the way [rad]:"),
        "edge_pick": Mutation(aside, CENTIMETRES, True, "taken farther aside [m]:"),
        "handle_pick": Mutation(to_handle, CENTIMETRES, True, "taken nearer to the handle [m]:"),
        "approach_angle": Mutation(tilted, DEGREES, True, "hand tilted [rad]:"),
        "pushed_share": Mutation(lifted, (0.0, 0.25, 0.5, 0.75), False, "share lifted:"),
        "dragged_share": Mutation(lifted, (0.0, 0.25, 0.5, 0.75), False, "share lifted:"),
        "throw_fall": Mutation(dropped, CENTIMETRES, True, "let go higher [m]:"),
        "place_turn": Mutation(placed_turned, DEGREES, True, "turned further [rad]:"),
        "lay_tilt": Mutation(uprighted, DEGREES, False, "raised again [rad]:"),
    }
)
"""By measurement. Choices have none: there the candidates are swapped."""
