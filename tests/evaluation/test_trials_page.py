import base64
import json
from dataclasses import replace
from pathlib import Path

import pytest

from perm.core.task import Task
from perm.evaluation.trials_film import picture_path
from perm.evaluation.trials_page import write_check
from perm.evaluation.trials_summary import Checked, sum_up
from tests.evaluation.test_report import text_of
from tests.evaluation.trials import TWIN, side
from tests.evaluation.world import HIGH

NAMED = replace(HIGH, condition=(replace(HIGH.condition[0], name="<b>Higher</b>"),))
PLAIN: Task = replace(HIGH, id="single/plain", group="single/plain", condition=(), measured=())


def checked() -> tuple[Checked, ...]:
    return sum_up(
        (HIGH, TWIN, PLAIN),
        [
            *side(HIGH, [0.3] * 4, kinds=["slip", "slip", "plan"]),
            *side(TWIN, [0.1] * 4),
            *side(PLAIN, [None, None]),
        ],
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Everything is drawn but the plan that failed."""
    for one in checked():
        for known in one.sides:
            for trial in known.trials:
                if trial.kind != "plan":
                    path = picture_path(tmp_path, trial)
                    path.parent.mkdir(exist_ok=True)
                    path.write_bytes(f"{trial.task_id} {trial.index}".encode())
    write_check(tmp_path, checked())
    return tmp_path


def page(folder: Path) -> str:
    return (folder / "report.html").read_text()


def uri(kind: str, content: str) -> str:
    return f'src="data:{kind};base64,{base64.b64encode(content.encode()).decode()}"'


def test_three_files_are_written(folder: Path) -> None:
    assert {path.name for path in folder.iterdir() if path.is_file()} == {
        "report.html",
        "summary.json",
        "tasks.csv",
    }
    assert json.loads((folder / "summary.json").read_text())["attempts"] == 6


def test_a_task_shows_its_first_success_with_and_without(folder: Path) -> None:
    videos = [line for line in page(folder).splitlines() if "<video" in line]
    assert len(videos) == 3
    for line, content in zip(
        videos, [f"{HIGH.id} 3", f"{TWIN.id} 0", f"{PLAIN.id} 0"], strict=True
    ):
        assert uri("video/mp4", content) in line
    text = text_of(page(folder))
    assert "With the preference init 33, 100 steps Without init 30, 100 steps" in text
    assert "Plain init 30" in text


def test_failures_are_told_with_their_cause_and_the_picture_of_one(folder: Path) -> None:
    text = text_of(page(folder))
    assert (
        "2 \u00d7 slip , with (picture: the end from init 30) gave up: slip: no way 2 times" in text
    )
    assert "1 \u00d7 plan , with gave up: plan: no way" in text
    assert page(folder).count("<img") == 1
    assert uri("image/jpeg", f"{HIGH.id} 0") in page(folder)


def test_what_falls_short_stands_out(folder: Path) -> None:
    assert '<span class="alarm">1</span> <span class="unit">of 4</span>' in page(folder)
    assert '<span>4</span> <span class="unit">of 4</span>' in page(folder)


def test_raw_values_are_dots(folder: Path) -> None:
    assert page(folder).count("<circle") == 8
    assert page(folder).count('<circle class="dot1"') == 1
    assert page(folder).count('<circle class="lost"') == 3


def test_a_page_needs_nothing_from_elsewhere(folder: Path) -> None:
    assert "http" not in page(folder).replace('http-equiv="Content-Security-Policy"', "")


def test_a_name_is_text_and_not_markup(tmp_path: Path) -> None:
    named = replace(HIGH, measured=NAMED.condition)
    write_check(tmp_path, sum_up((named,), side(named, [0.3])))
    assert "<b>Higher" not in page(tmp_path)
    assert "&lt;b&gt;Higher" in page(tmp_path)
