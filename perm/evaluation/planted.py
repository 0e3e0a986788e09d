"""A planted policy: recorded episodes put together so that the truth is known, to try intervals.

In each episode it succeeds with a known probability, and keeps what it was asked with another one;
then it does as the expert did in the recorded episode, else as in its twin. Its own twins are told
nothing. SR, SA and uplift of such a policy are known exactly, and intervals have to hold them as
often as they say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from perm.core.errors import PermError
from perm.core.seeding import make_rng
from perm.evaluation.pairing import Evaluated
from perm.evaluation.rates import Interval, rates_of
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.told import pairs_of, told_and_not
from perm.metrics.uplift import uplift

NAMES = ("sr", "sa", "uplift")


@dataclass(frozen=True)
class Recorded:
    """An episode of the expert and its twin; both were played to an end."""

    asked: EpisodeRecord
    plain: EpisodeRecord


@dataclass(frozen=True)
class Planted:
    """How often the policy does what, by level.

    Attributes:
        succeeds: Probability that it reaches a goal that the recorded episode reached.
        follows: Probability that it keeps what it was asked.
    """

    succeeds: Mapping[str, float]
    follows: Mapping[str, float]


def recorded_in(evaluated: Evaluated) -> tuple[Recorded, ...]:
    """Return the pairs of a run of the expert with twins.

    Raises:
        PermError: It has none.
    """
    found = [
        Recorded(asked, plain)
        for asked, plain, _ in told_and_not(evaluated.run, evaluated.records)
        if asked.cause is None and plain.cause is None
    ]
    if not found:
        raise PermError(f"{evaluated.folder} holds no episodes with twins; play with twins=true.")
    return tuple(found)


def draw(
    recorded: Sequence[Recorded], planted: Planted, seed: int
) -> list[tuple[EpisodeRecord, EpisodeRecord]]:
    """Return the policy's episodes and its twins, for one seed."""
    rng = make_rng(seed, "", 0, "planted")
    found = []
    for one in recorded:
        level = one.asked.level
        follows, *succeeds = rng.random(3) < (
            planted.follows[level],
            planted.succeeds[level],
            planted.succeeds[level],
        )
        done = one.asked if follows else one.plain
        asked = replace(one.asked, d=done.d, success_any=bool(done.success_any and succeeds[0]))
        plain = replace(one.plain, success_any=bool(one.plain.success_any and succeeds[1]))
        found.append((asked, plain))
    return found


def truth(recorded: Sequence[Recorded], planted: Planted) -> dict[str, float]:
    """Return what SR, SA and uplift of the policy are on average over all seeds."""
    sr, sa, plain_sa = [], [], []
    for one in recorded:
        names, level = one.asked.preference_ids, one.asked.level
        p, q = planted.follows[level], planted.succeeds[level]
        worths = [_worth(record, names) for record in (one.asked, one.plain)]
        wins = [float(record.success_any) for record in (one.asked, one.plain)]
        sr.append(q * (p * wins[0] + (1 - p) * wins[1]))
        sa.append(q * (p * worths[0] + (1 - p) * worths[1]))
        plain_sa.append(q * worths[1])
    return {"sr": fmean(sr), "sa": fmean(sa), "uplift": fmean(sa) - fmean(plain_sa)}


def coverage(recorded: Sequence[Recorded], planted: Planted, draws: int) -> dict[str, float]:
    """Return how often the intervals of SR, SA and uplift hold the truth.

    Args:
        recorded: Episodes to draw from; those without a label are left out.
        planted: The policy.
        draws: Number of seeds.
    """
    known = [one for one in recorded if _is_labelled(one)]
    true, hits = truth(known, planted), dict.fromkeys(NAMES, 0)
    for seed in range(draws):
        for name, interval in intervals(draw(known, planted, seed)).items():
            hits[name] += interval[0] <= true[name] <= interval[1]
    return {name: count / draws for name, count in hits.items()}


def intervals(episodes: Sequence[tuple[EpisodeRecord, EpisodeRecord]]) -> dict[str, Interval]:
    """Return the intervals that a report gives for some episodes and their twins."""
    rates = rates_of([asked for asked, _ in episodes])
    found = uplift(pairs_of((a, b, a.preference_ids) for a, b in episodes))
    return {
        "sr": rates.sr_interval,
        "sa": rates.sa_interval,
        "uplift": found.interval or (-1.0, 1.0),
    }


def _worth(record: EpisodeRecord, names: Sequence[str]) -> float:
    label = record.label_of(names)
    return 0.0 if not record.success_any or label is None else label


def _is_labelled(one: Recorded) -> bool:
    names = one.asked.preference_ids
    return all(record.label_of(names) is not None for record in (one.asked, one.plain))


def level_probabilities(values: Sequence[float]) -> dict[str, float]:
    """Return probabilities by level, for motion, skill and profile in this order."""
    return dict(zip(("motion", "skill", "profile"), map(float, np.asarray(values)), strict=True))
