from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from perm.cli.main import main


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def refusal(here: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[str], str]]:
    """Run a wrong command line; return the message; nothing may have been created."""

    def _refusal(command: str) -> str:
        assert main(command.split()) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        return shown.err

    yield _refusal
    assert list(here.iterdir()) == []
