from pathlib import Path

import h5py
import pytest

from perm.cli import dataset
from perm.cli.main import main
from perm.data.finding import Finding
from perm.data.reader import read_demo_file
from perm.data.writer import write_demo_file
from perm.pipeline import check, render
from perm.pipeline.check import Checked
from tests.data.demos import make_demo


@pytest.fixture
def file(here: Path) -> Path:
    path = here / "out" / "x_demo.hdf5"
    path.parent.mkdir()
    path.write_bytes(b"not read by these tests")
    return path


def check_finds(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "choose_renderer", lambda: "egl")
    monkeypatch.setattr(check, "check_dataset", lambda path, library, simulation: checked)


def test_a_good_file_exits_with_0(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check_finds(Checked(2, (), 0.0), monkeypatch)
    assert main(["dataset", "check", str(file)]) == 0
    assert "good. 2 demonstrations replay" in capsys.readouterr().out


def test_another_calibration_is_a_note_not_a_problem(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check_finds(Checked(2, (), 0.0, ("Another calibration.",)), monkeypatch)
    assert main(["dataset", "check", str(file)]) == 0
    assert "Note: Another calibration.\n" in capsys.readouterr().out


def test_what_is_intact_in_a_damaged_file_is_saved(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_demo_file(here / "cut.hdf5", (make_demo(i, image_size=16) for i in range(3)), 3)
    with h5py.File(here / "cut.hdf5", "r+") as content:
        content["data/demo_1/actions"][2, 0] = 0.5
    assert main(["dataset", "salvage", "cut.hdf5", "out=saved.hdf5"]) == 0
    told = "saved.hdf5: 2 intact demonstrations of cut.hdf5 (their numbers were 0, 2)\n"
    assert capsys.readouterr().out == told
    with read_demo_file(here / "saved.hdf5") as saved:
        assert len(saved) == 2


def test_a_path_may_have_an_equals_sign(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check_finds(Checked(2, (), 0.0), monkeypatch)
    for name in ("runs/seed=1/x.hdf5", "out=x.hdf5"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).touch()
        assert main(["dataset", "check", name]) == 0
        assert f"{name}: good." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("salvage out/x_demo.hdf5", "Say where the intact demonstrations go: out=FILE."),
        ("salvage out/x_demo.hdf5 out=out/x_demo.hdf5", "out/x_demo.hdf5 is there already"),
        ("salvage out/x_demo.hdf5 out=y.hdf5", "Nothing is intact."),
        (
            "check out/x_demo.hdf5 out=y.hdf5",
            "Unknown key of perm dataset check 'out'. Known: sim.",
        ),
    ],
)
def test_a_salvage_that_cannot_be_done_is_refused(
    file: Path, words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dataset", *words.split()]) == 2
    assert message in capsys.readouterr().err


def test_a_problem_is_printed_and_exits_with_1(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = Finding("end of the replay", "demo_0", "step limit", "settled")
    check_finds(Checked(1, (finding,), 0.0), monkeypatch)
    assert main(["dataset", "check", str(file)]) == 1
    assert "demo_0: end of the replay is step limit" in capsys.readouterr().out


def test_a_foreign_file_is_a_problem_not_a_crash(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dataset, "choose_renderer", lambda: "egl")
    assert main(["dataset", "check", str(file)]) == 1
    assert str(file) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out/y_demo.hdf5", "There is no file out/y_demo.hdf5. Did you mean out/x_demo.hdf5?"),
        ("out", "There is no file out. It is a folder; it holds out/x_demo.hdf5."),
        ("elsewhere/x.hdf5", "There is no file elsewhere/x.hdf5."),
    ],
)
def test_a_missing_file_names_what_is_there(
    file: Path, name: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dataset", "check", name]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("x.hdf5", "Say how large the images are: images=128 or images=256."),
        ("x.hdf5 images=512", "Unknown size of images '512'."),
        ("x.hdf5 image=128", "Unknown key of perm dataset render 'image'. Did you mean images?"),
        ("x.hdf5 images=128 workers=two", "workers must be a whole number, not 'two'."),
        ("x.hdf5 images=128 workers=0", "workers must be at least 1, not 0."),
        ("x.hdf5 images=256", "x.hdf5 has images of 128 px"),
        ("images=128", "| perm dataset render FILE images=128|256 [workers=K] |"),
    ],
)
def test_a_rendering_that_cannot_be_done_is_refused(
    here: Path, words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_demo_file(here / "x.hdf5", [make_demo(image_size=128)], 1)
    assert main(["dataset", "render", *words.split()]) == 2
    assert message in capsys.readouterr().err
    assert [path.name for path in here.iterdir()] == ["x.hdf5"]


def test_a_file_is_rendered_by_the_processes_that_are_asked_for(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []
    write_demo_file(here / "x.hdf5", [make_demo()], 1)
    monkeypatch.setattr(dataset, "choose_renderer", lambda: "egl")
    monkeypatch.setattr(render, "render_dataset", lambda *what: asked.append(what))
    assert main(["dataset", "render", "x.hdf5", "images=256", "workers=3"]) == 0
    assert asked == [(Path("x.hdf5"), 256, 3)]
    told = "x.hdf5: images of 256 px by agentview, robot0_eye_in_hand\n"
    assert capsys.readouterr().out == told


def test_a_file_with_such_images_needs_nothing(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_demo_file(here / "x.hdf5", [make_demo(image_size=128)], 1)
    assert main(["dataset", "render", "x.hdf5", "images=128"]) == 0
    told = "x.hdf5: it has images of 128 px already; nothing to do\n"
    assert capsys.readouterr().out == told
