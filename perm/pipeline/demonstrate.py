"""perm generate: demonstrations with the preference and, as their twins, without it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
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
from perm.pipeline.inspection import Inspector
from perm.pipeline.models.names import find_model
from perm.pipeline.progress import show_progress
from perm.pipeline.rejections import name_causes
from perm.pipeline.request import (
    INSPECTED,
    NOBODY,
    GenerateRequest,
    calibrations_of,
    settings_of,
    tasks_of,
)
from perm.pipeline.settings import claim_folder
from perm.pipeline.workshop import Order, Workshop, open_workshop
from perm.suites.library import Library


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
    """What came of a job.

    Attributes:
        task_id, index, init_index: Which demonstration.
        made: Whether there is a part now.
        attempts: Rejected attempts by cause.
    """

    task_id: str
    index: int
    init_index: int
    made: bool
    attempts: Mapping[str, int]


def generate(request: GenerateRequest, library: Library) -> tuple[Path, ...]:
    """Make demonstrations and return their files; what is there already is not made again.

    Raises:
        PermError: The folder holds a different run or is being written; or some demonstrations
            could not be made: the message says which, and why their attempts were rejected.
    """
    tasks = tasks_of(request, library)
    claim_folder(request.out, settings_of(request, library))
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
        failures = _run(jobs, request, request.demos * len(tasks))
        for task in tasks:
            if task.id in missing and not any(done.task_id == task.id for done in failures):
                _finish(demo_path(request.out, task.id))
    if failures:
        failures.sort(key=lambda done: (done.task_id, done.index))
        raise PermError("\n".join(_complaint(done) for done in failures))
    return tuple(demo_path(request.out, task.id) for task in tasks)


def _jobs(request: GenerateRequest, library: Library, task: Task) -> Iterator[Job]:
    twin, calibrations = library.find_twin(task), calibrations_of(library, task)
    for index in range(request.demos):
        order = Order(task, index, request.seed, "demo", request.init_indices, calibrations)
        folder = parts_folder(demo_path(request.out, task.id))
        yield Job(order, folder, request.images, twin.id if twin else None)


def _run(jobs: list[Job], request: GenerateRequest, total: int) -> list[Done]:
    """Do the jobs; return those that failed."""
    failures: list[Done] = []
    if not jobs:
        return failures
    with (
        show_progress("Demos", total, total - len(jobs)) as advance,
        open_crew(
            partial(begin, request.simulation, request.inspect, request.out / INSPECTED),
            min(request.workers, len(jobs)),
            _lost,
        ) as work,
    ):
        for done in work(jobs):
            advance(_rejections(done.attempts))
            if not done.made:
                failures.append(done)
    return failures


def _lost(job: Job, why: str) -> Done:
    order = job.order
    return Done(order.task.id, order.index, order.init_index, False, {why: 1})


@contextmanager
def begin(simulation: str, inspect: str, kept: Path) -> Iterator[Callable[[Job], Done]]:
    """Get a workshop ready; what each process does first."""
    model = None if inspect == NOBODY else find_model(inspect, kept)
    with open_workshop(simulation, Inspector(model) if model else None) as workshop:
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
    is_made = made.episode is not None
    return Done(order.task.id, order.index, order.init_index, is_made, made.attempts)


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
    return (
        f"{done.task_id}: demonstration {done.index} could not be made from init index "
        f"{done.init_index}; its attempts were rejected: {name_causes(done.attempts)}. Into "
        f"another folder, try another seed=, or init= without {done.init_index}."
    )
