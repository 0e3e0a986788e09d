"""The repeats of one policy: what a table's mean and deviation are taken over."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from perm.core.episode import Outcome
from perm.core.errors import PermError
from perm.evaluation.arms import NORMAL
from perm.evaluation.pairing import Evaluated
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.run import Run, TaskRun
from perm.metrics.rates import mean_and_std, satisfaction, success_rate

Chosen = Callable[[EpisodeRecord], bool]
Metric = Callable[[Sequence[EpisodeRecord]], float | None]


@dataclass(frozen=True)
class Sample:
    """One repeat of one run.

    Attributes:
        records: Its episodes that were played to an end.
        tasks: Ids of the tasks that it was asked to play.
        missing: Its episodes that were not played, or broke, by task.
    """

    records: tuple[EpisodeRecord, ...]
    tasks: Mapping[str, TaskRun]
    missing: Mapping[str, int]


@dataclass(frozen=True)
class Player:
    """A policy with all its samples.

    Attributes:
        name: Its row in a table.
        samples: Those that share seed and repeat are one, whatever folders they come from.
    """

    name: str
    samples: tuple[Sample, ...]


@dataclass(frozen=True)
class Cell:
    """A number of a table, as a fraction; None where nothing was measured.

    Attributes:
        mean: Over the samples that have a value.
        deviation: Sample standard deviation over them; None for one.
        n: Episodes in it, over all samples.
        missing: Episodes that it ought to have and has not.
    """

    mean: float | None
    deviation: float | None
    n: int
    missing: int


def players_of(evaluated: Sequence[Evaluated]) -> tuple[Player, ...]:
    """Return the policies of some folders, in their order.

    Folders of one policy (name, checkpoint step, what it was trained on) make one row.
    """
    found: dict[str, dict[tuple[int, int], list[Sample]]] = {}
    for one in evaluated:
        samples = found.setdefault(row_name(one.run), {})
        for repeat in range(one.run.repeats):
            samples.setdefault((one.run.seed, repeat), []).append(_sample(one, repeat))
    return tuple(
        Player(name, tuple(_together(parts) for parts in samples.values()))
        for name, samples in found.items()
    )


def row_name(run: Run) -> str:
    """Return what a run's row is called: policy, checkpoint, what it was trained on, prompt arm."""
    step = run.options.get("checkpoint_step")
    words = [run.policy, "" if step is None else f"@{step}", run.series and f"[{run.series}]"]
    words += [] if run.prompt == NORMAL else [f"prompt={run.prompt}"]
    return " ".join(word for word in words if word)


def cell(player: Player, chosen: Chosen, metric: Metric) -> Cell:
    """Return a metric over the chosen episodes, its mean over the player's samples."""
    values, n, missing = list[float](), 0, 0
    for sample in player.samples:
        records = [record for record in sample.records if chosen(record)]
        tasks = {record.task_id for record in records}
        n += len(records)
        missing += sum(count for name, count in sample.missing.items() if name in tasks)
        value = metric(records) if records else None
        if value is not None:
            values.append(value)
    mean, deviation = mean_and_std(values) if values else (None, None)
    return Cell(mean, deviation, n, missing)


def tasks_in(player: Player, chosen: Chosen) -> frozenset[str]:
    """Return the tasks of the chosen episodes."""
    return frozenset(r.task_id for s in player.samples for r in s.records if chosen(r))


def refuse_unlike(players: Iterable[Player], chosen: Chosen, what: str) -> None:
    """Refuse to set side by side what covers different tasks.

    Raises:
        PermError: Two policies that have any such episodes have them of other tasks.
    """
    covered = {player.name: tasks_in(player, chosen) for player in players}
    known = {name: tasks for name, tasks in covered.items() if tasks}
    if len(set(known.values())) > 1:
        (first, tasks), *others = known.items()
        other, theirs = next((n, t) for n, t in others if t != tasks)
        names = ", ".join(sorted(tasks ^ theirs)[:5])
        raise PermError(
            f"{what}: {first} and {other} were not evaluated on the same tasks: only one of them "
            f"has {names}. allow_partial=true shows them all the same."
        )


def sr(records: Sequence[EpisodeRecord]) -> float | None:
    """Return SR."""
    return success_rate([record.success_any for record in records])


def sa(records: Sequence[EpisodeRecord]) -> float | None:
    """Return SA."""
    return satisfaction([r.success_any for r in records], [r.label for r in records])


def _sample(one: Evaluated, repeat: int) -> Sample:
    records, missing = list[EpisodeRecord](), dict[str, int]()
    for name in one.run.tasks:
        for identity in one.run.repeated(name)[repeat]:
            record = one.records.get(identity)
            if record is None or record.outcome is Outcome.ERROR:
                missing[name] = missing.get(name, 0) + 1
            else:
                records.append(record)
    return Sample(tuple(records), one.run.tasks, missing)


def _together(parts: Sequence[Sample]) -> Sample:
    missing: dict[str, int] = {}
    for part in parts:
        for name, count in part.missing.items():
            missing[name] = missing.get(name, 0) + count
    return Sample(
        records=tuple(record for part in parts for record in part.records),
        tasks={name: task for part in parts for name, task in part.tasks.items()},
        missing=missing,
    )
