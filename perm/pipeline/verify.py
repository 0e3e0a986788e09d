"""perm metrics verify: who keeps a preference scores 1, who does not at most 1/4.

Real episodes are played: of the expert with the preference, of the plain twin (without one, of the
other skill in the same scene) and, where there is one, with the opposite preference. The trace of
the first is then changed by known amounts, and the raw quantity has to follow; of a choice the
candidates are swapped, and the label has to flip.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from perm.core.conditions import LEFT_ASIDE
from perm.core.conventions import SIMULATIONS
from perm.core.crew import open_crew
from perm.core.errors import PermError
from perm.core.task import Level, Preference, Task
from perm.core.trace import Trace
from perm.metrics.calibration import Calibration
from perm.metrics.measurements import measure
from perm.metrics.mutants import follows, mutated, swapped
from perm.metrics.satisfaction import judge
from perm.pipeline.contrasts import Contrast, contrast_of
from perm.pipeline.progress import show_progress
from perm.pipeline.rejections import name_causes
from perm.pipeline.workshop import MAX_ATTEMPTS, Order, Workshop, open_workshop
from perm.suites.library import Library


@dataclass(frozen=True)
class VerifyRequest:
    """What to verify.

    Attributes:
        preferences: Ids.
        init_indices: Where episodes start, in turns.
        workers: Number of processes.
        seed: Seed of every draw.
        simulation: What steps the scenes, one of `SIMULATIONS`.
    """

    preferences: tuple[str, ...]
    init_indices: tuple[int, ...]
    workers: int = 1
    seed: int = 0
    simulation: str = SIMULATIONS[0]


@dataclass(frozen=True)
class Job:
    """Episodes to play for one preference.

    Attributes:
        preference: Its id.
        contrast: Who plays what.
        scale: What the preference's raw quantity is worth, if it has a scale.
        order: Makes the order of a task.
    """

    preference: str
    contrast: Contrast
    scale: Calibration | None
    order: Callable[[Task], Order]


@dataclass(frozen=True)
class Verified:
    """What came of one preference.

    Attributes:
        preference, task_id: What was judged, where.
        labels: With the preference, plainly, and with the opposite one; None where there is none.
        raws: The raw quantity of the changed traces, from no change on.
        flips: For a choice, whether the label changes with the candidates.
        problems: In words; none means that the metric is sound.
    """

    preference: str
    task_id: str
    labels: tuple[float | None, float | None, float | None] = (None, None, None)
    raws: tuple[float, ...] = ()
    flips: bool | None = None
    problems: tuple[str, ...] = ()


def verify(request: VerifyRequest, library: Library) -> tuple[Verified, ...]:
    """Return what came of each preference, in the order of the request."""
    jobs = [_job(name, request, library) for name in request.preferences]
    found: dict[str, Verified] = {}
    with (
        show_progress("Metrics", len(jobs)) as advance,
        open_crew(
            partial(begin, request.simulation), min(request.workers, len(jobs)), _lost
        ) as work,
    ):
        for done in work(jobs):
            advance("")
            found[done.preference] = done
    return tuple(found[name] for name in request.preferences)


def _job(name: str, request: VerifyRequest, library: Library) -> Job:
    contrast = contrast_of(library.preferences[name], library)
    scale = library.calibration(contrast.task, contrast.task.condition[0])
    return Job(name, contrast, scale, partial(_order, request))


def _order(request: VerifyRequest, task: Task) -> Order:
    return Order(task, 0, request.seed, "verify", request.init_indices, {})


@contextmanager
def begin(simulation: str) -> Iterator[Callable[[Job], Verified]]:
    """Get a workshop ready; what each process does first."""
    with open_workshop(simulation) as workshop:
        yield lambda job: _do(workshop, job)


def _lost(job: Job, why: str) -> Verified:
    return Verified(job.preference, job.contrast.task.id, problems=(why,))


def _do(workshop: Workshop, job: Job) -> Verified:
    try:
        kept = _play(workshop, job, job.contrast.task)
        plain = _play(workshop, job, job.contrast.twin, job.contrast.finishes)
        against = (
            None if job.contrast.opposite is None else _play(workshop, job, job.contrast.opposite)
        )
        return _judged(job, kept, plain, against)
    except PermError as error:
        return Verified(job.preference, job.contrast.task.id, problems=(str(error),))


def _play(workshop: Workshop, job: Job, task: Task, finishes: bool = True) -> Trace:
    """Return the trace of an episode of the expert.

    Raises:
        PermError: None could be played.
    """
    if not finishes:
        return _measurable(workshop, job, task)
    made = workshop.make(job.order(task))
    if made.episode is None or made.episode.trace is None:
        raise PermError(f"{task.id} could not be played: {name_causes(made.attempts)}")
    return made.episode.trace


def _measurable(workshop: Workshop, job: Job, task: Task) -> Trace:
    """Return the first trace that is long enough to measure something in, whatever comes of it."""
    (asked,) = job.contrast.task.condition
    for index in range(MAX_ATTEMPTS):
        trace = workshop.attempt(replace(job.order(task), index=index)).episode.trace
        if trace is not None and measure(asked.metric, trace)[-1].raw is not None:
            return trace
    raise PermError(f"{task.id}: the other skill left nothing to measure {MAX_ATTEMPTS} times")


def _judged(job: Job, kept: Trace, plain: Trace, against: Trace | None) -> Verified:
    (asked,) = job.contrast.task.condition
    labels = (
        judge(asked, kept, job.scale).label,
        judge(asked, plain, job.scale).label,
        None if against is None else judge(asked, against, job.scale).label,
    )
    raws: tuple[float, ...] = ()
    flips, problems = None, list(_label_problems(labels, against is not None))
    if asked.level is Level.PROFILE:
        flips = _flips(job.contrast.task, asked, kept)
        problems += [] if flips else ["the label stays when the candidates are swapped"]
    else:
        raws = tuple(mutated(asked.metric, kept))
        problems += [] if follows(asked.metric, raws) else ["the raw quantity does not follow"]
    return Verified(asked.id, job.contrast.task.id, labels, raws, flips, tuple(problems))


def _label_problems(labels: Sequence[float | None], has_opposite: bool) -> Iterator[str]:
    kept, plain, against = labels
    if kept != 1:
        yield f"who keeps it scores {kept}"
    if plain is None or plain > LEFT_ASIDE:
        yield f"who was told nothing scores {plain}"
    if has_opposite and against != 0:
        yield f"who does the opposite scores {against}"


def _flips(task: Task, asked: Preference, trace: Trace) -> bool:
    """Return whether the label changes if what was chosen and another candidate change places."""
    params = asked.metric.params
    named = {name for call in task.plan.calls for name in (call.object, call.target)}
    preferred = params.get("preferred", params["candidates"])
    chosen = next(name for name in preferred if name in named)
    others = [name for name in params["candidates"] if name not in preferred]
    if "targets" in params:  # portions: one of them was something else
        used = {*params["candidates"], *params["targets"]}
        others = [name for name in trace.object_names if name not in used]
    before = judge(asked, trace, None).label
    changed = [judge(asked, swapped(trace, chosen, other), None).label for other in others]
    return bool(changed) and before not in changed
