"""perm calibrate: fit the anchors and cuts of a task's preference from twin demonstrations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from perm.core.conventions import BAR_INDICES, DEMO_INDICES, SIMULATIONS
from perm.core.errors import PermError
from perm.core.task import Level, Preference, Task
from perm.data.atomic import completed
from perm.metrics.calibration import MIN_DEMOS, Calibration, fit_calibration
from perm.pipeline.measured import Measured, measure_demos
from perm.pipeline.workshop import Order
from perm.suites.library import Library

MOST_REPLACED = 0.1
"""Share of a side's demonstrations that others may take the place of where they cannot be made."""


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
        simulation: What steps the scenes, one of `SIMULATIONS`.
    """

    tasks: tuple[Task, ...]
    out: Path
    demos: int = MIN_DEMOS
    workers: int = 1
    seed: int = 0
    init_indices: tuple[int, ...] = DEMO_INDICES
    simulation: str = SIMULATIONS[0]


def calibrate(request: CalibrateRequest, library: Library) -> tuple[Path, ...]:
    """Fit the tasks' calibrations, write them and return their files.

    The demonstrations are not kept, and not chosen by how well they keep the preference. Where one
    cannot be made, the next one after the last takes its place, and the file says so; not where
    that happens often. Tasks that can be calibrated are, whatever becomes of the others.

    Raises:
        PermError: Init indices are asked for that are kept for measuring, or a task cannot be
            calibrated: a choice needs no calibration; there is no twin; demonstrations could not
            be made; the twins do not separate. The message tells all that was found.
    """
    _refuse_bar_indices(request.init_indices)
    pairs = [(task, _twin_of(task, library)) for task in request.tasks]
    orders = _orders(request, pairs, range(request.demos))
    done = measure_demos(orders, request.workers, request.simulation)
    done = _with_replacements(request, pairs, done)
    files, problems = [], []
    for task, twin in pairs:
        try:
            sides = _sound(done[twin.id], done[task.id])
        except PermError as error:
            problems.append(str(error))
            continue
        for preference in _calibrated(task):
            try:
                files.append(_write(request.out, task, _fit(request, task, preference, *sides)))
            except PermError as error:
                problems.append(str(error))
    if problems:
        raise PermError("\n".join([*problems, *(f"Written: {path}" for path in files)]))
    return tuple(files)


def _orders(
    request: CalibrateRequest, pairs: Sequence[tuple[Task, Task]], indices: Iterable[int]
) -> list[Order]:
    """Return the demonstrations to make, those of one scene together."""
    ordered = sorted(pairs, key=lambda pair: pair[0].mission.layout.digest)
    # A twin that several tasks share is played once.
    tasks = {task.id: task for pair in ordered for task in pair}.values()
    wanted = list(indices)
    return [_order(request, task, index) for task in tasks for index in wanted]


def _order(request: CalibrateRequest, task: Task, index: int) -> Order:
    return Order(task, index, request.seed, "calibration", request.init_indices, {})


def _with_replacements(
    request: CalibrateRequest,
    pairs: Sequence[tuple[Task, Task]],
    done: Mapping[str, list[Measured]],
) -> dict[str, list[Measured]]:
    """Return what was measured, with others for the few demonstrations that could not be made."""
    sides = dict(done)
    tasks = {task.id: task for pair in pairs for task in pair}
    while True:
        orders = [
            _order(request, task, len(sides[name]) + k)
            for name, task in tasks.items()
            for k in range(_lacking(request.demos, sides[name]))
        ]
        if not orders:
            break
        for name, more in measure_demos(orders, request.workers, request.simulation).items():
            sides[name] = sides[name] + more
    return {name: _enough(request.demos, side) for name, side in sides.items()}


def _lacking(demos: int, side: Sequence[Measured]) -> int:
    """Return how many more demonstrations to try; none where too many could not be made."""
    failed = sum(bool(one.causes) for one in side)
    return demos - (len(side) - failed) if failed <= MOST_REPLACED * demos else 0


def _enough(demos: int, side: list[Measured]) -> list[Measured]:
    """Return those that could be made, if they are enough; else all."""
    good = [one for one in side if not one.causes]
    return good if len(good) == demos else side


def _sound(*sides: Sequence[Measured]) -> tuple[Sequence[Measured], ...]:
    """Return the sides.

    Raises:
        PermError: Demonstrations could not be made; names all of them.
    """
    failed = [one for side in sides for one in side if one.causes]
    if failed:
        raise PermError(
            "\n".join(f"{one.task_id}, demonstration {one.index}: {one.causes}." for one in failed)
        )
    return sides


def _refuse_bar_indices(init_indices: Sequence[int]) -> None:
    kept = [i for i in init_indices if i in BAR_INDICES]
    if kept:
        raise PermError(
            f"Init indices {_compact(kept)} are kept for measuring; calibrate from others "
            f"(init={_compact(DEMO_INDICES)})."
        )


def _twin_of(task: Task, library: Library) -> Task:
    if not task.condition:
        raise PermError(f"{task.id} asks for no preference; there is nothing to calibrate.")
    if not _calibrated(task):
        name = task.condition[0].name
        raise PermError(f"{task.id}: {name} is a choice; it needs no calibration.")
    if task.followed != task.condition:
        raise PermError(
            f"{task.id}: its preferences exclude each other; calibrate where one is asked for."
        )
    twin = library.find_twin(task)
    if twin is None:
        raise PermError(f"{task.id} has no no-preference twin; give its cuts in a YAML file.")
    return twin


def _calibrated(task: Task) -> list[Preference]:
    """Return the preferences of a task that are no choices."""
    return [one for one in task.condition if one.level is not Level.PROFILE]


def _fit(
    request: CalibrateRequest,
    task: Task,
    preference: Preference,
    plain: Sequence[Measured],
    preferred: Sequence[Measured],
) -> Calibration:
    from perm.sim.versions import versions

    source = {
        "demos": request.demos,
        "replaced": sum(one.index >= request.demos for one in (*plain, *preferred)),
        "init_indices": _compact(request.init_indices),
        "seed": request.seed,
        "layout_digest": task.mission.layout.digest,
        "versions": versions(request.simulation),
    }
    return fit_calibration(
        task.id,
        preference.id,
        [one.measurements[preference.id] for one in plain],
        [one.measurements[preference.id] for one in preferred],
        source,
        min_demos=MIN_DEMOS,
        larger_is_better=preference.larger_is_better,
    )


def _compact(indices: Sequence[int]) -> str:
    """Return "0-2,7" for 0, 1, 2, 7, as the key `init` takes it."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == runs[-1][-1] + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _write(out: Path, task: Task, calibration: Calibration) -> Path:
    ending = f".{calibration.preference}" if len(task.condition) > 1 else ""
    path = out / f"{task.id}{ending}.yaml"
    text = yaml.safe_dump(calibration.to_dict(), sort_keys=False)
    with completed(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    return path
