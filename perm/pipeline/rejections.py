"""Rejected attempts, by cause."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from perm.data.reader import read_demo_file


def count_rejections(files: Iterable[Path]) -> Counter[str]:
    """Return how many attempts were rejected on the way to demonstrations, by cause.

    Args:
        files: Demonstration files; whenever a demonstration was made, its attempts are in it.
    """
    causes: Counter[str] = Counter()
    for path in files:
        with read_demo_file(path) as file:
            for demo in file:
                causes.update(demo.attempts)
    return causes


def name_causes(causes: Mapping[str, int]) -> str:
    """Return causes in words, the commonest first: "moved plate_1 (2x), step limit (1x)"."""
    return ", ".join(f"{cause} ({n}x)" for cause, n in Counter(causes).most_common())
