from pathlib import Path

import pytest

from perm.cli import evaluate
from perm.cli.main import main
from perm.evaluation import runner
from perm.evaluation.runner import EvaluateRequest


def request_of(command: str, monkeypatch: pytest.MonkeyPatch) -> EvaluateRequest:
    """What would be evaluated; it is interrupted before it begins."""
    requests = []

    def interrupted(request: EvaluateRequest, library: object) -> None:
        requests.append(request)
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "evaluate", interrupted)
    monkeypatch.setattr(evaluate, "choose_renderer", lambda: "egl")
    assert main(["evaluate", *command.split()]) == 130
    return requests[0]


def test_the_defaults_of_the_file_reach_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    request = request_of("task=1-7_104 policy=random out=x", monkeypatch)
    assert [task.id for task in request.tasks] == ["single/1-7_104"]
    assert request.policy == {"name": "random"}
    assert (request.episodes, request.seed, request.workers) == (20, 0, 1)
    assert request.init_indices is None
    assert request.out == Path("x")


def test_every_setting_reaches_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    request = request_of(
        "suite=single_pref level=profile policy=expert policy.ignore_preference=true episodes=3 "
        "out=x seed=5 workers=2 twins=true init=30-31,40 resume=true videos=0",
        monkeypatch,
    )
    assert [task.id for task in request.tasks] == ["single/3-2_081_1", "single/3-3_019_1"]
    assert request.policy == {"name": "expert", "ignore_preference": True}
    assert (request.episodes, request.seed, request.workers, request.videos) == (3, 5, 2, 0)
    assert request.init_indices == (30, 31, 40)
    assert request.twins
    assert request.resume


@pytest.mark.sim
def test_an_evaluation_ends_with_its_table_and_a_report_of_two_with_theirs(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for policy in ("hold", "random"):
        words = f"evaluate task=1-7_104 policy={policy} episodes=1 videos=0 out=out/{policy}"
        assert main(words.split()) == 0
        assert "single/1-7_104" in capsys.readouterr().out
        assert (here / "out" / policy / "summary.json").is_file()
    assert main(["report", "runs=out/hold,out/random", "out=out/report"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown if line.startswith(("hold", "random"))] == [
        "hold",
        "random",
    ]
    assert (here / "out" / "report" / "report.html").is_file()
