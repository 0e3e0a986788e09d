"""Trials of the expert: single attempts at tasks and their twins, one kept line each."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from perm.core.conventions import BAR_INDICES, SIMULATIONS
from perm.core.crew import open_crew
from perm.core.errors import PermError
from perm.core.task import Task
from perm.data.film import FILMS_FOLDER, film_path, write_film
from perm.data.lines import Lines, read_lines
from perm.data.trial import TRIALS_FILE, Trial, choose_shown, from_json, to_json
from perm.metrics.calibration import Calibration
from perm.pipeline.progress import show_progress
from perm.pipeline.request import calibrations_of
from perm.pipeline.settings import claim_folder
from perm.pipeline.trials_line import broken_trial, trial_of
from perm.pipeline.workshop import Order, Workshop, open_workshop
from perm.suites.identity import scales_of, task_digest
from perm.suites.library import Library

_log = logging.getLogger(__name__)

Calibrations = Mapping[str, Mapping[str, Calibration]]
"""By task and preference."""


@dataclass(frozen=True)
class TrialsRequest:
    """What to try.

    Attributes:
        tasks: What is tried, twins included, in table order.
        trials: Number of attempts at each.
        out: Folder of `trials.jsonl` and the films.
        workers: Number of processes; nothing but the time depends on it.
        seed: Seed of every draw.
        init_indices: Where attempts start, in turns.
        simulation: What steps the scenes, one of `SIMULATIONS`.
    """

    tasks: tuple[Task, ...]
    trials: int
    out: Path
    workers: int = 1
    seed: int = 0
    init_indices: tuple[int, ...] = BAR_INDICES
    simulation: str = SIMULATIONS[0]


@dataclass(frozen=True)
class Job:
    """One attempt to make, and the folder of its check."""

    order: Order
    folder: Path


def run_trials(request: TrialsRequest, library: Library) -> tuple[Trial, ...]:
    """Make the attempts that are missing; return all of them, by task and index.

    Nothing is tried twice: what fails is told, not repeated. Films are kept of what
    `choose_shown` chooses.

    Raises:
        PermError: The folder holds a different run, is being written, or is damaged.
    """
    calibrations = {task.id: calibrations_of(library, task) for task in request.tasks}
    claim_folder(request.out, _settings(request, calibrations), "suite check", _find_trials)
    path = request.out / TRIALS_FILE
    with Lines(path, "check") as lines:
        done = {trial.key: trial for trial in read_lines(path, from_json)}
        jobs = list(_jobs(request, calibrations))
        missing = [job for job in jobs if (job.order.task.id, job.order.index) not in done]
        try:
            for trial in _run(missing, request, len(jobs)):
                lines.append(to_json(trial))
                done[trial.key] = trial
                _clear_films(request.out, done)
        except KeyboardInterrupt:
            _log.warning("%d of %d trials are kept in %s.", len(done), len(jobs), request.out)
            raise
    return tuple(done[task.id, index] for task in request.tasks for index in range(request.trials))


def _settings(request: TrialsRequest, calibrations: Calibrations) -> dict[str, Any]:
    """Return all that decides what the trials come to, in JSON values."""
    from perm.sim.versions import versions

    return {
        "tasks": {
            task.id: {
                "layout_digest": task.mission.layout.digest,
                "definition": task_digest(task),
                "calibration": scales_of(calibrations[task.id]),
            }
            for task in request.tasks
        },
        "trials": request.trials,
        "seed": request.seed,
        "init": list(request.init_indices),
        "versions": versions(request.simulation),
    }


def _find_trials(folder: Path) -> list[Path]:
    return list(folder.glob(TRIALS_FILE))


def _jobs(request: TrialsRequest, calibrations: Calibrations) -> Iterator[Job]:
    """Yield all attempts, those of one scene together."""
    for task in sorted(request.tasks, key=lambda task: task.mission.layout.digest):
        for index in range(request.trials):
            known = calibrations[task.id]
            order = Order(task, index, request.seed, "trial", request.init_indices, known)
            yield Job(order, request.out)


def _run(missing: Sequence[Job], request: TrialsRequest, total: int) -> Iterator[Trial]:
    if not missing:
        return
    workers = min(request.workers, len(missing))
    with (
        show_progress("Trials", total, total - len(missing)) as advance,
        open_crew(partial(begin, request.simulation), workers, _lost) as work,
    ):
        for trial in work(missing):
            advance(trial.cause and f"last: {trial.cause[:40]}")
            yield trial


@contextmanager
def begin(simulation: str) -> Iterator[Callable[[Job], Trial]]:
    """Get a workshop ready; what each process does first."""
    with open_workshop(simulation) as workshop:
        yield lambda job: _do(workshop, job)


def _do(workshop: Workshop, job: Job) -> Trial:
    try:
        done = workshop.attempt(job.order)
    except PermError as error:  # no scene, no start, no measure: the other tasks go on
        return broken_trial(job.order, str(error))
    trial = trial_of(job.order, done)
    write_film(film_path(job.folder, trial), done.episode)
    return trial


def _lost(job: Job, why: str) -> Trial:
    return broken_trial(job.order, why)


def _clear_films(folder: Path, done: Mapping[tuple[str, int], Trial]) -> None:
    """Remove the films of finished trials that need not be seen."""
    kept = {film_path(folder, trial) for trial in choose_shown(done.values())}
    finished = {film_path(folder, trial) for trial in done.values()}
    for path in (folder / FILMS_FOLDER).glob("*.hdf5"):
        if path in finished - kept:
            path.unlink()
