"""Strips of dots: what a preference measured in each trial, with it and without."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perm.data.trial import Reading, Trial
from perm.evaluation.trials_summary import Checked, Side, Spread
from perm.evaluation.trials_table import number

WIDTH, LANE, RADIUS = 480, 44, 3
"""Of the drawing, of one strip in it, and of a dot [px]."""
MARGIN = 8
"""Left and right of the outermost dots [px]."""


@dataclass(frozen=True)
class Dot:
    """One trial: where it is drawn [px], the name of its style, and what it says."""

    x: float
    y: float
    style: str
    title: str


@dataclass(frozen=True)
class Mark:
    """A vertical line: where it is drawn [px], and its name."""

    x: float
    name: str


@dataclass(frozen=True)
class Strips:
    """Everything to draw of one preference.

    Attributes:
        spread: Its numbers.
        lanes: Name and dots, one a side.
        marks: The anchors, and where label 1 begins.
        ends: Values at the left and right margin, in words.
        height: Of the drawing [px].
    """

    spread: Spread
    lanes: tuple[tuple[str, tuple[Dot, ...]], ...]
    marks: tuple[Mark, ...]
    ends: tuple[str, str]
    height: int


def draw_strips(checked: Checked, spread: Spread) -> Strips | None:
    """Return the strips of one preference, or None where nothing was measured."""
    known = [_known(side, spread.preference.id) for side in checked.sides]
    values = [value for side in known for _, _, value in side]
    if not values:
        return None
    lines = _lines(spread)
    shown = [*values, *lines.values()]
    low, high = min(shown), max(shown)

    def place(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)

    lanes = []
    for i, (side, found) in enumerate(zip(checked.sides, known, strict=True)):
        spots = _stacked([place(value) for _, _, value in found], (i + 0.5) * LANE)
        dots = tuple(_dot(one, spot) for one, spot in zip(found, spots, strict=True))
        lanes.append(("without" if side is checked.twin else "with", dots))
    return Strips(
        spread=spread,
        lanes=tuple(lanes),
        marks=tuple(Mark(place(value), name) for name, value in lines.items()),
        ends=(number(low, spread.unit), f"{number(high, spread.unit)} {spread.unit}"),
        height=LANE * len(lanes),
    )


def _known(side: Side, preference: str) -> list[tuple[Trial, Reading, float]]:
    found = ((trial, trial.readings.get(preference)) for trial in side.trials)
    return [(t, one, one.raw) for t, one in found if one is not None and one.raw is not None]


def _lines(spread: Spread) -> dict[str, float]:
    """Return the raw quantities that are worth a line."""
    scale = spread.scale
    if scale is None:
        return {}
    bar = scale.raw_at_0 + scale.cuts[2] / 100 * (scale.raw_at_100 - scale.raw_at_0)
    return {"scores 0": scale.raw_at_0, "scores 100": scale.raw_at_100, "label 1 from here": bar}


def _stacked(xs: Sequence[float], middle: float) -> Iterator[tuple[float, float]]:
    """Yield places [px] in which dots of nearly the same value stand above and below each other."""
    taken: Counter[int] = Counter()
    for x in xs:
        column = round(x / (2 * RADIUS))
        step, side = (taken[column] + 1) // 2, 1 if taken[column] % 2 else -1
        taken[column] += 1
        reach = LANE / 2 - RADIUS - 1
        yield x, round(middle + side * min(step * 2 * RADIUS, reach), 1)


def _dot(found: tuple[Trial, Reading, float], spot: tuple[float, float]) -> Dot:
    trial, reading, value = found
    label = "no label" if reading.label is None else f"label {reading.label:g}"
    told = f"init {trial.init_index}: {number(value, reading.unit)} {reading.unit}, {label}"
    if not trial.success:
        return Dot(*spot, "lost", f"{told}; {trial.cause}")
    return Dot(*spot, "unknown" if reading.label is None else _style(reading.label), told)


def _style(label: float) -> str:
    return f"dot{label:g}".replace(".", "-")
