import csv
import io

import pytest

from perm.evaluation.trials_summary import Checked, sum_up
from perm.evaluation.trials_table import attempts_table, number, spreads_table, to_csv
from tests.evaluation.trials import TWIN, pair, side
from tests.evaluation.world import HIGH

CHECKED = pair([0.3] * 20, [0.1] * 20, ["slip"] * 2 + ["plan"], ["place", "knock", "plan"])


@pytest.fixture
def alone() -> Checked:
    (checked,) = sum_up((HIGH,), side(HIGH, [0.3, 0.3]))
    return checked


def test_a_row_tells_how_often_it_was_done_and_as_it_should() -> None:
    header, _, row = attempts_table([CHECKED]).splitlines()
    assert header.split()[:7] == ["Task", "Tries", "OK", "Obeyed", "Twin", "OK", "Disob."]
    assert row.split()[:7] == ["1-7_104", "20", "17", "17", "20", "17", "17"]
    assert row.split()[7:] == ["140", "100", "2.0", "0.25", "slip", "2,", "plan", "2,", "+2"]


def test_a_task_without_a_twin_says_so(alone: Checked) -> None:
    row = attempts_table([alone]).splitlines()[-1]
    assert row.split() == ["1-7_104", "2", "2", "2", "-", "-", "-", "100", "-", "2.0", "0.25"]
    assert spreads_table([alone]).splitlines()[-1].split()[-2:] == ["-", "-"]


def test_several_tasks_are_summed_up(alone: Checked) -> None:
    last = attempts_table([CHECKED, alone]).splitlines()[-1]
    assert last.split()[:7] == ["all", "22", "19", "19", "20", "17", "17"]


def test_a_preference_is_told_with_its_anchors_and_its_gap() -> None:
    row = spreads_table([CHECKED]).splitlines()[-1]
    assert row.split() == ["1-7_104", "1-7", "0.3", "0.1", "0.1", "0.3", "m", "100", "yes"]


def test_where_nothing_is_measured_there_is_no_table() -> None:
    assert spreads_table([]) == ""


def test_the_tables_fit_100_columns(alone: Checked) -> None:
    for table in (attempts_table([CHECKED, alone]), spreads_table([CHECKED, alone])):
        assert max(map(len, table.splitlines())) <= 100


def test_the_csv_has_every_column() -> None:
    (row,) = csv.DictReader(io.StringIO(to_csv([CHECKED])))
    expected = {
        "task": HIGH.id,
        "level": "motion",
        "attempts": "20",
        "success": "17",
        "obeyed": "17",
        "twin_success": "17",
        "twin_disobeyed": "17",
        "preference": "1-7",
        "unit": "m",
        "raw": "0.3",
        "twin_raw": "0.1",
        "raw_at_0": "0.1",
        "raw_at_100": "0.3",
        "separates": "True",
        "steps": "140.0",
        "twin_steps": "100.0",
        "planning_s": "0.25",
        "fails_slip": "2",
        "fails_plan": "1",
        "twin_fails_knock": "1",
        "twin_fails_other": "0",
    }
    assert {name: row[name] for name in expected} == expected


def test_a_quantity_has_as_many_digits_as_say_something() -> None:
    assert number(141.0, "steps") == "141"
    assert number(0.341234, "m") == "0.3412"
    assert number(None, "m") == "-"
    assert TWIN.is_twin
