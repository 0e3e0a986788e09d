"""Preference uplift: what the preference's sentence changes, each episode beside its twin.

A twin begins in the same scene with the same seed and is told the task only; the same metric is
read in both. So what a policy does anyhow cancels out.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from scipy.stats import binomtest

from perm.metrics.intervals import clustered_interval, episodes_needed, smallest_visible
from perm.metrics.pairs import KEPT

WANTED = 0.05
"""Half-width of an interval for which the needed number of pairs is told."""


@dataclass(frozen=True)
class Side:
    """One of two episodes: whether it succeeded, and its label, not gated by success."""

    success: bool
    label: float | None

    @property
    def worth(self) -> float | None:
        """What it adds to SA: success times label; None for a success without a label."""
        if not self.success:
            return 0.0
        return self.label

    @property
    def kept(self) -> bool:
        """Whether it succeeded and kept the preference."""
        return self.success and self.label is not None and self.label >= KEPT


@dataclass(frozen=True)
class PairedEpisodes:
    """An episode in which the preference was asked for, and its twin."""

    asked: Side
    plain: Side


@dataclass(frozen=True)
class Uplift:
    """What asking changes.

    Attributes:
        n: Pairs of which both sides have a worth; all numbers are over these.
        asked, plain: SA with the sentence and without it.
        difference, interval: Their difference, with the 95 % interval of a bootstrap over tasks,
            or None where all differences are the same.
        gained, lost: Pairs in which only the asked side, or only the plain one, kept it.
        p_value: Exact McNemar test of these two numbers, two-sided; 1 without any.
        adjusted: The same after Holm, over all preferences of the table; None outside of one.
        visible: Smallest difference that so many pairs show, with 80 % power.
        needed: Pairs for an interval of +- 0.05.
    """

    n: int
    asked: float | None
    plain: float | None
    difference: float | None
    interval: tuple[float, float] | None
    gained: int
    lost: int
    p_value: float
    adjusted: float | None = None
    visible: float | None = None
    needed: int | None = None


def uplift(pairs: Mapping[str, Mapping[str, Sequence[PairedEpisodes]]]) -> Uplift:
    """Return the uplift over pairs of episodes.

    Args:
        pairs: By level and task.
    """
    values: dict[str, list[list[float]]] = {}
    asked, plain, differences = list[float](), list[float](), list[float]()
    known = list[PairedEpisodes]()
    for level, tasks in pairs.items():
        for episodes in tasks.values():
            values.setdefault(level, []).append([])
            for pair in episodes:
                with_it, without = pair.asked.worth, pair.plain.worth
                if with_it is None or without is None:
                    continue
                asked.append(with_it)
                plain.append(without)
                differences.append(with_it - without)
                values[level][-1].append(with_it - without)
                known.append(pair)
    gained = sum(pair.asked.kept and not pair.plain.kept for pair in known)
    lost = sum(pair.plain.kept and not pair.asked.kept for pair in known)
    # Where all differences are the same, nothing is known of how they vary.
    spread = (stdev(differences) if len(differences) > 1 else 0.0) or None
    interval = clustered_interval(values)
    return Uplift(
        n=len(known),
        asked=fmean(asked) if asked else None,
        plain=fmean(plain) if plain else None,
        difference=math.fsum(differences) / len(differences) if differences else None,
        interval=interval if interval and interval[0] < interval[1] else None,
        gained=gained,
        lost=lost,
        p_value=mcnemar(gained, lost),
        visible=None if spread is None else smallest_visible(spread, len(differences)),
        needed=None if spread is None else episodes_needed(spread, WANTED),
    )


def mcnemar(gained: int, lost: int) -> float:
    """Return the exact two-sided p-value that either of two discordant outcomes is as likely."""
    return float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return p-values adjusted for their number.

    Source: S. Holm, Scand. J. Statist. 6 (1979), 65-70.
    """
    adjusted, largest = dict[str, float](), 0.0
    order = sorted(p_values, key=lambda name: p_values[name])
    for place, name in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - place) * p_values[name]))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}
