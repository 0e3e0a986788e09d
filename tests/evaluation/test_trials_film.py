from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import imageio_ffmpeg
import pytest

from perm.data.film import film_path
from perm.evaluation import trials_film
from perm.evaluation.trials_film import Job, develop, picture_path
from perm.evaluation.trials_summary import sum_up
from perm.pipeline.trials import TrialsRequest, run_trials
from tests.evaluation.trials import TWIN, pair, side, trial
from tests.evaluation.world import HIGH


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """What was to be drawn; nothing is."""
    seen: list[Job] = []

    @contextmanager
    def crew(*_: object) -> Iterator[Callable[[Iterable[Job]], list[str]]]:
        def work(given: Iterable[Job]) -> list[str]:
            seen.extend(given)
            return ["No x.mp4: the film is torn"]

        yield work

    monkeypatch.setattr(trials_film, "open_crew", crew)
    return seen


def test_films_that_are_there_and_not_drawn_yet_are_drawn(
    tmp_path: Path, jobs: list[Job], caplog: pytest.LogCaptureFixture
) -> None:
    checked = pair([0.3] * 3, [0.1] * 2, ["slip"])
    shown = [trial(0.3, index=0, kind="slip"), trial(0.3, index=1), trial(0.1, task=TWIN)]
    for one in shown:
        path = film_path(tmp_path, one)
        path.parent.mkdir(exist_ok=True)
        path.touch()
    drawn = picture_path(tmp_path, shown[2])
    drawn.parent.mkdir()
    drawn.touch()
    develop(tmp_path, [checked])
    assert [job.out.name for job in jobs] == ["single-1-7_104_0.jpg", "single-1-7_104_1.mp4"]
    assert caplog.messages == ["No x.mp4: the film is torn"]


def test_without_films_nothing_is_opened(tmp_path: Path, jobs: list[Job]) -> None:
    develop(tmp_path, sum_up((HIGH,), side(HIGH, [0.3])))
    assert jobs == []


@pytest.mark.sim
def test_a_success_becomes_a_video_and_a_torn_film_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from tests.sim.scenes import library, task

    tasks = library().with_twins((task("1-7_104"),))
    checked = sum_up(tasks, run_trials(TrialsRequest(tasks, 1, tmp_path), library()))
    asked, twin = (side.trials[0] for side in checked[0].sides)
    film_path(tmp_path, twin).write_bytes(b"torn")
    develop(tmp_path, checked)
    facts = next(imageio_ffmpeg.read_frames(picture_path(tmp_path, asked)))
    assert (facts["size"], facts["fps"]) == ((256, 256), 5.0)
    assert not picture_path(tmp_path, twin).exists()
    assert "No single-1-7_104.nopref_0.mp4: " in caplog.text
