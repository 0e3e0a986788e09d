"""Intervals of means over tasks: episodes of one task are alike, so that tasks are drawn.

Levels are fixed by the benchmark. Tasks are drawn within them, one fewer than there are, each
counted k / (k - 1) times, which makes up for what k tasks spread too little (Rao and Wu, JASA 83
(1988), 231-241). A level with a single task has its episodes drawn.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist

import numpy as np

from perm.core.arrays import FloatArray

DRAWS = 2000
"""Resamples of an interval."""

Clusters = Mapping[str, Sequence[Sequence[float]]]
"""By level: for each task, the value of each of its episodes."""


def clustered_interval(
    clusters: Clusters, confidence: float = 0.95, seed: int = 0
) -> tuple[float, float] | None:
    """Return the bootstrap interval of the mean over all episodes.

    Args:
        clusters: Values by level and task.
        confidence: Probability that the interval holds the mean.
        seed: Of the draws.

    Returns:
        Percentiles of the resampled means; None without two episodes.
    """
    strata = [s for s in (_units(tasks) for tasks in clusters.values()) if len(s)]
    if sum(map(len, strata)) < 2:
        return None
    rng = np.random.default_rng(seed)
    total, count = np.zeros(DRAWS), np.zeros(DRAWS)
    for units in strata:
        weights = _weights(len(units), rng)
        total += weights @ units[:, 0]
        count += weights @ units[:, 1]
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(total / count, [tail, 100 - tail])
    return float(low), float(high)


def episodes_needed(deviation: float, half_width: float, confidence: float = 0.95) -> int:
    """Return how many independent values a mean needs for an interval of +- `half_width`.

    Args:
        deviation: Standard deviation of one value.
        half_width: What is wanted, in the unit of the values.
        confidence: Of the interval.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return math.ceil((z * deviation / half_width) ** 2)


def smallest_visible(
    deviation: float, n: int, confidence: float = 0.95, power: float = 0.8
) -> float | None:
    """Return the smallest true mean that n values tell from 0; None without values.

    Args:
        deviation: Standard deviation of one value.
        n: Their number.
        confidence: Of the two-sided test.
        power: Probability that it is seen.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2) + NormalDist().inv_cdf(power)
    return z * deviation / math.sqrt(n) if n else None


def _units(tasks: Sequence[Sequence[float]]) -> FloatArray:
    """Return sum and number of values of each unit drawn, (K, 2): a task, or an episode of one."""
    kept = [values for values in tasks if len(values)]
    if len(kept) == 1:
        kept = [[value] for value in kept[0]]
    return np.array([(math.fsum(v), len(v)) for v in kept], dtype=np.float64).reshape(-1, 2)


def _weights(k: int, rng: np.random.Generator) -> FloatArray:
    """Return how often each of k units counts in each resample, (DRAWS, k)."""
    if k == 1:
        return np.ones((DRAWS, 1))
    drawn = rng.multinomial(k - 1, np.full(k, 1 / k), size=DRAWS)
    return np.asarray(drawn * (k / (k - 1)), dtype=np.float64)
