from pathlib import Path

import pytest

from perm.cli import dataset
from perm.cli.main import main
from perm.data.finding import Finding
from perm.pipeline import check
from perm.pipeline.check import Checked


@pytest.fixture
def file(here: Path) -> Path:
    path = here / "out" / "x_demo.hdf5"
    path.parent.mkdir()
    path.write_bytes(b"not read by these tests")
    return path


def check_finds(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "choose_renderer", lambda: "egl")
    monkeypatch.setattr(check, "check_dataset", lambda path, library: checked)


def test_a_good_file_exits_with_0(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check_finds(Checked(2, (), 0.0), monkeypatch)
    assert main(["dataset", "check", str(file)]) == 0
    assert "good. 2 demonstrations replay" in capsys.readouterr().out


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
