"""The tables that are printed, and results.json."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import MappingProxyType

from benchmarks.comparison import Findings

RESULTS = Path(__file__).with_name("results.json")


@dataclass(frozen=True)
class Bar:
    """What a result is held against.

    Attributes:
        sign: ">=" or "<=".
        limit: The number that it has to reach, or must not exceed.
    """

    sign: str
    limit: float

    def is_met(self, value: float) -> bool:
        """Return whether a result meets it."""
        return value >= self.limit if self.sign == ">=" else value <= self.limit

    def __str__(self) -> str:
        """Return ">= 3.5"."""
        return f"{self.sign} {self.limit:g}"


BARS: Mapping[str, Bar | None] = MappingProxyType(
    {
        "stepping_ratio": Bar(">=", 3.5),
        "floor_ratio": None,
        "reset_ratio": Bar(">=", 100),
        "start_ratio": Bar(">=", 10),
        "worker_mb": Bar("<=", 450),
        "render_ratio": Bar(">=", 1.15),
        "demos_ratio": Bar(">=", 2.5),
        "demos_per_hour_core": Bar(">=", 1500),
    }
)
"""Entries of results.json, and their bars; the floor is what stepping can reach at most."""


def table_of(findings: Findings) -> str:
    """Return a table of what a benchmark found; costs are medians over the turns."""
    lines = [findings.title, _line("", "LIBERO", "perm", "ratio")]
    for row in findings.rows:
        costs = (_number(median(side)) for side in (row.stock, row.ours))
        lines.append(_line(row.label, *costs, _number(row.ratio)))
    return "\n".join(lines) + "\n"


def verdicts_on(results: Mapping[str, float]) -> str:
    """Return a table of results beside their bars."""
    return "\n".join(_verdicts(results)) + "\n"


def _verdicts(results: Mapping[str, float]) -> Iterator[str]:
    yield _line("", "result", "bar", "")
    for name, value in results.items():
        bar = BARS[name]
        words = (str(bar), "met" if bar.is_met(value) else "missed") if bar else ("", "")
        yield _line(name, _number(value), *words)


def write_results(results: Mapping[str, float], path: Path = RESULTS) -> None:
    """Write results.json.

    Args:
        results: One number for each of `BARS`.
        path: Where to.

    Raises:
        KeyError: One is missing.
    """
    path.write_text(json.dumps({name: round(results[name], 3) for name in BARS}, indent=2) + "\n")


def _line(label: str, *cells: str) -> str:
    return f"  {label:<32}" + "".join(f"{cell:>12}" for cell in cells)


def _number(value: float) -> str:
    """Three digits at least: 4.71, 38.2, 1514."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
