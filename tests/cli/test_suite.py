from pathlib import Path

import pytest

from perm.cli.main import main


def shown(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(command.split()) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    return text


def test_the_list_counts_the_tasks_of_each_level(capsys: pytest.CaptureFixture[str]) -> None:
    words = next(
        line.split() for line in shown("suite list", capsys).splitlines() if "SinglePref" in line
    )
    total, *levels = map(int, words[2:])
    assert total == sum(levels) >= 5


def test_a_suite_lists_its_tasks_but_not_their_twins(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("suite show single_pref", capsys)
    assert "single/1-7_104 " in text
    assert "nopref" not in text


def test_a_task_is_described_by_its_bare_id(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("suite show 1-7_104", capsys)
    for line in [
        "Prompt      Task: Put the bowl on the plate. Preference: Move higher.",
        "Preference  1-7 Move higher (motion)",
        "Metric      carry_height",
        "Plan        pick akita_black_bowl_1",
        "            place_on akita_black_bowl_1 plate_1",
        "Twin        single/1-7_104.nopref: Put the bowl on the plate",
    ]:
        assert line in text
    assert "Plain plan" not in text


def test_a_choice_shows_both_plans(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("suite show 3-2_081_1", capsys)
    assert "Plain plan" in text
    assert "Anchors     the preferred choice scores 100" in text


def test_a_task_of_the_user_is_listed_outside_the_suites(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = tmp_path / "task" / "mine" / "1-7_065.yaml"
    task.parent.mkdir(parents=True)
    task.write_text('id: mine/1-7_065\nmission: "065"\npreference: "1-7"\n')
    text = shown(f"suite list --config-dir {tmp_path}", capsys)
    (line,) = [line for line in text.splitlines() if line.startswith("In no suite: ")]
    assert "mine/1-7_065" in line
    assert "1-7_104" not in line


def test_the_preferences_are_listed_with_their_metric(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("preference list", capsys)
    assert ["1-7", "motion", "Move", "higher", "carry_height"] in [
        line.split() for line in text.splitlines()
    ]


def test_the_list_shows_the_tasks_that_filters_keep(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("suite list suite=pref_conflict condition=task+P preference=3-8", capsys)
    found = [line.split()[0] for line in text.splitlines() if line.startswith(" conflict/")]
    assert len(found) == 2


def test_a_task_against_a_wish_shows_its_other_way(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("suite show conflict/pt5_quantity_070__task_pref", capsys)
    assert "Condition   task+P (train)" in text
    assert "Other way   conflict/pt5_quantity_070__task_pref.P" in text
    assert "but not in akita_black_bowl_1" in text
