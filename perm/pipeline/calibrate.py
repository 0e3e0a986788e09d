"""perm calibrate: fit the anchors and cuts of a task's preference from twin demonstrations."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml

from perm.core.crew import open_crew
from perm.core.errors import PermError
from perm.core.satisfaction import Measurement
from perm.core.task import Level, Preference, Task
from perm.metrics.calibration import MIN_DEMOS, Calibration, fit_calibration
from perm.metrics.measurements import measure
from perm.pipeline.progress import show_progress
from perm.pipeline.workshop import Order, Workshop, open_workshop
from perm.suites.library import Library


@dataclass(frozen=True)
class CalibrateRequest:
    """What to calibrate.

    Attributes:
        tasks: Tasks with a preference.
        out: Folder of the files, `<task id>.yaml`.
        demos: Demonstrations of each kind, at least 30.
        workers: Number of processes.
        seed: Seed of every draw.
        init_indices: Where the demonstrations start; 30 to 49 stay unseen, for measuring.
    """

    tasks: tuple[Task, ...]
    out: Path
    demos: int = MIN_DEMOS
    workers: int = 1
    seed: int = 0
    init_indices: tuple[int, ...] = tuple(range(30))


@dataclass(frozen=True)
class Measured:
    """What one demonstration measured; empty if none could be made, with the causes."""

    task_id: str
    index: int
    measurements: tuple[Measurement, ...]
    causes: str


def calibrate(request: CalibrateRequest, library: Library) -> tuple[Path, ...]:
    """Fit the tasks' calibrations, write them and return their files.

    The demonstrations are not kept, and not chosen by how well they keep the preference.

    Raises:
        PermError: A task cannot be calibrated (a choice needs no calibration; there is no twin;
            too few demonstrations; the twins do not separate), or a demonstration failed.
    """
    pairs = [(task, _twin_of(task, library)) for task in request.tasks]
    orders = [
        Order(task, index, request.seed, "calibration", request.init_indices, {})
        for pair in sorted(pairs, key=lambda pair: pair[0].mission.layout.digest)
        for task in pair
        for index in range(request.demos)
    ]
    results: dict[tuple[str, int], tuple[Measurement, ...]] = {}
    with (
        show_progress("Demos", len(orders)) as advance,
        open_crew(begin, request.workers, _lost) as work,
    ):
        for done in work(orders):
            advance("")
            if done.causes:
                raise PermError(f"{done.task_id}, demonstration {done.index}: {done.causes}.")
            results[done.task_id, done.index] = done.measurements
    sides = {
        task.id: [results[task.id, i] for i in range(request.demos)]
        for pair in pairs
        for task in pair
    }
    return tuple(
        _write(request.out, _fit(request, task, sides[twin.id], sides[task.id]))
        for task, twin in pairs
    )


def _twin_of(task: Task, library: Library) -> Task:
    preference = _preference(task)
    if preference.level is Level.PROFILE:
        raise PermError(f"{task.id}: {preference.name} is a choice; it needs no calibration.")
    twin = library.find_twin(task)
    if twin is None:
        raise PermError(f"{task.id} has no no-preference twin; give its cuts in a YAML file.")
    return twin


def _preference(task: Task) -> Preference:
    if len(task.condition) != 1:
        raise PermError(f"{task.id} asks for {len(task.condition)} preferences; one is calibrated.")
    return task.condition[0]


def _fit(
    request: CalibrateRequest,
    task: Task,
    plain: Sequence[Sequence[Measurement]],
    preferred: Sequence[Sequence[Measurement]],
) -> Calibration:
    from perm.sim.versions import versions

    source = {
        "demos": request.demos,
        "init_indices": f"{min(request.init_indices)} to {max(request.init_indices)}",
        "seed": request.seed,
        "layout_digest": task.mission.layout.digest,
        "versions": versions(),
    }
    return fit_calibration(
        task.group, _preference(task).id, plain, preferred, source, min_demos=MIN_DEMOS
    )


def _write(out: Path, calibration: Calibration) -> Path:
    path = out / f"{calibration.task}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(calibration.to_dict(), sort_keys=False), encoding="utf-8")
    return path


@contextmanager
def begin() -> Iterator[Callable[[Order], Measured]]:
    """Get a workshop ready; what each process does first."""
    with open_workshop() as workshop:
        yield lambda order: _do(workshop, order)


def _do(workshop: Workshop, order: Order) -> Measured:
    made = workshop.make(order)
    if made.episode is None or made.episode.trace is None:
        causes = ", ".join(f"{cause} ({n}x)" for cause, n in made.attempts.items())
        return Measured(order.task.id, order.index, (), f"rejected: {causes}")
    trace = made.episode.trace
    found = tuple(m for p in order.task.measured for m in measure(p.metric, trace))
    return Measured(order.task.id, order.index, found, "")


def _lost(order: Order, why: str) -> Measured:
    return Measured(order.task.id, order.index, (), why)
