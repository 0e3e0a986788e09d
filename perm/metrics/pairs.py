"""Episodes with two wishes: kept together, one against the other, one against the task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.metrics.rates import satisfaction

KEPT = 0.75
"""Smallest label of a preference that counts as followed."""
SWAPS = 2000
"""Draws of the null distribution of a domination."""

Label = float | None
Pair = tuple[bool, Label, Label]
"""An episode: whether it succeeded, and the labels of both preferences, not gated by success."""


def joint_label(first: Label, second: Label) -> Label:
    """Return the label of two preferences at once: the smaller one, so that it stays a label."""
    return None if first is None or second is None else min(first, second)


def either_label(first: Label, second: Label) -> Label:
    """Return the label of two preferences that exclude each other: the larger one.

    Where one is not known, the other decides only if none could be larger.
    """
    known = [label for label in (first, second) if label is not None]
    if len(known) == 2 or 1.0 in known:
        return max(known)
    return None


def conflict_satisfaction(episodes: Sequence[Pair]) -> float | None:
    """Return SA of tasks whose preferences exclude each other, with the label that is larger."""
    labels = [either_label(first, second) for _, first, second in episodes]
    return satisfaction([success for success, _, _ in episodes], labels)


@dataclass(frozen=True)
class Domination:
    """How far a policy follows one of two preferences that exclude each other.

    Attributes:
        by_task: SA of each preference, by task.
        mean: Pref-Dom, the mean over tasks of their distance: 0 for who follows both alike, 1 for
            who always follows the same one. A task in which no label is known is left out.
        pooled: The distance of both over all episodes; it depends on which one is called first.
        null: What the mean would be if in each episode either might have been the one followed.
        p_value: Share of such draws that come to at least the mean.
    """

    by_task: Mapping[str, tuple[float, float]]
    mean: float | None
    pooled: float | None
    null: float | None
    p_value: float | None


def domination(tasks: Mapping[str, Sequence[Pair]], seed: int = 0) -> Domination:
    """Return which of two preferences is followed, over the conflict tasks.

    Args:
        tasks: Episodes by task; those without both labels are left out.
        seed: Of the draws of the null distribution.
    """
    worth = {name: _worth(episodes) for name, episodes in tasks.items()}
    worth = {name: values for name, values in worth.items() if len(values)}
    if not worth:
        return Domination({}, None, None, None, None)
    sides = {name: values.mean(axis=0) for name, values in worth.items()}
    mean = float(np.mean([abs(first - second) for first, second in sides.values()]))
    pooled = np.concatenate(list(worth.values())).mean(axis=0)
    draws = _swapped(list(worth.values()), np.random.default_rng(seed))
    return Domination(
        by_task={name: (float(first), float(second)) for name, (first, second) in sides.items()},
        mean=mean,
        pooled=float(abs(pooled[0] - pooled[1])),
        null=float(draws.mean()),
        p_value=float((1 + (draws >= mean - 1e-12).sum()) / (1 + len(draws))),
    )


@dataclass(frozen=True)
class TaskConflict:
    """What is done where a preference excludes the task; shares of the episodes with a label.

    Attributes:
        follow_task: Success, and the preference not kept.
        follow_preference: No success, and the preference kept.
        incomplete: Neither.
        both: Both, which a sound pair makes impossible.
        n: Episodes with a label; the shares are None without one.
    """

    follow_task: float | None
    follow_preference: float | None
    incomplete: float | None
    both: float | None
    n: int


def task_conflict(episodes: Sequence[tuple[bool, Label]]) -> TaskConflict:
    """Return what was followed: the task or the preference.

    Args:
        episodes: Whether each succeeded, and its label, not gated by success.
    """
    known = [(bool(success), label >= KEPT) for success, label in episodes if label is not None]
    if not known:
        return TaskConflict(None, None, None, None, 0)
    kinds = ((True, False), (False, True), (False, False), (True, True))
    task, preference, neither, both = (known.count(kind) / len(known) for kind in kinds)
    return TaskConflict(task, preference, neither, both, len(known))


def _worth(episodes: Sequence[Pair]) -> FloatArray:
    """Return 1[success] x d of both preferences, (N, 2), where both are known."""
    rows = [
        (success * first, success * second)
        for success, first, second in episodes
        if first is not None and second is not None
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def _swapped(tasks: Sequence[FloatArray], rng: np.random.Generator) -> FloatArray:
    """Return the mean distance with the two preferences of each episode swapped at random."""
    total = np.zeros(SWAPS)
    for values in tasks:
        signs = rng.choice([-1.0, 1.0], size=(SWAPS, len(values)))
        total += np.abs(signs @ (values[:, 0] - values[:, 1])) / len(values)
    means: FloatArray = total / len(tasks)
    return means
