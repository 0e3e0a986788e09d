"""perm generate: demonstrations with the preference and, as their twins, without it."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from perm.core.crew import open_crew
from perm.core.errors import PermError
from perm.core.task import Task
from perm.data.journal import (
    demo_path,
    existing_parts,
    merge,
    output_lock,
    parts_folder,
    write_part,
)
from perm.pipeline.demo import make_demo
from perm.pipeline.progress import show_progress
from perm.pipeline.settings import claim_folder
from perm.pipeline.workshop import Order, Workshop, open_workshop
from perm.suites.library import Library

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GenerateRequest:
    """What to generate.

    Attributes:
        tasks: The tasks, without their twins.
        demos: Demonstrations of each task and of each twin.
        out: Folder of the files.
        workers: Number of processes.
        images: Height and width of the recorded images [px], or None for none.
        seed: Seed of every draw.
        twins: Whether to make the twins too.
        init_indices: Where the demonstrations start.
    """

    tasks: tuple[Task, ...]
    demos: int
    out: Path
    workers: int = 1
    images: int | None = 128
    seed: int = 0
    twins: bool = True
    init_indices: tuple[int, ...] = tuple(range(30))


@dataclass(frozen=True)
class Job:
    """One demonstration to make and to write.

    Attributes:
        order: What to make.
        folder: Where its part goes.
        images: Size of its images, or None.
        twin: Id of its twin task, or None.
    """

    order: Order
    folder: Path
    images: int | None
    twin: str | None


@dataclass(frozen=True)
class Done:
    """What came of a job: whether there is a part now, and the rejected attempts by cause."""

    task_id: str
    index: int
    made: bool
    attempts: Mapping[str, int]


def generate(request: GenerateRequest, library: Library) -> tuple[Path, ...]:
    """Make demonstrations and return their files; what is there already is not made again.

    Raises:
        PermError: The folder holds a different run or is being written; or some demonstrations
            could not be made: the message says which, and why their attempts were rejected.
    """
    tasks = _with_twins(request, library)
    claim_folder(request.out, "generate.json", _settings(request, tasks))
    with ExitStack() as locks:
        missing = {}
        for task in tasks:
            final = demo_path(request.out, task.id)
            if not final.exists():
                locks.enter_context(output_lock(final))
                missing[task.id] = existing_parts(parts_folder(final))
        jobs = [
            job
            for task in tasks
            if task.id in missing
            for job in _jobs(request, library, task)
            if job.order.index not in missing[task.id]
        ]
        failures = _run(jobs, request.workers, request.demos * len(tasks))
        for task in tasks:
            if task.id in missing and not any(done.task_id == task.id for done in failures):
                _finish(demo_path(request.out, task.id))
    if failures:
        raise PermError("\n".join(_complaint(done) for done in failures))
    return tuple(demo_path(request.out, task.id) for task in tasks)


def _with_twins(request: GenerateRequest, library: Library) -> tuple[Task, ...]:
    """Tasks and their twins, those of one scene together."""
    tasks: dict[str, Task] = {}
    for task in request.tasks:
        tasks[task.id] = task
        if request.twins and (twin := library.find_twin(task)) is not None:
            tasks[twin.id] = twin
    return tuple(sorted(tasks.values(), key=lambda task: task.mission.layout.digest))


def _settings(request: GenerateRequest, tasks: Iterable[Task]) -> dict[str, object]:
    from perm.sim.versions import versions

    return {
        "tasks": {task.id: task.mission.layout.digest for task in tasks},
        "demos": request.demos,
        "images": request.images,
        "seed": request.seed,
        "init": list(request.init_indices),
        "versions": versions(),
    }


def _jobs(request: GenerateRequest, library: Library, task: Task) -> Iterator[Job]:
    twin = library.find_twin(task)
    calibrations = {
        preference.id: calibration
        for preference in task.measured
        if (calibration := library.calibration(task, preference)) is not None
    }
    for index in range(request.demos):
        order = Order(task, index, request.seed, "demo", request.init_indices, calibrations)
        folder = parts_folder(demo_path(request.out, task.id))
        yield Job(order, folder, request.images, twin.id if twin else None)


def _run(jobs: list[Job], workers: int, total: int) -> list[Done]:
    """Do the jobs; return those that failed."""
    failures: list[Done] = []
    if not jobs:
        return failures
    with (
        show_progress("Demos", total, total - len(jobs)) as advance,
        open_crew(begin, min(workers, len(jobs)), _lost) as work,
    ):
        for done in work(jobs):
            advance(_rejections(done.attempts))
            if not done.made:
                failures.append(done)
    return failures


def _lost(job: Job, why: str) -> Done:
    return Done(job.order.task.id, job.order.index, False, {why: 1})


@contextmanager
def begin() -> Iterator[Callable[[Job], Done]]:
    """Get a workshop ready; what each process does first."""
    with open_workshop() as workshop:
        yield lambda job: _do(workshop, job)


def _do(workshop: Workshop, job: Job) -> Done:
    order = job.order
    made = workshop.make(order)
    if made.episode is not None:
        write_part(
            job.folder,
            order.index,
            make_demo(workshop, order, made, made.episode, images=job.images, twin=job.twin),
        )
    return Done(order.task.id, order.index, made.episode is not None, made.attempts)


def _finish(final: Path) -> None:
    folder = parts_folder(final)
    parts = existing_parts(folder)
    merge(parts, final)
    for path in parts.values():
        path.unlink()
    if not any(folder.iterdir()):
        folder.rmdir()


def _rejections(attempts: Mapping[str, int]) -> str:
    return f"last: {sum(attempts.values())} rejected" if attempts else ""


def _complaint(done: Done) -> str:
    causes = ", ".join(f"{cause} ({n}x)" for cause, n in Counter(done.attempts).most_common())
    return (
        f"{done.task_id}: demonstration {done.index} could not be made; its attempts were "
        f"rejected: {causes}."
    )
