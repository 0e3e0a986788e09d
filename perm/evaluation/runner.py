"""Evaluates a policy on tasks: plays what is missing, keeps it, and sums it up."""

import functools
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from perm.core.conventions import SIMULATIONS
from perm.core.crew import WorkerError, open_crew
from perm.core.episode import Outcome
from perm.core.errors import PermError
from perm.core.task import Task
from perm.evaluation.arms import NORMAL, in_arm, original
from perm.evaluation.examine import Job, broken, examiner
from perm.evaluation.journal import Journal, Records
from perm.evaluation.line import Tag
from perm.evaluation.players import check_options
from perm.evaluation.progress import EpisodeProgress
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.results import write_results
from perm.evaluation.run import Run, plan_run
from perm.evaluation.stage import OpenStage, Simulator
from perm.evaluation.summary import Summary
from perm.evaluation.video import video_path
from perm.metrics.calibration import Calibration
from perm.policies.errors import PolicyServerError
from perm.suites.library import Library

PATIENCE = 3
"""So many episodes in a row may lose the policy server, or the process that plays them."""

_log = logging.getLogger(__name__)

Calibrations = Mapping[str, Mapping[str, Calibration | None]]


@dataclass(frozen=True)
class EvaluateRequest:
    """What to evaluate.

    Attributes:
        tasks: In table order.
        policy: `name` and its settings, see `perm.evaluation.players`.
        episodes: Number of episodes of each task; episode k starts from
            `init_indices[k % n]`.
        out: Folder for `run.json`, `episodes.jsonl`, `summary.json`, `summary.csv`,
            `report.html`, `videos/`.
        seed: Seed of every random draw.
        resume: Whether episodes that ended in an ERROR are played again.
        init_indices: Where to start; None for 30 to 49, or what a replay has recorded.
        videos: Number of episodes of each task that are filmed.
        workers: Number of processes; nothing but the time depends on it.
        twins: Whether the no-preference twins of the tasks are played, too.
        repeats: So often all episodes are played, each time with other seeds.
        prompt: Which sentences are delivered, one of `perm.evaluation.arms.ARMS`.
        original: Whether nothing is asked for but what LIBERO itself asks for in the scene.
        series: What the policy was trained on, for the record.
        max_steps: Step limit of every episode; 0 for each task's own.
        shard: (i, n): play only the i-th of n parts of the episodes, 1 <= i <= n.
        simulation: What steps the scenes, one of `SIMULATIONS`.
    """

    tasks: tuple[Task, ...]
    policy: Mapping[str, Any]
    episodes: int
    out: Path
    seed: int = 0
    resume: bool = False
    init_indices: tuple[int, ...] | None = None
    videos: int = 1
    workers: int = 1
    twins: bool = False
    repeats: int = 1
    prompt: str = NORMAL
    original: bool = False
    series: str = ""
    max_steps: int = 0
    shard: tuple[int, int] = (1, 1)
    simulation: str = SIMULATIONS[0]


def evaluate(
    request: EvaluateRequest, library: Library, open_stage: OpenStage | None = None
) -> Summary:
    """Play the episodes that are missing, and write and return what all of them come to.

    Every finished episode is kept at once; the same request goes on where it stopped.

    Args:
        request: What to evaluate.
        library: Where twins and calibrations are.
        open_stage: Where episodes are played; None for the simulator.

    Raises:
        PermError: The request is wrong, the folder holds another run, or the policy server
            is gone for good.
    """
    options = check_options(request.policy)
    tasks = tasks_of(request, library)
    calibrations = _calibrations(tasks, library)
    run = _plan(request, tasks, options, calibrations)
    journal = Journal(request.out, run)
    jobs = list(_jobs(request, run, tasks, calibrations))[request.shard[0] - 1 :: request.shard[1]]
    todo = [job for job in jobs if _is_missing(journal.records.get(job.identity), request.resume)]
    _tell_unfilmed(jobs, journal.records, request.out)
    if todo:
        try:
            stage = open_stage or functools.partial(Simulator, simulation=request.simulation)
            _play(request, run, journal, todo, len(jobs), stage)
        except KeyboardInterrupt:
            _log.warning(
                "Stopped. %d of %d episodes are kept in %s; the same command goes on from there.",
                len(journal.records),
                len(jobs),
                request.out,
            )
            raise
    return write_results(run, journal.records, request.out)


def tasks_of(request: EvaluateRequest, library: Library) -> tuple[Task, ...]:
    """Return what is played: the tasks as they are asked for, and their twins if they are wanted.

    Raises:
        PermError: The arm is unknown, or a task has no sentence for it.
    """
    if request.original:
        return _limited(original(request.tasks, library), request.max_steps)
    wanted = library.with_twins(request.tasks) if request.twins else request.tasks
    tasks = {task.id: task for task in wanted}.values()
    return _limited(in_arm(tasks, request.prompt, library, request.seed), request.max_steps)


def _limited(tasks: Iterable[Task], max_steps: int) -> tuple[Task, ...]:
    """Return the tasks with another step limit, if there is one."""
    if not max_steps:
        return tuple(tasks)
    return tuple(replace(t, mission=replace(t.mission, max_steps=max_steps)) for t in tasks)


def _play(
    request: EvaluateRequest,
    run: Run,
    journal: Journal,
    todo: Sequence[Job],
    total: int,
    open_stage: OpenStage,
) -> None:
    """Play episodes and keep each of them."""
    step = run.options.get("checkpoint_step")
    tag = Tag(run.id, run.policy, step, run.series, run.prompt)
    options = check_options(request.policy)  # those of the run lack the server's password
    begin = functools.partial(examiner, open_stage, options, tag)
    lost = functools.partial(broken, tag)
    again = {job.identity for job in todo}
    kept = [record for identity, record in journal.records.items() if identity not in again]
    workers = max(1, min(request.workers, len(todo)))
    # The policy is there before the folder is made: a wrong address leaves nothing behind.
    with open_crew(begin, workers, lost) as play, journal, EpisodeProgress(total, kept) as bar:
        for record in _while_reachable(play(todo), request.out):
            journal.append(record)
            bar.show(record)


def _while_reachable(records: Iterable[EpisodeRecord], out: Path) -> Iterator[EpisodeRecord]:
    """Pass records on until several in a row say that nobody is there to play.

    Raises:
        PermError: They do.
    """
    marks = (PolicyServerError.__name__, WorkerError.__name__)
    in_a_row = 0
    for record in records:
        yield record
        is_lost = record.outcome is Outcome.ERROR and (record.error or "").startswith(marks)
        in_a_row = in_a_row + 1 if is_lost else 0
        if in_a_row == PATIENCE:
            raise PermError(
                f"{PATIENCE} episodes in a row broke in the same way; the last one: "
                f"{record.error}\nWhat was played is kept in {out}. Put it right, then give the "
                "same command with resume=true."
            )


def _calibrations(tasks: Iterable[Task], library: Library) -> Calibrations:
    return {task.id: {p.id: library.calibration(task, p) for p in task.measured} for task in tasks}


def _plan(
    request: EvaluateRequest,
    tasks: Sequence[Task],
    options: Mapping[str, Any],
    calibrations: Calibrations,
) -> Run:
    from perm.sim.versions import versions

    return plan_run(
        tasks,
        options,
        calibrations,
        versions(request.simulation),
        episodes=request.episodes,
        seed=request.seed,
        init_indices=request.init_indices,
        repeats=request.repeats,
        prompt=request.prompt,
        series=request.series,
    )


def _jobs(
    request: EvaluateRequest, run: Run, tasks: Iterable[Task], calibrations: Calibrations
) -> Iterator[Job]:
    """Yield the episodes of a run in table order."""
    for task in tasks:
        for k, identity in enumerate(run.identities(task.id)):
            is_filmed = k < request.videos
            video = video_path(request.out, run.policy, identity) if is_filmed else None
            yield Job(task, identity, calibrations[task.id], video)


def _tell_unfilmed(jobs: Iterable[Job], records: Records, out: Path) -> None:
    """Say so if episodes are there already that were to be filmed, and are not."""
    ended = {i for i, record in records.items() if record.outcome is not Outcome.ERROR}
    films = [job.video for job in jobs if job.video and job.identity in ended]
    if count := sum(not film.is_file() for film in films):
        _log.warning(
            "Not filmed: %d of the episodes to film. They are in %s already, and an episode is "
            "filmed while it is played; another out= plays and films them anew.",
            count,
            out,
        )


def _is_missing(record: EpisodeRecord | None, repeat_errors: bool) -> bool:
    return record is None or (repeat_errors and record.outcome is Outcome.ERROR)
