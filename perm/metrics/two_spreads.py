"""Two sets of numbers on one axis, as text: how far apart they are, where there is no picture."""

from collections.abc import Sequence

import numpy as np

WIDTH = 48
"""Columns of the axis."""
BARS = " ▁▂▃▄▅▆▇█"


def two_spreads(without: Sequence[float], with_it: Sequence[float], unit: str) -> str:
    """Return three lines: a histogram of each side, and the axis below both.

    Args:
        without: Raw quantity of the demonstrations without the preference.
        with_it: The same with it.
        unit: Of both.
    """
    low, high = min((*without, *with_it)), max((*without, *with_it))
    edges = np.linspace(low, high if high > low else low + 1.0, WIDTH + 1)
    ends = f"{low:.4g}", f"{high:.4g} {unit}"
    axis = ends[0] + " " * max(1, WIDTH - len(ends[0]) - len(ends[1])) + ends[1]
    return "\n".join(
        (
            f"  without  {_bars(without, edges)}",
            f"  with     {_bars(with_it, edges)}",
            f"           {axis}",
        )
    )


def _bars(values: Sequence[float], edges: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    counts, _ = np.histogram(values, edges)
    tallest = max(1, int(counts.max()))
    steps = [-(-int(count) * (len(BARS) - 1) // tallest) for count in counts]
    return "".join(BARS[step] for step in steps).rstrip()
