"""Develops the films of a suite check: a video of a success, the last picture of a failure."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from perm.core.conventions import CAMERAS, CONTROL_HZ
from perm.core.crew import open_crew
from perm.core.errors import PermError
from perm.core.layout import Layout
from perm.data.film import film_path, read_film
from perm.data.trial import Trial, choose_shown
from perm.evaluation.stage import VIDEO_SIZE
from perm.evaluation.trials_summary import Checked
from perm.evaluation.video import write_jpeg, write_mp4

if TYPE_CHECKING:
    from perm.sim.render import Studio

_log = logging.getLogger(__name__)

STRIDE = 4
"""Control steps from one frame to the next: a check has a film or two of every task to draw."""


@dataclass(frozen=True)
class Job:
    """A film, the scene in which it was shot, and the video or picture to make of it."""

    layout: Layout
    film: Path
    out: Path


def picture_path(folder: Path, trial: Trial) -> Path:
    """Return where what is drawn of a trial goes: a video of a success, else a picture."""
    name = film_path(folder, trial).stem
    return folder / "videos" / (f"{name}.mp4" if trial.success else f"{name}.jpg")


def develop(folder: Path, checked: Sequence[Checked], workers: int = 1) -> None:
    """Draw what is not drawn yet. What cannot be drawn is told; the trials count all the same.

    Args:
        folder: Of the check.
        checked: Its tasks and trials.
        workers: Number of processes.
    """
    sides = [side for one in checked for side in one.sides]
    jobs = [
        Job(side.task.mission.layout, film_path(folder, trial), picture_path(folder, trial))
        for side in sorted(sides, key=lambda side: side.task.mission.layout.digest)
        for trial in choose_shown(side.trials)
        if film_path(folder, trial).is_file() and not picture_path(folder, trial).exists()
    ]
    if not jobs:
        return
    with open_crew(begin, min(workers, len(jobs)), _lost) as work:
        for problem in work(jobs):
            if problem:
                _log.warning("%s", problem)


@contextmanager
def begin() -> Iterator[Callable[[Job], str]]:
    """Get ready; what each process does first."""
    darkroom = _Darkroom()
    try:
        yield darkroom.develop
    finally:
        darkroom.close()


def _lost(job: Job, why: str) -> str:
    return f"No {job.out.name}: {why}"


class _Darkroom:
    """Keeps the studio of the last scene, since jobs come sorted by scene."""

    def __init__(self) -> None:
        self._studio: Studio | None = None
        self._digest = ""

    def develop(self, job: Job) -> str:
        """Make one video or picture; return what went wrong, or ""."""
        try:
            self._draw(job)
        except PermError as error:
            return _lost(job, str(error))
        return ""

    def close(self) -> None:
        """Free the studio."""
        if self._studio is not None:
            self._studio.close()
            self._studio = None

    def _enter(self, layout: Layout) -> "Studio":
        from perm.sim.render import Studio
        from perm.sim.store import find_blueprint

        if self._studio is None or self._digest != layout.digest:
            self.close()
            self._studio, self._digest = Studio(find_blueprint(layout)), layout.digest
        return self._studio

    def _draw(self, job: Job) -> None:
        from perm.sim.render import draw_episode

        is_video, camera = job.out.suffix == ".mp4", CAMERAS[0]
        rows = slice(None, None, STRIDE) if is_video else slice(-1, None)
        studio, episode = self._enter(job.layout), read_film(job.film)
        frames = draw_episode(studio, episode, VIDEO_SIZE, (camera,), rows)[camera][:, ::-1]
        if is_video:
            write_mp4(job.out, frames, CONTROL_HZ / STRIDE)
        else:
            write_jpeg(job.out, frames[0])
