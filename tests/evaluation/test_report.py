import base64
import dataclasses
import html
import re
from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.core.task import Task
from perm.evaluation.report import report
from perm.evaluation.runner import evaluate
from tests.evaluation.world import HIGH, LIBRARY, TASKS, BreaksAt31, Steady, request, twin_of

FILM = b"not a real film"


class Filming(Steady):
    def play(self, task, identity, video):  # type: ignore[no-untyped-def]
        if video is not None:
            video.parent.mkdir(parents=True, exist_ok=True)
            video.write_bytes(FILM)
        return super().play(task, identity, video)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A policy with twins, filmed; another one that breaks now and then."""
    root = tmp_path_factory.mktemp("runs")
    evaluate(request(root / "random", twins=True), LIBRARY, Filming)
    hold = request(root / "hold", policy={"name": "hold"})
    evaluate(hold, LIBRARY, BreaksAt31)
    return [root / "random", root / "hold"]


@pytest.fixture(scope="module")
def page(folders: list[Path]) -> str:
    report(folders, folders[0].parent / "both" / "report.html")
    return (folders[0].parent / "both" / "report.html").read_text()


def text_of(page: str) -> str:
    body = page.partition("<body>")[2].partition("<script>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def test_every_policy_has_a_row_with_rates_and_intervals(page: str) -> None:
    text = text_of(page)
    # 6 of 8 episodes succeed and do as asked; of the other's 8, 2 broke and 6 succeeded.
    assert "random 8 0 75.00 40.93 \u2013 92.85 75.00 33.33 \u2013 100.00" in text
    assert "hold 6 of 8 2 100.00" in text


def test_every_task_shows_the_prompts_as_delivered(page: str) -> None:
    for task in TASKS:
        assert f"<q>{task.prompt}</q>" in page
        assert f"<q>{twin_of(task).prompt}</q>" in page


def test_labels_failures_and_errors_are_told_in_words(page: str) -> None:
    assert 'aria-label="3 label 1, 1 failed"' in page
    assert 'aria-label="3 label ¼, 1 failed"' in page
    assert 'aria-label="3 label 1, 1 broke"' in page
    assert "2 episodes broke and are in no rate" in text_of(page)
    assert "<code>ValueError: the arm fell off</code>" in page


def test_task_and_twin_are_seen_side_by_side(page: str) -> None:
    text = text_of(page)
    first = "random preference in the prompt Goal reached Measured 0.300 m Preference kept"
    second = "random no preference in the prompt Goal reached Measured 0.100 m Preference not kept"
    assert 0 < text.find(first) < text.find(second)
    uri = f"data:video/mp4;base64,{base64.b64encode(FILM).decode()}"
    assert page.count(f'src="{uri}"') == 2 * len(TASKS)


def test_a_choice_is_told_in_words(page: str) -> None:
    assert "Measured preferred choice" in text_of(page)


def test_the_page_needs_nothing_from_outside(page: str) -> None:
    assert re.findall(r"""(?:src|href)=["'](?!data:)[^"']*""", page) == []
    assert "url(" not in page
    assert "http://" not in page and "https://" not in page  # noqa: PT018


def test_text_from_outside_stays_text(tmp_path: Path) -> None:
    evil = dataclasses.replace(
        HIGH, mission=dataclasses.replace(HIGH.mission, language="<script>alert(1)</script>")
    )
    evaluate(request(tmp_path, tasks=(evil,)), LIBRARY, Steady)
    page = (tmp_path / "report.html").read_text()
    assert page.count("<script>") == 1
    assert "Task: &lt;script&gt;alert(1)&lt;/script&gt;. Preference: Move higher." in page


def evaluated(folder: Path, task: Task) -> Path:
    evaluate(request(folder, tasks=(task,), episodes=1), LIBRARY, Steady)
    return folder


def test_runs_on_different_tasks_share_no_page_unless_told(tmp_path: Path) -> None:
    runs = [evaluated(tmp_path / str(i), task) for i, task in enumerate(TASKS)]
    out = tmp_path / "report.html"
    with pytest.raises(PermError, match="not evaluated on the same tasks"):
        report(runs, out)
    assert not out.exists()
    report(runs, out, allow_partial=True)
    assert out.exists()


def test_the_same_run_given_twice_is_refused(tmp_path: Path) -> None:
    run = evaluated(tmp_path / "run", HIGH)
    with pytest.raises(
        PermError, match=r"/run/\.\./run is the same run as .*/run; give each run once"
    ):
        report([run, run / ".." / "run"], tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_no_run_and_a_foreign_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PermError, match="There is no run to report on"):
        report([], tmp_path / "report.html")
    with pytest.raises(PermError, match="is not a folder of `perm evaluate`"):
        report([tmp_path], tmp_path / "report.html")


def test_curves_are_drawn_under_the_videos_with_the_moment_that_decided(page: str) -> None:
    assert page.count('<svg class="curves"') == len(TASKS)
    assert "left Move higher ends at 100; right Move higher ends at 0" in page
    assert "<title>Move higher was decided here</title>" in page


def test_what_asking_changes_stands_beside_the_numbers(page: str) -> None:
    text = text_of(page)
    assert "What asking changes" in text
    # higher only where it is asked for: (1 - 1/4) of 3 of 4 episodes; the red mug anyhow: 0
    assert "random: +28.12 points of SA" in text


def test_tasks_can_be_filtered_by_level_and_preference(page: str) -> None:
    assert 'data-level="motion" data-preference="1-7"' in page
    assert "<option>profile</option>" in page
    assert "<option>3-2</option>" in page


def test_failures_are_told_by_how_they_ended(page: str) -> None:
    assert "step limit 4 4" in text_of(page)


def test_many_videos_lie_beside_the_page(
    folders: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perm.evaluation.report.EMBEDDED", 10)
    out = folders[0].parent / "beside" / "report.html"
    report(folders[:1], out)
    sources = re.findall(r'src="([^"]*mp4)"', out.read_text())
    assert len(sources) == 2 * len(TASKS)
    assert all((out.parent / source).is_file() for source in sources)
    assert sources[0].startswith("../random/videos/")
