import io

import pytest
from rich.console import Console

from perm.core.episode import Outcome
from perm.evaluation import progress
from perm.evaluation.progress import EpisodeProgress
from tests.evaluation.world import record


def test_the_bar_tells_how_far_and_how_well(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(progress, "Console", lambda stderr: console)
    with EpisodeProgress(total=4, records=[record()]) as bar:
        bar.show(record(success=False))
        bar.show(record(success=False, outcome=Outcome.ERROR))
    last = screen.getvalue().rpartition("Episodes")[2]
    assert "3/4" in last
    assert "SR 50.00 %, 1 error left" in last
