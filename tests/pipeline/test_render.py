import shutil
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from perm.bddl.write import write_layout
from perm.core.errors import PermError
from perm.data.demo import Demo
from perm.data.journal import output_lock, write_part
from perm.data.reader import read_demo_file
from perm.data.writer import write_demo_file
from perm.pipeline import render
from perm.pipeline.render import Drawn, lacks_images, render_dataset
from tests.data.demos import make_demo

from ..sim.scenes import task

COUNT = 3


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of three demonstrations without images."""
    path = tmp_path / "x_demo.hdf5"
    write_demo_file(path, (make_demo(i) for i in range(COUNT)), COUNT)
    return path


class Painter:
    """Stands for a studio: paints the frames that `make_demo` gives the same demonstration."""

    def __init__(self, stop_after: int = COUNT, loses: int | None = None) -> None:
        self.painted: list[int] = []
        self.stop_after, self.loses = stop_after, loses

    @contextmanager
    def begin(self, path: Path, folder: Path, size: int) -> Iterator[Callable[[int], Drawn]]:
        def draw(index: int) -> Drawn:
            if len(self.painted) == self.stop_after:
                raise KeyboardInterrupt
            if index == self.loses:
                return Drawn(index, "No space left on device")
            self.painted.append(index)
            write_part(folder, index, make_demo(index, image_size=size))
            return Drawn(index)

        yield draw


@pytest.fixture
def hire(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Painter]:
    def _hire(**habits: int) -> Painter:
        painter = Painter(**habits)
        monkeypatch.setattr(render, "begin", painter.begin)
        return painter

    return _hire


def generated(folder: Path, size: int) -> bytes:
    """The bytes of the same file, made with images from the beginning."""
    write_demo_file(
        folder / "direct.hdf5", (make_demo(i, image_size=size) for i in range(COUNT)), COUNT
    )
    return (folder / "direct.hdf5").read_bytes()


def left_beside(path: Path) -> set[str]:
    return {other.name for other in path.parent.iterdir()} - {path.name, ".x.lock"}


def test_the_file_becomes_the_one_that_is_generated_with_images(
    path: Path, hire: Callable[..., Painter]
) -> None:
    hire()
    render_dataset(path, 16)
    assert left_beside(path) == set()
    assert path.read_bytes() == generated(path.parent, 16)


def test_after_an_interruption_the_same_command_draws_only_what_is_missing(
    path: Path, hire: Callable[..., Painter]
) -> None:
    before = path.read_bytes()
    hire(stop_after=2)
    with pytest.raises(KeyboardInterrupt):
        render_dataset(path, 16)
    assert path.read_bytes() == before
    painter = hire()
    render_dataset(path, 16)
    assert painter.painted == [2]
    assert path.read_bytes() == generated(path.parent, 16)


def test_what_was_drawn_for_another_size_or_content_is_not_used(
    path: Path, hire: Callable[..., Painter]
) -> None:
    for size in (8, 16):
        hire(stop_after=1)
        with pytest.raises(KeyboardInterrupt):
            render_dataset(path, size)
    write_demo_file(path, (make_demo(i) for i in range(2)), 2)
    painter = hire()
    render_dataset(path, 16)
    assert painter.painted == [0, 1]
    assert left_beside(path) == set()


def test_what_cannot_be_drawn_is_named_and_the_file_is_as_it_was(
    path: Path, hire: Callable[..., Painter]
) -> None:
    before = path.read_bytes()
    hire(loses=1)
    with pytest.raises(PermError) as refusal:
        render_dataset(path, 16)
    assert str(refusal.value).splitlines() == [
        "demo_1 was not drawn: No space left on device",
        f"{path} is as it was; the same command draws what is missing.",
    ]
    assert path.read_bytes() == before
    painter = hire()
    render_dataset(path, 16)
    assert painter.painted == [1]


def test_a_file_with_such_images_is_left_alone(path: Path, hire: Callable[..., Painter]) -> None:
    write_demo_file(path, [make_demo(image_size=16)], 1)
    before, painter = path.read_bytes(), hire()
    assert not lacks_images(path, 16)
    render_dataset(path, 16)
    assert painter.painted == []
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_images_of_another_size_are_refused(path: Path) -> None:
    write_demo_file(path, [make_demo(image_size=16)], 1)
    with pytest.raises(PermError, match=r"has images of 16 px.* For 32 px, generate it anew with"):
        render_dataset(path, 32)
    assert list(path.parent.iterdir()) == [path]


def test_a_damaged_demonstration_is_told_before_anything_is_drawn(
    path: Path, hire: Callable[..., Painter]
) -> None:
    painter = hire()
    with h5py.File(path, "r+") as file:
        file["data/demo_2/actions"][0, 0] = 0.5
    with pytest.raises(PermError, match=r"is damaged\. Intact: demo_0 \.\. demo_1 of 3"):
        render_dataset(path, 16)
    assert painter.painted == []


def test_a_file_that_is_being_made_is_left_to_whoever_makes_it(path: Path) -> None:
    with output_lock(path), pytest.raises(PermError, match="is being made by process"):
        render_dataset(path, 16)


def test_a_disk_without_room_is_told_before_anything_is_drawn(
    path: Path, hire: Callable[..., Painter], monkeypatch: pytest.MonkeyPatch
) -> None:
    painter, usage = hire(), namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(2_000_000))
    # 3 demonstrations x 6 frames x 2 cameras x 256 x 256 x 3 bytes = 7.1 MB
    with pytest.raises(PermError, match=r"need up to 0\.01 GB for a while; 0\.00 GB are free"):
        render_dataset(path, 256)
    assert painter.painted == []


def demo_in_a_scene(index: int) -> Demo:
    """A demonstration in a real scene, of rows that repeat its start; the rest is made up."""
    from perm.sim.starts import load_starts

    mission = task("2-1_019").mission
    assert mission.starts is not None
    start = load_starts(Path(mission.starts))[index]
    nq = len(start.state) - 1 - len(start.warmstart)
    demo = make_demo(index, n_steps=2)
    states = np.array([start.state] * 3)
    episode = replace(demo.episode, start=start, states=states, view_qpos=states[:, 1 : 1 + nq])
    return replace(demo, episode=episode, bddl_text=write_layout(mission.layout))


@pytest.mark.sim
def test_processes_draw_the_scene_that_the_file_describes(tmp_path: Path) -> None:
    from perm.sim.render import Studio, draw_episode
    from perm.sim.store import find_blueprint

    path = tmp_path / "x_demo.hdf5"
    write_demo_file(path, map(demo_in_a_scene, range(2)), 2)
    render_dataset(path, 64, workers=2)
    studio = Studio(find_blueprint(task("2-1_019").mission.layout))
    with read_demo_file(path) as file:
        for index in range(2):
            demo = file.demo(index, images=True)
            expected = draw_episode(studio, demo.episode, 64, rows=slice(-1))
            for camera, frames in expected.items():
                assert len(frames) == 2
                assert np.array_equal(demo.images[camera], frames), (index, camera)
    studio.close()
