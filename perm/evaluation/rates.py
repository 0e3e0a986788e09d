"""SR, SA and what belongs beside them, over some episodes, as fractions."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from perm.core.episode import Outcome
from perm.core.satisfaction import LABELS
from perm.evaluation.record import EpisodeRecord
from perm.metrics.intervals import clustered_interval
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
        sa, sa_interval: Success times label, with the 95 % interval of a bootstrap over tasks. Over
            one task it is Wilson's: an average of values in [0, 1] spreads at most as much as
            successes of the same rate.
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
        sa_interval=(0.0, 1.0) if sa is None else _sa_interval(sa, ended, reached.count(None)),
        mean_score=math.fsum(scores) / len(scores) if scores else None,
        labels=_count_labels(reached),
    )


def _sa_interval(sa: float, ended: Sequence[EpisodeRecord], unlabelled: int) -> Interval:
    """Return the interval of SA over tasks, or Wilson's where they tell nothing."""
    levels: dict[str, dict[str, list[float]]] = {}
    for record in ended:
        worth = record.worth(record.label)
        if worth is not None:
            levels.setdefault(record.level, {}).setdefault(record.task_id, []).append(worth)
    if sum(map(len, levels.values())) > 1:
        clusters = {level: list(tasks.values()) for level, tasks in levels.items()}
        found = clustered_interval(clusters)
        if found is not None and found[0] < found[1]:
            return found
    return _around(sa, len(ended) - unlabelled)


def _around(mean: float, n: int) -> Interval:
    """Return Wilson's interval of an average; a sum that is no whole number is rounded outwards."""
    total = round(4 * mean * n) / 4  # labels are quarters
    return wilson_interval(math.floor(total), n)[0], wilson_interval(math.ceil(total), n)[1]


def _count_labels(labels: Iterable[float | None]) -> dict[str, int]:
    counts = Counter(UNLABELLED if d is None else f"{d:g}" for d in labels)
    return {name: counts[name] for name in (*(f"{d:g}" for d in LABELS), UNLABELLED)}
