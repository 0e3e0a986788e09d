"""Tests of perm.evaluation.table_files."""

import csv
from pathlib import Path

import pytest

from perm.evaluation.paper_tables import PaperTable
from perm.evaluation.samples import Cell
from perm.evaluation.table_files import cell_text, to_latex, to_markdown, to_text, write_table

NONE = Cell(None, None, 0, 0)
TABLE = PaperTable(
    "table9",
    "A & B",
    ("SR", "SA"),
    (("pi_0 100%", (Cell(0.847, 0.0111055, 10, 0), NONE)), ("hold", (Cell(0.5, None, 2, 1), NONE))),
    ("a note",),
)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Cell(0.847, 0.0111055, 10, 0), "84.70 ±1.11"),
        (Cell(1.0, None, 1, 0), "100.00"),
        (NONE, "-"),
    ],
)
def test_a_cell_is_percent_with_two_decimals(cell: Cell, text: str) -> None:
    assert cell_text(cell) == text


def test_markdown_has_title_cells_and_notes() -> None:
    assert to_markdown(TABLE).splitlines() == [
        "**A & B**",
        "",
        "| Policy | SR | SA |",
        "| --- | ---: | ---: |",
        "| pi_0 100% | 84.70 ±1.11 | - |",
        "| hold | 50.00 | - |",
        "",
        "- a note",
    ]


def test_latex_escapes_what_it_would_trip_over() -> None:
    text = to_latex(TABLE)
    assert r"pi\_0 100\% & 84.70 {\scriptsize $\pm$}1.11 & - \\" in text
    assert text.startswith("% A & B\n")


def test_in_a_terminal_a_column_is_a_line() -> None:
    assert to_text(TABLE).splitlines()[2:5] == [
        "      pi_0 100%   hold",
        "SR  84.70 ±1.11  50.00",
        "SA            -      -",
    ]


def test_three_files_are_written(tmp_path: Path) -> None:
    paths = write_table(TABLE, tmp_path)
    assert [path.name for path in paths] == ["table9.md", "table9.tex", "table9.csv"]
    rows = list(csv.DictReader(paths[2].open()))
    assert rows[0]["mean"] == "0.847"
    assert (rows[1]["mean"], rows[2]["missing"]) == ("", "1")
