from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from perm.core.errors import PermError
from perm.data.reader import read_demo_file
from perm.pipeline import workshop
from perm.pipeline.check import check_dataset
from perm.pipeline.demonstrate import generate
from perm.pipeline.request import GenerateRequest
from perm.sim import render

from ..sim.scenes import library, task

pytestmark = pytest.mark.sim


def request(out: Path, **changes) -> GenerateRequest:
    base = GenerateRequest((task("1-7_104"),), demos=2, out=out, images=None, workers=1)
    return replace(base, **changes)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    return generate(request(tmp_path_factory.mktemp("made")), library())


def test_a_task_and_its_twin_become_two_files_and_nothing_else_is_left(
    made: tuple[Path, ...],
) -> None:
    folder = made[0].parent
    assert {path.name for path in made} == {
        "1-7_104_demo.hdf5",
        "1-7_104.nopref_demo.hdf5",
    }
    visible = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    assert visible == {path.name for path in made}
    assert not any(path.is_dir() for path in folder.iterdir())


def test_demonstrations_keep_the_preference_and_their_twins_do_not(
    made: tuple[Path, ...],
) -> None:
    labels = {}
    for path in made:
        with read_demo_file(path) as file:
            labels[path.name] = [demo.scores[0].label for demo in file]
            prompts = {demo.episode.prompt for demo in file}
        twin = "nopref" in path.name
        assert prompts == {
            "Put the bowl on the plate"
            if twin
            else "Task: Put the bowl on the plate. Preference: Move higher."
        }
    assert labels["1-7_104_demo.hdf5"] == [1, 1]
    assert max(labels["1-7_104.nopref_demo.hdf5"]) <= 0.25


def test_the_bytes_do_not_depend_on_the_number_of_workers_or_on_an_interruption(
    made: tuple[Path, ...], tmp_path: Path
) -> None:
    other = generate(request(tmp_path, workers=2), library())
    assert [p.name for p in other] == [p.name for p in made]
    for ours, theirs in zip(made, other, strict=True):
        assert ours.read_bytes() == theirs.read_bytes()
    other[0].unlink()
    again = generate(request(tmp_path), library())
    assert again[0].read_bytes() == made[0].read_bytes()


def test_every_demonstration_replays_in_liberos_control_env_bit_for_bit(
    made: tuple[Path, ...],
) -> None:
    checked = check_dataset(made[0], library(), "stock")
    assert checked.findings == ()
    assert checked.demos == 2
    assert checked.largest_difference == 0


def test_images_are_drawn_again_to_the_same_pixels(tmp_path: Path) -> None:
    files = generate(request(tmp_path, demos=1, images=64, twins=False), library())
    assert check_dataset(files[0], library()).findings == ()


def test_a_changed_action_is_found_by_the_check(made: tuple[Path, ...], tmp_path: Path) -> None:
    path = tmp_path / "changed.hdf5"
    path.write_bytes(made[0].read_bytes())
    with h5py.File(path, "r+") as file:
        file["data/demo_1/actions"][40, 0] += 0.2
    found = "\n".join(str(finding) for finding in check_dataset(path, library()).findings)
    assert "demo_1" in found


def test_a_folder_of_another_run_is_refused(made: tuple[Path, ...]) -> None:
    folder = made[0].parents[1]
    with pytest.raises(PermError, match="seed: 5, there 0"):
        generate(request(folder, seed=5), library())


def test_liberos_own_environment_gives_the_same_demonstration(
    made: tuple[Path, ...], tmp_path: Path
) -> None:
    again = generate(request(tmp_path, demos=1, twins=False, simulation="stock"), library())
    with read_demo_file(made[0]) as ours, read_demo_file(again[0]) as stock:
        mine, theirs = ours.demo(0).episode, stock.demo(0).episode
    assert np.array_equal(mine.states, theirs.states)
    assert np.array_equal(mine.view_qpos, theirs.view_qpos)
    for name, values in mine.proprio.items():
        assert np.array_equal(values, theirs.proprio[name]), name
    assert (mine.versions["simulation"], theirs.versions["simulation"]) == ("core", "stock")


def test_attempts_that_are_rejected_draw_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []

    class Studio:
        def __init__(self, blueprint: object) -> None:
            pass

        def furnish(self, start: object) -> None:
            pass

        def close(self) -> None:
            pass

        def draw(self, view: object, glow: object, size: int, cameras: tuple[str, ...]) -> dict:
            drawn.append(len(played))
            return dict.fromkeys(cameras, np.zeros((size, size, 3), np.uint8))

    def reject_twice(task: object, episode: object, scores: object) -> str:
        played.append(episode)
        return "not good enough" if len(played) < 3 else ""

    played: list[object] = []
    monkeypatch.setattr(render, "Studio", Studio)
    monkeypatch.setattr(workshop, "why_rejected", reject_twice)
    (path,) = generate(request(tmp_path, demos=1, images=128, twins=False), library())
    with read_demo_file(path) as file:
        demo = file.demo(0)
    assert demo.attempts == {"not good enough": 2}
    assert demo.episode.trace is not None
    assert drawn == [3] * demo.episode.trace.n_steps
