"""What a run comes to: SR, SA and what belongs beside them, as fractions.

`summary.json` is a pure function of the run and its records: no time, no date, no folder.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from perm.core.episode import EpisodeId, Outcome
from perm.core.satisfaction import LABELS
from perm.core.task import Level
from perm.evaluation.journal import read_records, read_run
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.run import Run
from perm.metrics.rates import satisfaction, success_rate, wilson_interval

UNLABELLED = "none"
"""Key of the successes without a label; SA leaves them out."""

Interval = tuple[float, float]


@dataclass(frozen=True)
class Rates:
    """The numbers of a set of episodes. Rates are fractions, None where nothing can be said.

    Attributes:
        n: Episodes that were played to an end; all rates are over these.
        n_error: Episodes that broke; they are in no rate.
        n_planned: Episodes that the run asks for.
        coverage: n / n_planned.
        sr, sr_interval: Success at any step, with Wilson's 95 % interval.
        success_end, success_settled: Success at the last step, and settled.
        sr_preferred: Goal reached with the preferred choice, over the episodes that have one.
        sa, sa_interval: Success times label. An average of values in [0, 1] spreads at most as
            much as successes of the same rate, so that Wilson's interval is wide enough.
        mean_score: Mean score 0 to 100 of the episodes that have one, successful or not.
        labels: Number of successes by label, and of those without one.
    """

    n: int
    n_error: int
    n_planned: int
    coverage: float
    sr: float | None
    sr_interval: Interval
    success_end: float | None
    success_settled: float | None
    sr_preferred: float | None
    sa: float | None
    sa_interval: Interval
    mean_score: float | None
    labels: Mapping[str, int]


@dataclass(frozen=True)
class TaskSummary:
    """One task: what was asked, and its numbers."""

    task_id: str
    group: str
    level: str
    preferences: tuple[str, ...]
    prompt: str
    max_steps: int
    rates: Rates


@dataclass(frozen=True)
class Summary:
    """A run's numbers.

    Attributes:
        run, policy, options, seed, episodes, versions: Whose numbers these are.
        overall: Over the episodes that ask for a preference, pooled; for a run in which none
            does, over all.
        levels: By level, "none" for episodes that ask for no preference.
        tasks: In table order.
    """

    run: str
    policy: str
    options: Mapping[str, Any]
    seed: int
    episodes: int
    versions: Mapping[str, str]
    overall: Rates
    levels: Mapping[str, Rates]
    tasks: tuple[TaskSummary, ...]


def summarise(run: Run, records: Mapping[EpisodeId, EpisodeRecord]) -> Summary:
    """Return the numbers of a run.

    Args:
        run: What was asked for; it decides on the order, not the records.
        records: What has been played, by identity; some may be missing.
    """
    by_task = {name: [records.get(i) for i in run.identities(name)] for name in run.tasks}
    by_level: dict[str, list[EpisodeRecord | None]] = {}
    for name, task in run.tasks.items():
        by_level.setdefault(task.level, []).extend(by_task[name])
    asking = [name for name, task in run.tasks.items() if task.preferences] or list(run.tasks)
    order = [level for level in ("none", *Level, "pair") if level in by_level]
    return Summary(
        run=run.id,
        policy=run.policy,
        options=run.options,
        seed=run.seed,
        episodes=run.episodes,
        versions=run.versions,
        overall=rates_of([record for name in asking for record in by_task[name]]),
        levels={str(level): rates_of(by_level[level]) for level in order},
        tasks=tuple(
            TaskSummary(
                name,
                task.group,
                task.level,
                task.preferences,
                task.prompt,
                task.max_steps,
                rates_of(by_task[name]),
            )
            for name, task in run.tasks.items()
        ),
    )


def read_summary(folder: Path) -> Summary:
    """Return the numbers of what a folder of `perm evaluate` holds, complete or not.

    Raises:
        PermError: It is no such folder, or a file is damaged.
    """
    return summarise(read_run(folder), read_records(folder))


def rates_of(episodes: Sequence[EpisodeRecord | None]) -> Rates:
    """Return the numbers of some episodes, None standing for one that has not been played."""
    known = [record for record in episodes if record is not None]
    ended = [record for record in known if record.outcome is not Outcome.ERROR]
    successes = [record.success_any for record in ended]
    labels = [record.label for record in ended]
    reached = [record.label for record in ended if record.success_any]
    preferred = [p for p in (record.reached_preferred for record in ended) if p is not None]
    scores = [score for score in (record.joint_score for record in ended) if score is not None]
    sa = satisfaction(successes, labels)
    return Rates(
        n=len(ended),
        n_error=len(known) - len(ended),
        n_planned=len(episodes),
        coverage=len(ended) / len(episodes) if episodes else 0.0,
        sr=success_rate(successes),
        sr_interval=wilson_interval(sum(successes), len(ended)),
        success_end=success_rate([record.success_end for record in ended]),
        success_settled=success_rate([record.success_settled for record in ended]),
        sr_preferred=success_rate(preferred),
        sa=sa,
        sa_interval=(0.0, 1.0) if sa is None else _around(sa, len(ended) - reached.count(None)),
        mean_score=math.fsum(scores) / len(scores) if scores else None,
        labels=_count_labels(reached),
    )


def to_json(summary: Summary) -> str:
    """Return the text of `summary.json`."""
    return json.dumps(asdict(summary), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _around(mean: float, n: int) -> Interval:
    """Return Wilson's interval of an average; a sum that is no whole number is rounded outwards."""
    total = round(4 * mean * n) / 4  # labels are quarters
    return wilson_interval(math.floor(total), n)[0], wilson_interval(math.ceil(total), n)[1]


def _count_labels(labels: Iterable[float | None]) -> dict[str, int]:
    counts = Counter(UNLABELLED if d is None else f"{d:g}" for d in labels)
    return {name: counts[name] for name in (*(f"{d:g}" for d in LABELS), UNLABELLED)}
