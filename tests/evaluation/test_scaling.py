"""Tests of perm.evaluation.scaling."""

import csv
import io
from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.evaluation.pairing import Evaluated
from perm.evaluation.scaling import draw, points_of, to_csv
from tests.evaluation.tables import evaluated, said

GOOD, BAD = (True, 1.0), (False, 0.0)


def run(series: str, *episodes: tuple[bool, float]) -> Evaluated:
    scale = {"suite": "pref_scale"}
    records = said("scale/a", *episodes, **scale)
    records += said("scale/b", BAD, generalization="layout", **scale)
    return evaluated(records, series=series, folder=series)


def test_points_come_by_number_of_demonstrations_and_generalization() -> None:
    points = points_of([run("L2", GOOD, GOOD), run("750", GOOD, BAD), run("L1", GOOD, BAD)])
    assert [(p.series, p.demos, p.generalization, p.sr.mean) for p in points] == [
        ("750", 750, "in_domain", 0.5),
        ("750", 750, "layout", 0.0),
        ("L1", 2250, "in_domain", 0.5),
        ("L1", 2250, "layout", 0.0),
        ("L2", 2250, "in_domain", 1.0),
        ("L2", 2250, "layout", 0.0),
    ]


def test_a_run_has_to_say_what_its_policy_was_trained_on() -> None:
    with pytest.raises(PermError, match=r"Figure 4 needs to know .* not 'many'.*series=L1\|L2"):
        points_of([run("many", GOOD)])


def test_table_and_plot_are_files(tmp_path: Path) -> None:
    points = points_of([run("L1", GOOD), run("L2", GOOD)])
    assert [row["sr"] for row in csv.DictReader(io.StringIO(to_csv(points)))] == ["1.0", "0.0"] * 2
    draw(points, tmp_path / "figure4.png")
    assert (tmp_path / "figure4.png").read_bytes().startswith(b"\x89PNG")
