"""SR, SA and their uncertainty, as fractions."""

import math
from collections.abc import Sequence
from statistics import NormalDist, mean, stdev

import numpy as np


def success_rate(successes: Sequence[bool]) -> float | None:
    """Return SR, the mean of 1[success] (paper section 3.4), or None without episodes."""
    return float(np.mean(successes)) if len(successes) else None


def satisfaction(successes: Sequence[bool], labels: Sequence[float | None]) -> float | None:
    """Return SA, the mean of 1[success] x d (paper section 3.4).

    A failure counts 0 whatever its label. A success without a label, where the preference could
    not be measured, is left out: it is neither kept nor broken. Print `unlabelled` beside it.

    Args:
        successes: One an episode.
        labels: Satisfaction label d of each, not gated by success, or None.

    Returns:
        SA, or None where nothing can be said: without episodes, or if no success has a label.
    """
    left_out = unlabelled(successes, labels)
    if not len(successes) or (left_out and left_out == sum(map(bool, successes))):
        return None
    gated = [d for success, d in zip(successes, labels, strict=True) if success and d is not None]
    return sum(gated) / (len(successes) - left_out)


def unlabelled(successes: Sequence[bool], labels: Sequence[float | None]) -> int:
    """Return the number of successes that SA leaves out since they have no label."""
    return sum(bool(success) and d is None for success, d in zip(successes, labels, strict=True))


def mean_and_std(values: Sequence[float]) -> tuple[float, float | None]:
    """Return the mean over runs of one checkpoint, and the sample standard deviation.

    Args:
        values: The metric of each run, over all its episodes.

    Returns:
        Both; the deviation is None for a single run.
    """
    return mean(values), stdev(values) if len(values) > 1 else None


def wilson_interval(
    n_success: int, n_episodes: int, confidence: float = 0.95
) -> tuple[float, float]:
    """Return Wilson's score interval of a success rate; (0, 1) without episodes.

    Args:
        n_success: Number of successes.
        n_episodes: Number of episodes.
        confidence: Probability that the interval holds the true rate.

    Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927), 209-212.
    """
    if n_episodes == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, shrink = n_success / n_episodes, 1 + z * z / n_episodes
    middle = (rate + z * z / (2 * n_episodes)) / shrink
    variance = rate * (1 - rate) / n_episodes + z * z / (4 * n_episodes**2)
    half = z * math.sqrt(variance) / shrink
    return max(0.0, middle - half), min(1.0, middle + half)
