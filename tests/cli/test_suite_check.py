from collections.abc import Callable
from pathlib import Path

import pytest

from perm.cli import suite_check
from perm.cli.main import main
from perm.data.trial import Trial
from perm.evaluation import trials_film
from perm.pipeline import trials
from perm.pipeline.trials import TrialsRequest
from perm.pipeline.trials_line import broken_trial
from perm.pipeline.workshop import Order
from perm.suites.library import Library


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[TrialsRequest]:
    """What was asked for; every trial fails and nothing is drawn."""
    seen: list[TrialsRequest] = []

    def run_trials(request: TrialsRequest, library: Library) -> tuple[Trial, ...]:
        seen.append(request)
        orders = [Order(task, 0, 0, "trial", request.init_indices, {}) for task in request.tasks]
        return tuple(broken_trial(order, "no simulator here") for order in orders)

    monkeypatch.setattr(trials, "run_trials", run_trials)
    monkeypatch.setattr(suite_check, "choose_renderer", lambda pictures=False: "egl")
    return seen


def test_task_and_twin_are_tried_from_the_init_states_that_are_kept_for_it(
    here: Path, requests: list[TrialsRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["suite", "check", "task=1-7_104", "trials=1", "out=x", "videos=false"]) == 1
    (request,) = requests
    assert [task.id for task in request.tasks] == ["single/1-7_104", "single/1-7_104.nopref"]
    assert request.init_indices == tuple(range(30, 50))
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 100
    row = next(line.split() for line in shown.splitlines() if line.startswith("1-7_104"))
    assert row[:7] == ["1-7_104", "1", "0", "0", "1", "0", "0"]
    assert "other 2" in shown
    assert "Report: x/report.html" in shown
    assert (here / "x" / "summary.json").is_file()
    assert (here / "x" / "tasks.csv").is_file()


def test_videos_are_drawn_unless_told_otherwise(
    here: Path, requests: list[TrialsRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    monkeypatch.setattr(trials_film, "develop", lambda out, checked, workers: drawn.append(workers))
    wanted = ["suite", "check", "suite=single_pref", "level=motion", "trials=1"]
    main([*wanted, "out=x", "workers=2"])
    main([*wanted, "out=y", "videos=false"])
    assert drawn == [2]
    assert all(
        {p.level.value for task in one.tasks for p in task.measured} == {"motion"}
        for one in requests
    )


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("suite check out=x", "Say which tasks"),
        ("suite check task=1-7_104", "out is missing"),
        ("suite check task=1-7_104 out=x trial=3", "Unknown key 'trial'. Did you mean trials"),
        ("suite check task=1-7_104 out=x trials=0", "trials must be at least 1, not 0."),
        ("suite check 1-7_104 out=x", "'1-7_104' is not a setting."),
        ("suite chek task=1-7_104 out=x", "Did you mean check?"),
        ("suite check task=1-7_104 out=x init=50", "goes beyond the last init index"),
    ],
)
def test_a_wrong_request_is_refused_before_anything_is_made(
    command: str, message: str, refusal: Callable[[str], str]
) -> None:
    assert message in refusal(command)


def test_where_wishes_exclude_each_other_both_ways_are_tried_with_one_twin(
    here: Path, requests: list[TrialsRequest]
) -> None:
    names = "task=conflict/pp1_speed_004__joint,conflict/pp1_speed_004__P1"
    main(["suite", "check", names, "trials=1", "out=x", "videos=false"])
    (request,) = requests
    assert [task.id for task in request.tasks] == [
        "conflict/pp1_speed_004__joint",
        "conflict/pp1_speed_004.nopref",
        "conflict/pp1_speed_004__joint.P2",
        "conflict/pp1_speed_004__P1",
    ]


def test_who_leaves_the_task_undone_is_not_tried(here: Path, requests: list[TrialsRequest]) -> None:
    name = "task=conflict/pt1_color_006__task_pref"
    main(["suite", "check", name, "trials=1", "out=x", "videos=false"])
    (request,) = requests
    assert [task.id for task in request.tasks] == [
        "conflict/pt1_color_006__task_pref",
        "conflict/pt1_color_006__task_null",
    ]
