"""Costs of the same work, done by LIBERO and by perm in turns."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import ParamSpec, TypeVar

ArgsP = ParamSpec("ArgsP")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Comparison:
    """One row of a table.

    Attributes:
        label: What was done.
        stock: What it cost LIBERO, turn by turn.
        ours: What it cost perm, turn by turn, in the same unit.
    """

    label: str
    stock: Sequence[float]
    ours: Sequence[float]

    @property
    def ratio(self) -> float:
        """Median of the turns' ratios: how many times less it costs perm."""
        return median(s / o for s, o in zip(self.stock, self.ours, strict=True))


@dataclass(frozen=True)
class Findings:
    """What a benchmark found.

    Attributes:
        title: What the rows compare, in which unit.
        rows: The comparisons.
        results: Its entries of results.json.
    """

    title: str
    rows: tuple[Comparison, ...]
    results: Mapping[str, float]


def median_ratio(rows: Sequence[Comparison]) -> float:
    """Return the median of the rows' ratios."""
    return median(row.ratio for row in rows)


def timed(
    work: Callable[ArgsP, ResultT], *args: ArgsP.args, **kwargs: ArgsP.kwargs
) -> tuple[ResultT, float]:
    """Call a function; return its result and the CPU time of all threads that it took [ms]."""
    began = time.process_time()
    result = work(*args, **kwargs)
    return result, (time.process_time() - began) * 1e3


def cpu_ms(work: Callable[ArgsP, object], *args: ArgsP.args, **kwargs: ArgsP.kwargs) -> float:
    """Call a function; return the CPU time of all threads that it took [ms]."""
    return timed(work, *args, **kwargs)[1]


def totals(rows: Sequence[Comparison]) -> tuple[float, float]:
    """Return what all turns of all rows cost, LIBERO and perm."""
    return sum(sum(row.stock) for row in rows), sum(sum(row.ours) for row in rows)
