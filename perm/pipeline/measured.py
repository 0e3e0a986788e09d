"""What demonstrations measure, where they themselves are not kept."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from perm.core.crew import open_crew
from perm.core.satisfaction import Measurement
from perm.metrics.measurements import measure
from perm.pipeline.progress import show_progress
from perm.pipeline.rejections import name_causes
from perm.pipeline.workshop import Order, Workshop, open_workshop


@dataclass(frozen=True)
class Measured:
    """What one demonstration measured, by preference; if none could be made, the causes."""

    task_id: str
    index: int
    measurements: Mapping[str, tuple[Measurement, ...]]
    causes: str


def measure_demos(
    orders: Sequence[Order], workers: int, simulation: str
) -> dict[str, list[Measured]]:
    """Make demonstrations; return what each measured, by task and in the order of their indices."""
    found: dict[str, list[Measured]] = {order.task.id: [] for order in orders}
    with (
        show_progress("Demos", len(orders)) as advance,
        open_crew(partial(begin, simulation), workers, _lost) as work,
    ):
        for done in work(orders):
            advance("")
            found[done.task_id].append(done)
    return {name: sorted(side, key=lambda one: one.index) for name, side in found.items()}


@contextmanager
def begin(simulation: str) -> Iterator[Callable[[Order], Measured]]:
    """Get a workshop ready; what each process does first."""
    with open_workshop(simulation) as workshop:
        yield lambda order: _do(workshop, order)


def _do(workshop: Workshop, order: Order) -> Measured:
    made = workshop.make(order)
    if made.episode is None or made.episode.trace is None:
        causes = f"rejected: {name_causes(made.attempts)}"
        return Measured(order.task.id, order.index, {}, causes)
    trace = made.episode.trace
    found = {p.id: measure(p.metric, trace) for p in order.task.measured}
    return Measured(order.task.id, order.index, found, "")


def _lost(order: Order, why: str) -> Measured:
    return Measured(order.task.id, order.index, {}, why)
