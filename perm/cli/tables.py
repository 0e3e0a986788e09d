"""Tables that fit 80 columns, and the words in which tasks are described."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from perm.core.mission import Goal, SubtaskPlan
from perm.core.task import MetricSpec, Preference
from perm.metrics.calibration import Calibration

WIDTH = 80


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under headings."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    _print(table)


def print_facts(facts: Sequence[tuple[str, str]]) -> None:
    """Print names and values in two columns; a value may have several lines."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(Text(name, "bold"), Text(value))
    _print(table)


def metric_text(metric: MetricSpec) -> str:
    """Return "edge_pick side=right"."""
    return " ".join([metric.name, *_params(metric.params)])


def plan_text(plan: SubtaskPlan) -> str:
    """Return one line a call, "pick mug_1 side=left"."""
    lines = []
    for call in plan.calls:
        words = [call.skill, call.object, call.target or "", *_params(call.params)]
        lines.append(" ".join(filter(None, words)))
    return "\n".join(lines)


def expert_text(preference: Preference) -> str:
    """Return how the expert keeps it, one line a stage: "carry height=0.3"."""
    return "\n".join(" ".join([stage, *_params(p)]) for stage, p in preference.expert.items())


def goal_text(goal: Goal) -> str:
    """Return the alternatives, "On bowl_1 plate_1, or On ..." one a line."""
    any_of, none_of = (
        [" and ".join(" ".join(atom) for atom in atoms) for atoms in alternatives]
        for alternatives in (goal.any_of, goal.none_of)
    )
    return "\n".join(["\nor ".join(any_of), *(f"but not {words}" for words in none_of)])


def anchors_text(calibration: Calibration | None) -> str:
    """Return what scores 0 and what 100, one line an event."""
    if calibration is None:
        return "not calibrated"
    lines = (
        f"{name}: {event.raw_at_0:.4g} scores 0, {event.raw_at_100:.4g} scores 100 [{event.unit}]"
        for name, event in calibration.events.items()
    )
    return "\n".join(lines)


def _params(params: Mapping[str, Any]) -> list[str]:
    return [
        f"{name}={','.join(map(str, value)) if isinstance(value, list | tuple) else value}"
        for name, value in params.items()
    ]


def _print(table: Table) -> None:
    """Print by `print`, because rich turns a reader that leaves early into exit code 1."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    with console.capture() as captured:
        console.print(table)
    print(captured.get(), end="")
