"""Whole state-only demonstrations, made and written: the expert, the steps and the record."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.comparison import Comparison, Findings, timed, totals
from perm.core.arrays import FloatArray
from perm.core.conventions import DEMO_INDICES, SIMULATIONS
from perm.core.errors import PermError
from perm.core.task import Task
from perm.data.journal import write_part
from perm.pipeline.demo import make_demo
from perm.pipeline.request import calibrations_of
from perm.pipeline.workshop import Order, Workshop, open_workshop
from perm.suites.library import Library, load_library

SUITE = "single_pref"
TURNS = 2
MS_AN_HOUR = 3_600_000


def measure() -> Findings:
    """Make the same demonstrations on LIBERO's simulation and on perm's."""
    library = load_library()
    tasks = library.find_suite(SUITE).tasks
    _demonstrate(library, tasks[0], turns=1)  # loads what a process loads once
    rows = tuple(_demonstrate(library, task, TURNS) for task in tasks)
    stock, ours = totals(rows)
    return Findings(
        "A kept state-only demonstration, rejected attempts and all, scene open [CPU ms]",
        rows,
        {
            "demos_ratio": stock / ours,
            "demos_per_hour_core": MS_AN_HOUR * TURNS * len(rows) / ours,
        },
    )


def _demonstrate(library: Library, task: Task, turns: int) -> Comparison:
    calibrations = calibrations_of(library, task)
    costs: dict[str, list[float]] = {simulation: [] for simulation in SIMULATIONS}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        workshops = {name: stack.enter_context(open_workshop(name)) for name in SIMULATIONS}
        for workshop in workshops.values():
            workshop.enter(task)
        for index in range(turns):
            order = Order(task, index, 0, "demo", DEMO_INDICES, calibrations)
            made: dict[str, FloatArray] = {}
            for name, workshop in workshops.items():
                made[name], cost = timed(_make, workshop, order, folder / name)
                costs[name].append(cost)
            assert np.array_equal(made["core"], made["stock"]), (
                "the two did not make the same demonstration"
            )
    return Comparison(task.id, costs["stock"], costs["core"])


def _make(workshop: Workshop, order: Order, folder: Path) -> FloatArray:
    """Make and write a demonstration as `perm generate` does; return its states (T + 1, S)."""
    made = workshop.make(order)
    if made.episode is None or made.episode.states is None:
        raise PermError(f"No demonstration of {order.task.id} was good enough: {made.attempts}.")
    write_part(
        folder, order.index, make_demo(workshop, order, made, made.episode, images=None, twin=None)
    )
    return made.episode.states
