"""Traces that every measurement is tried on: a deed, chance, and both mixed or moved."""

import dataclasses
from functools import cache

import numpy as np

from perm.core.trace import RegionFacts, Trace

from .traces import UPRIGHT, Script, nothing_happens, turned

HANDLE = np.array([0.05, 0.0, 0.01])
CORNER = RegionFacts(np.array([0.2, 0.4, 0.9]), UPRIGHT, np.array([0.1, 0.1, 0.05]), "table")


def with_facts(trace: Trace) -> Trace:
    """Give all objects a handle, and the table a corner."""
    objects = {k: dataclasses.replace(v, handle=HANDLE) for k, v in trace.objects.items()}
    return dataclasses.replace(trace, objects=objects, regions={"corner": CORNER})


@cache
def random_trace(seed: int, n_steps: int = 60) -> Trace:
    """Contacts, widths and poses without rhyme or reason."""
    rng = np.random.default_rng(seed)
    trace, n = nothing_happens(n_steps), n_steps + 1

    def quats():
        return np.array([turned(UPRIGHT, *rng.normal(size=3)) for _ in range(n)])

    return with_facts(
        dataclasses.replace(
            trace,
            ee_pos=rng.normal(size=(n, 3)),
            ee_quat=quats(),
            gripper_width=rng.uniform(0, 0.078, n),
            object_pos={name: rng.normal(size=(n, 3)) for name in trace.object_names},
            object_quat={name: quats() for name in trace.object_names},
            contact=rng.random((n, 2, 2)) < rng.uniform(0.2, 1.0),
            success=rng.random(n) < 0.02,
        )
    )


def deed(*, again: bool = False) -> Trace:
    """Take the mug, turn it, put it on the plate, complete; then the hand wanders off, empty.

    Or it does it again: takes the mug once more and drops it, turned, in the corner.
    """
    script = Script({"mug": (0.0, 0.0, 0.95), "plate": (0.0, 0.2, 0.91)}).tilt(0.1, 0.05, 0.0)
    script.move(0.01, 0.02, 0.97).grip("mug").move(0.0, 0.0, 1.2)
    script.move(0.0, 0.155, 1.25, turn=(0.0, 0.1, 0.4))
    script.move(0.0, 0.2, 1.0, turn=(0.05, 0.0, 0.3)).let_go().complete().wait(10)
    if again:
        script.grip("mug").move(0.3, 0.3, 1.4, turn=(0.5, 0.0, 0.2)).move(0.2, 0.4, 1.3)
        script.move(0.22, 0.4, 1.2, turn=(0.2, 0.2, 0.9), rows=4).let_go(rows=1)
        script.slide("mug", 0.22, 0.4, 0.95, rows=4).wait(5)
    for to in ((0.3, 0.2, 1.4), (-0.2, -0.3, 1.0), (0.0, 0.2, 1.1)):
        script.move(*to, turn=(0.2, 0.3, 0.5))
    return with_facts(script.trace)


END_OF_DEED = 55
"""Row at which the mug rests and the mission is complete."""


def moved(trace: Trace, by: np.ndarray) -> Trace:
    """Return the same events somewhere else."""
    regions = {k: dataclasses.replace(v, pos=v.pos + by) for k, v in trace.regions.items()}
    return dataclasses.replace(
        trace,
        ee_pos=trace.ee_pos + by,
        object_pos={name: pos + by for name, pos in trace.object_pos.items()},
        support_z=trace.support_z + by[2],
        regions=regions,
    )


def splice(first: Trace, second: Trace, t: int) -> Trace:
    """Return the first trace up to row t, and the second from there on."""

    def join(a, b):
        if isinstance(a, np.ndarray):
            return np.concatenate([a[: t + 1], b[t + 1 :]])
        return {name: join(a[name], b[name]) for name in a}

    keys = ["ee_pos", "ee_quat", "gripper_width", "object_pos", "object_quat", "contact", "success"]
    parts = {key: join(getattr(first, key), getattr(second, key)) for key in keys}
    return dataclasses.replace(first, **parts)
