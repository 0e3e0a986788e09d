"""Curves as points of a small picture: time from left to right, score from below."""

from collections.abc import Sequence
from dataclasses import dataclass

from perm.evaluation.curves import Curve

WIDTH, HEIGHT = 300.0, 60.0
"""Of the picture, in its own units."""


@dataclass(frozen=True)
class Line:
    """One episode and preference.

    Attributes:
        place: Which of the clips it belongs to, from 0.
        name: Of the preference.
        points: For an SVG polyline; parts without a score leave gaps.
        decided: Where the moment that decided is, or None.
        last: Score at the end, or None.
    """

    place: int
    name: str
    points: tuple[str, ...]
    decided: tuple[float, float] | None
    last: float | None


@dataclass(frozen=True)
class Drawing:
    """All curves of a pair of clips, on one time axis."""

    seconds: float
    lines: tuple[Line, ...]


def draw_curves(clips: Sequence[Sequence[Curve]]) -> Drawing | None:
    """Return the drawing of some clips' curves; None if there is nothing to draw."""
    longest = max((c.times[-1] for curves in clips for c in curves if c.times), default=0.0)
    if not longest:
        return None
    lines = [
        _line(place, curve, longest)
        for place, curves in enumerate(clips)
        for curve in curves
        if any(score is not None for score in curve.score)
    ]
    return Drawing(longest, tuple(lines)) if lines else None


def _line(place: int, curve: Curve, seconds: float) -> Line:
    parts: list[list[str]] = [[]]
    for time, score in zip(curve.times, curve.score, strict=True):
        if score is None:
            parts.append([])
        else:
            x, y = _at(time, score, seconds)
            parts[-1].append(f"{x:.1f},{y:.1f}")
    known = [score for score in curve.score if score is not None]
    decided = None
    if curve.decided_s is not None:
        decided = _at(min(curve.decided_s, seconds), known[-1], seconds)
    points = tuple(" ".join(part) for part in parts if part)
    return Line(place, curve.name, points, decided, known[-1])


def _at(time: float, score: float, seconds: float) -> tuple[float, float]:
    return WIDTH * time / seconds, HEIGHT * (1 - score / 100)
