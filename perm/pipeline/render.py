"""perm dataset render: images for demonstrations that were made without."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from perm.bddl.read import parse_layout
from perm.bddl.write import with_derived
from perm.core.catalogue import derived_in
from perm.core.conventions import CAMERAS
from perm.core.crew import Begin, open_crew
from perm.core.errors import PermError
from perm.data.demo import Demo
from perm.data.journal import existing_parts, merge, output_lock, parts_folder, write_part
from perm.data.reader import DemoFile, read_demo_file
from perm.pipeline.progress import show_progress
from perm.suites.library import load_library

if TYPE_CHECKING:
    from perm.sim.render import Studio

STORED = 0.6
"""Bytes that a byte of an image takes in a file at most, roughly."""


@dataclass(frozen=True)
class Drawn:
    """What came of drawing one demonstration.

    Attributes:
        index: Its number.
        problem: Why it was not drawn, or "".
    """

    index: int
    problem: str = ""


def render_dataset(path: Path, size: int, workers: int = 1) -> None:
    """Add images to a file, which becomes the same as if it had been generated with them.

    Until all is drawn the file stays as it is. Demonstrations that are ready wait beside it, so
    that the same call goes on where an earlier one was stopped.

    Args:
        path: A demonstration file.
        size: Height and width of the images [px].
        workers: Number of processes.

    Raises:
        PermError: The file is damaged, in use or has images of another size, the disk is too full,
            or some demonstrations could not be drawn.
    """
    folder = _images_folder(path)
    if lacks_images(path, size) or folder.exists():
        with output_lock(path):
            if lacks_images(path, size):  # nobody was quicker
                _draw_all(path, size, workers)
            shutil.rmtree(folder, ignore_errors=True)


def _images_folder(path: Path) -> Path:
    return parts_folder(path).with_suffix(".images")


def lacks_images(path: Path, size: int) -> bool:
    """Return whether there is anything to draw.

    Raises:
        PermError: The file is damaged or has images of another size.
    """
    with read_demo_file(path) as file:
        present = file.facts.image_size
        if present and present != size:
            raise PermError(
                f"{path} has images of {present} px, and its frames are not drawn twice. For "
                f"{size} px, generate it anew with images={size}, or images=none and render that."
            )
        return not present


def _draw_all(path: Path, size: int, workers: int) -> None:
    from perm.sim.versions import versions

    with read_demo_file(path) as file:
        stamp = f"{file.checksum} {size} {os.environ.get('MUJOCO_GL')} {versions()}"
        n_frames = sum(_n_steps(demo) for demo in file)  # reading verifies all of them
        count = len(file)
    folder = _images_folder(path)
    _claim(folder, stamp)
    ready = existing_parts(folder)
    share = (count - len(ready)) / count
    _refuse_full_disk(path, int(share * n_frames) * len(CAMERAS) * size * size * 3)
    missing = [index for index in range(count) if index not in ready]
    drawn = _run(partial(begin, path, folder, size), missing, workers, count)
    problems = {one.index: one.problem for one in drawn}
    parts = existing_parts(folder)
    told = [
        f"demo_{index} was not drawn: {problems.get(index) or 'what was written is damaged'}"
        for index in range(count)
        if index not in parts
    ]
    if told:
        told.append(f"{path} is as it was; the same command draws what is missing.")
        raise PermError("\n".join(told))
    merge(parts, path)


def _n_steps(demo: Demo) -> int:
    assert demo.episode.trace is not None
    return demo.episode.trace.n_steps


def _refuse_full_disk(path: Path, raw: int) -> None:
    """Refuse what would not fit: all images are there twice for a moment."""
    needed, free = int(2 * STORED * raw), shutil.disk_usage(path.parent).free
    if free < needed:
        raise PermError(
            f"The images of {path} need up to {needed / 1e9:.2f} GB for a while; "
            f"{free / 1e9:.2f} GB are free. Make room, or draw smaller ones."
        )


def _claim(folder: Path, stamp: str) -> None:
    """Empty a folder unless its parts were drawn for the same content and size."""
    mark = folder / "drawn_for.txt"
    if not mark.is_file() or mark.read_text(encoding="utf-8") != stamp:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)
        mark.write_text(stamp, encoding="utf-8")


def _run(begin: Begin[int, Drawn], missing: list[int], workers: int, total: int) -> Iterator[Drawn]:
    if not missing:
        return
    with (
        show_progress("Demos", total, total - len(missing)) as advance,
        open_crew(begin, min(workers, len(missing)), Drawn) as work,
    ):
        for drawn in work(missing):
            advance("")
            yield drawn


@contextmanager
def begin(path: Path, folder: Path, size: int) -> Iterator[Callable[[int], Drawn]]:
    """Get a studio ready for the file's scene; what each process does first."""
    from perm.sim.render import Studio
    from perm.sim.store import find_blueprint

    with read_demo_file(path) as file:
        first = file.demo(0)
        layout = parse_layout(first.bddl_text, first.problem_file)
        studio = Studio(find_blueprint(with_derived(layout, derived_in(load_library().catalogue))))
        try:
            yield lambda index: _draw(studio, file, folder, size, index)
        finally:
            studio.close()


def _draw(studio: "Studio", file: DemoFile, folder: Path, size: int, index: int) -> Drawn:
    from perm.sim.render import draw_episode
    from perm.sim.versions import versions

    demo, here = file.demo(index), versions()["mujoco"]
    if (made_with := demo.episode.versions.get("mujoco", here)) != here:
        return Drawn(index, f"it was made with MuJoCo {made_with}, and here is {here}")
    images = draw_episode(studio, demo.episode, size, rows=slice(-1))
    try:
        write_part(folder, index, replace(demo, images=images))
    except OSError as error:  # a full disk
        return Drawn(index, str(error))
    return Drawn(index)
