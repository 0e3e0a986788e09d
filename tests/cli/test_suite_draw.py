"""Tests of perm.cli.suite_draw."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from perm.cli import suite_draw
from perm.cli.main import main
from perm.core.mission import Mission
from perm.pipeline import portraits
from perm.pipeline.portraits import PICTURE_SIZE, Portrait


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grey pictures, but none of 001; nothing is simulated."""
    seen: list[str] = []

    def draw_missions(
        missions: Mapping[str, Mission], init_index: int, workers: int
    ) -> dict[str, Portrait]:
        seen.extend([*missions, f"init {init_index}"])
        grey = np.full((PICTURE_SIZE, PICTURE_SIZE, 3), 128, np.uint8)
        return {
            name: Portrait(name, None if name == "001" else grey, "no start") for name in missions
        }

    monkeypatch.setattr(portraits, "draw_missions", draw_missions)
    monkeypatch.setattr(suite_draw, "choose_renderer", lambda pictures: "egl")
    return seen


def test_tasks_of_one_layout_are_drawn_once(here: Path, drawn: list[str]) -> None:
    assert main(["suite", "draw", "task=1-7_104,conflict/pp2_height_104__P1", "out=x"]) == 0
    assert drawn == ["104", "init 30"]
    assert sorted(path.name for path in (here / "x").iterdir()) == ["104.jpg", "sheet-1.jpg"]


def test_a_scene_that_cannot_be_drawn_is_named(
    here: Path, drawn: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["suite", "draw", "task=2-1_001,1-7_104", "out=x"]) == 1
    text = capsys.readouterr().out
    assert "001: not drawn: no start" in text
    assert "1 of 2 scenes drawn" in text


def test_only_one_start_is_drawn(
    here: Path, drawn: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["suite", "draw", "task=1-7_104", "out=x", "init=30-32"]) == 2
    assert "init: one index is drawn, not 3." in capsys.readouterr().err
    assert not (here / "x").exists()
