import csv
from pathlib import Path

import pytest

from perm.cli import suite_leakage
from perm.cli.main import main
from perm.data.trial import Reading, Trial
from perm.metrics.calibration import MATCH
from perm.pipeline import trials
from perm.pipeline.trials import TrialsRequest
from perm.suites.library import Library


@pytest.fixture
def kept_by_chance(monkeypatch: pytest.MonkeyPatch) -> list[TrialsRequest]:
    """Every tenth plain episode takes the red mug; nothing is simulated."""
    seen: list[TrialsRequest] = []

    def run_trials(request: TrialsRequest, library: Library) -> tuple[Trial, ...]:
        seen.append(request)
        request.out.mkdir()
        return tuple(
            Trial(task.id, k, 30, 0, True, "", "", 100, 1.0, 0.1, {
                p.id: Reading("choice", 0.0, "match", float(k % 10 == 0), MATCH)
                for p in task.measured
            })
            for task in request.tasks
            for k in range(request.trials)
        )  # fmt: skip

    monkeypatch.setattr(trials, "run_trials", run_trials)
    monkeypatch.setattr(suite_leakage, "choose_renderer", lambda: "egl")
    return seen


def test_a_task_that_leaks_is_named_and_the_exit_code_says_so(
    here: Path, kept_by_chance: list[TrialsRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["suite", "leakage", "task=3-2_081_1", "out=x"]) == 1
    (request,) = kept_by_chance
    assert (request.trials, [task.id for task in request.tasks]) == (
        40,
        ["single/3-2_081_1.nopref"],
    )
    text = capsys.readouterr().out
    assert "leaks" in text
    assert "0 of 1 are sound; kept by chance on average: 10.00%." in text
    (row,) = csv.DictReader((here / "x" / "leakage.csv").open())
    assert row == {
        "group": "single/3-2_081_1",
        "preference": "3-2",
        "kept": "4",
        "episodes": "40",
        "share": "0.1",
        "verdict": "leaks",
    }
