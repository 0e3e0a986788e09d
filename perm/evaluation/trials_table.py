"""A suite check as text for a terminal of 100 columns, and as CSV."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from perm.data.trial import KINDS
from perm.evaluation.table import text_table
from perm.evaluation.trials_summary import Checked, Spread, counts

WIDTH = 100
KINDS_SHOWN = 2
"""So many kinds of failures of a task are told apart in the terminal."""


def attempts_table(checked: Sequence[Checked]) -> str:
    """Return one row a task: how often it was done, and as it should; steps and seconds."""
    header = ("Task", "Tries", "OK", "Obeyed", "Twin", "OK", "Disob.", "Steps", "Twin")
    times = ("Time s", "Plan s", "Failures")
    rows = [
        (_name(one), *_count_cells([one]), *_cost_cells(one), _failures(one.failures))
        for one in checked
    ]
    if len(checked) > 1:
        total = sum((one.failures for one in checked), Counter[str]())
        rows.append(("all", *_count_cells(checked), "", "", "", "", _failures(total)))
    return text_table((*header, *times), rows, WIDTH)


def spreads_table(checked: Sequence[Checked]) -> str:
    """Return one row a preference of a task: raw medians, anchors, and the gap between the sides.

    "" if nothing was measured.
    """
    header = ("Task", "Pref.", "Raw", "Twin", "Scores 0", "Scores 100", "Unit", "Gap", "Apart")
    rows = [(_name(one), *_spread_cells(spread)) for one in checked for spread in one.spreads]
    return text_table(header, rows, WIDTH) if rows else ""


def to_csv(checked: Sequence[Checked]) -> str:
    """Return everything, one row a preference of a task, or a task without preferences."""
    rows = [row for one in checked for row in _csv_rows(one)]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def number(value: float | None, unit: str = "") -> str:
    """Return a quantity in as many digits as say something, or "-"."""
    if value is None:
        return "-"
    return f"{value:.0f}" if unit in ("steps", "match") else f"{value:.4g}"


def _name(checked: Checked) -> str:
    return checked.side.task.id.rpartition("/")[2]


def _count_cells(checked: Sequence[Checked]) -> tuple[str, ...]:
    known = counts(checked)
    ours = tuple(str(known[name]) for name in ("attempts", "success", "obeyed"))
    if known["no_twin"] == known["tasks"]:
        return (*ours, "-", "-", "-")
    return (*ours, *(str(known[f"twin_{name}"]) for name in ("attempts", "success", "disobeyed")))


def _cost_cells(one: Checked) -> tuple[str, ...]:
    return (
        number(one.side.steps, "steps"),
        number(one.twin.steps if one.twin else None, "steps"),
        "-" if one.seconds is None else f"{one.seconds:.1f}",
        "-" if one.planning_s is None else f"{one.planning_s:.2f}",
    )


def _failures(kinds: Counter[str]) -> str:
    """Return "plan 2, slip 1", the commonest first."""
    told = [f"{kind} {n}" for kind, n in kinds.most_common(KINDS_SHOWN)]
    rest = kinds.total() - sum(n for _, n in kinds.most_common(KINDS_SHOWN))
    return ", ".join([*told, f"+{rest}"] if rest else told)


def _spread_cells(spread: Spread) -> tuple[str, ...]:
    unit, scale = spread.unit, spread.scale
    anchors = (None, None) if scale is None else (scale.raw_at_0, scale.raw_at_100)
    is_apart = {True: "yes", False: "no", None: "-"}[spread.separates]
    raws = [number(value, unit) for value in (spread.raw, spread.twin_raw, *anchors)]
    return (spread.preference.id, *raws, unit, number(spread.gap, "steps"), is_apart)


def _csv_rows(one: Checked) -> Iterator[Mapping[str, Any]]:
    for spread in one.spreads or (None,):
        yield {
            "task": one.side.task.id,
            "level": one.side.task.level,
            **{name: n for name, n in counts([one]).items() if name != "tasks"},
            **_spread_columns(spread),
            "steps": one.side.steps,
            "twin_steps": one.twin.steps if one.twin else None,
            "seconds": one.seconds,
            "planning_s": one.planning_s,
            **{f"fails_{kind}": one.side.failures[kind] for kind in KINDS},
            **{f"twin_fails_{kind}": one.twin.failures[kind] if one.twin else 0 for kind in KINDS},
        }


def _spread_columns(spread: Spread | None) -> Mapping[str, Any]:
    scale = spread.scale if spread else None
    names = ("raw", "twin_raw", "low", "twin_high", "gap", "separates")
    return {
        "preference": spread.preference.id if spread else None,
        "unit": spread.unit if spread else None,
        "raw_at_0": scale.raw_at_0 if scale else None,
        "raw_at_100": scale.raw_at_100 if scale else None,
        **{name: getattr(spread, name) if spread else None for name in names},
    }
