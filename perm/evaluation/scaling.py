"""Figure 4: SR and SA against what the policy was trained on, as a table and a plot."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perm.core.errors import PermError
from perm.data.atomic import completed
from perm.evaluation.pairing import Evaluated
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.samples import Cell, Chosen, cell, players_of, sa, sr
from perm.suites.series import BUDGET, SERIES, SUITE

SETTINGS = {"in_domain": "In domain", "layout": "Unseen layout", "layout_task": "Layout and task"}
"""What generalizations are drawn, with their titles."""
COLOURS = {"in_domain": "tab:blue", "layout": "tab:red", "layout_task": "tab:green"}
MARKS = {"L1": "*", "L3": "^", "L4": "D"}
"""Series that stand beside the trend, at the same number of demonstrations."""


@dataclass(frozen=True)
class Point:
    """One point of the figure.

    Attributes:
        series: As in `series=`: L1 to L4, or a number of demonstrations.
        demos: Number of demonstrations.
        generalization: In domain, or what is new.
        sr, sa: Over the episodes that ask for a preference.
    """

    series: str
    demos: int
    generalization: str
    sr: Cell
    sa: Cell


def points_of(evaluated: Sequence[Evaluated]) -> tuple[Point, ...]:
    """Return the points of runs on PrefScale, by their series.

    Raises:
        PermError: A run does not say what its policy was trained on.
    """
    by_series: dict[str, list[Evaluated]] = {}
    for one in evaluated:
        by_series.setdefault(_checked(one), []).append(one)
    points = []
    for series, runs in sorted(by_series.items(), key=lambda item: (demos_of(item[0]), item[0])):
        players = players_of(runs)
        if len(players) > 1:
            names = " and ".join(player.name for player in players)
            raise PermError(
                f"Figure 4 is about one policy; with series {series} there are {names}."
            )
        for setting in SETTINGS:
            chosen = _of(setting)
            rates = cell(players[0], chosen, sr), cell(players[0], chosen, sa)
            if rates[0].n:
                points.append(Point(series, demos_of(series), setting, *rates))
    return tuple(points)


def demos_of(series: str) -> int:
    """Return how many demonstrations a series means."""
    return BUDGET if series in SERIES else int(series)


def to_csv(points: Sequence[Point]) -> str:
    """Return one line a point; rates are fractions."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("series", "demos", "generalization", "sr", "sa", "episodes", "missing"))
    for point in points:
        rates = ("" if one.mean is None else one.mean for one in (point.sr, point.sa))
        counts = (point.sr.n, point.sr.missing)
        writer.writerow((point.series, point.demos, point.generalization, *rates, *counts))
    return text.getvalue()


def draw(points: Sequence[Point], out: Path) -> None:
    """Draw SR and SA side by side: trends as lines, L1, L3 and L4 as marks."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    for axes, name in zip(figure.subplots(1, 2, sharey=True), ("sr", "sa"), strict=True):
        for setting, title in SETTINGS.items():
            some = [p for p in points if p.generalization == setting]
            trend = [p for p in some if p.series not in MARKS]
            colour = COLOURS[setting]
            if trend:
                axes.plot(*_curve(trend, name), "o-", color=colour, label=title)
            for point in (p for p in some if p.series in MARKS):
                axes.plot(*_curve([point], name), MARKS[point.series], color=colour)
        for series in sorted({p.series for p in points} & set(MARKS)):
            axes.plot([], [], MARKS[series], color="gray", label=series)
        axes.set(title=name.upper(), xlabel="demonstrations", ylim=(-4, 104))
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("%")
    figure.axes[0].legend(frameon=False)
    with completed(out) as path:
        figure.savefig(path, format="png", dpi=150)


def _curve(points: Sequence[Point], name: str) -> tuple[list[int], list[float]]:
    known = [(p.demos, getattr(p, name).mean) for p in points]
    pairs = [(demos, 100 * mean) for demos, mean in known if mean is not None]
    return [demos for demos, _ in pairs], [mean for _, mean in pairs]


def _of(setting: str) -> Chosen:
    def chosen(record: EpisodeRecord) -> bool:
        return (
            record.suite == SUITE
            and bool(record.preference_ids)
            and record.generalization == setting
            and record.perturbation == "none"
        )

    return chosen


def _checked(one: Evaluated) -> str:
    series = one.run.series
    if series not in SERIES and not series.isdecimal():
        raise PermError(
            f"{one.folder}: Figure 4 needs to know what the policy was trained on, not {series!r}: "
            f"perm evaluate ... series={'|'.join(SERIES)} or a number of demonstrations."
        )
    return series
