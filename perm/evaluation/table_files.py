"""Tables as text, Markdown, LaTeX and CSV."""

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from perm.data.atomic import completed
from perm.evaluation.paper_tables import PaperTable
from perm.evaluation.samples import Cell

FIRST = "Policy"


def write_table(table: PaperTable, out: Path) -> list[Path]:
    """Write a table in every format; return the files."""
    paths = []
    for ending, text in FORMATS.items():
        with completed(out / f"{table.name}{ending}") as path:
            path.write_text(text(table), encoding="utf-8")
        paths.append(out / f"{table.name}{ending}")
    return paths


def cell_text(cell: Cell) -> str:
    """Return percent with two decimals, "84.70 ±1.11", or "-" where nothing was measured."""
    if cell.mean is None:
        return "-"
    mean = f"{100 * cell.mean:.2f}"
    return mean if cell.deviation is None else f"{mean} ±{100 * cell.deviation:.2f}"


def to_markdown(table: PaperTable) -> str:
    """Return the table with its title and notes."""
    lines = [f"**{table.title}**", ""]
    lines.append(_line((FIRST, *table.columns)))
    lines.append(_line(("---", *("---:" for _ in table.columns))))
    lines += [_line((name, *map(cell_text, cells))) for name, cells in table.rows]
    return "\n".join([*lines, "", *(f"- {note}" for note in table.notes)]) + "\n"


def to_latex(table: PaperTable) -> str:
    """Return a tabular for booktabs, its title and notes as comments."""
    lines = [f"% {table.title}", *(f"% {note}" for note in table.notes)]
    lines.append(rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}")
    lines.append(r"\toprule")
    lines.append(_tex_line((FIRST, *table.columns)))
    lines.append(r"\midrule")
    lines += [_tex_line((name, *map(cell_text, cells))) for name, cells in table.rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def to_csv(table: PaperTable) -> str:
    """Return one line a cell; numbers are fractions."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("policy", "column", "mean", "deviation", "episodes", "missing"))
    for name, cells in table.rows:
        for column, one in zip(table.columns, cells, strict=True):
            numbers = ("" if x is None else x for x in (one.mean, one.deviation))
            writer.writerow((name, column, *numbers, one.n, one.missing))
    return text.getvalue()


def to_text(table: PaperTable) -> str:
    """Return the table turned, one line a column, so that it fits a terminal."""
    names = [name for name, _ in table.rows]
    body = [
        (column, *(cell_text(cells[k]) for _, cells in table.rows))
        for k, column in enumerate(table.columns)
    ]
    rows = [("", *names), *body]
    widths = [max(len(row[i]) for row in rows) for i in range(len(names) + 1)]
    lines = []
    for first, *others in rows:
        cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join([table.title, "", *lines, "", *table.notes])


FORMATS: Mapping[str, Callable[[PaperTable], str]] = MappingProxyType(
    {".md": to_markdown, ".tex": to_latex, ".csv": to_csv}
)
"""By the ending of the file."""


def _line(cells: tuple[str, ...]) -> str:
    escaped = [text.replace("|", r"\|") for text in cells]
    return f"| {' | '.join(escaped)} |"


def _tex_line(cells: tuple[str, ...]) -> str:
    return " & ".join(map(_tex, cells)) + r" \\"


def _tex(text: str) -> str:
    for mark in "&%$#_{}":
        text = text.replace(mark, rf"\{mark}")
    return text.replace("±", r"{\scriptsize $\pm$}")
