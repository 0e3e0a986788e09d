import functools
from pathlib import Path

import pytest

from perm.cli import evaluate
from perm.cli.arguments import Arguments
from perm.cli.main import main
from perm.evaluation import runner
from perm.evaluation.runner import EvaluateRequest
from perm.evaluation.stage import Played
from tests.evaluation.world import LIBRARY, BreaksAt31, Steady


class AlwaysBreaks(Steady):
    def play(self, task: object, identity: object, video: Path | None) -> Played:
        raise ValueError("no arm")


def request_of(command: str, monkeypatch: pytest.MonkeyPatch) -> EvaluateRequest:
    """What would be evaluated; it is interrupted before it begins."""
    requests = []

    def interrupted(request: EvaluateRequest, library: object) -> None:
        requests.append(request)
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "evaluate", interrupted)
    monkeypatch.setattr(evaluate, "choose_renderer", lambda pictures: "egl")
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
        "suite=single_pref task=3-2_081_1,3-3_019_1 level=profile policy=expert episodes=3 "
        "policy.ignore_preference=true out=x seed=5 workers=2 twins=true init=30-31,40 "
        "resume=true videos=0 sim=stock",
        monkeypatch,
    )
    assert [task.id for task in request.tasks] == ["single/3-2_081_1", "single/3-3_019_1"]
    assert request.policy == {"name": "expert", "ignore_preference": True}
    assert (request.episodes, request.seed, request.workers, request.videos) == (3, 5, 2, 0)
    assert request.init_indices == (30, 31, 40)
    assert request.twins
    assert request.resume
    assert request.simulation == "stock"


def play_in(world: type[Steady], folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The exit code of an evaluation of two episodes without a simulator."""
    evaluate_with = functools.partial(runner.evaluate, open_stage=world)
    monkeypatch.setattr(runner, "evaluate", evaluate_with)
    monkeypatch.setattr(evaluate, "load_library", lambda folders: LIBRARY)
    monkeypatch.setattr(evaluate, "choose_renderer", lambda pictures: "egl")
    command = ["task=1-7_104", "policy=random", "episodes=2", f"out={folder}", *words]
    return main(["evaluate", *command])


def test_broken_episodes_are_told_with_their_cause_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play_in(BreaksAt31, tmp_path, monkeypatch) == 0
    told = (
        "Broken episodes, which are in no rate: 1\n"
        "  1 x ValueError: the arm fell off\n"
        "When that is put right, the same command with resume=true plays them again.\n"
    )
    assert told in capsys.readouterr().out
    assert play_in(Steady, tmp_path, monkeypatch, "resume=true") == 0
    assert "Broken" not in capsys.readouterr().out


def test_an_evaluation_in_which_every_episode_broke_exits_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play_in(AlwaysBreaks, tmp_path, monkeypatch) == 1
    assert "  2 x ValueError: no arm\n" in capsys.readouterr().out


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


def test_a_class_of_ones_own_is_named_in_one_word() -> None:
    arguments = Arguments(("x",), {"policy": "python:my.module:Mine", "episodes": "2"})
    assert evaluate.with_entry(arguments).settings == {
        "policy": "python",
        "policy.entry": "my.module:Mine",
        "episodes": "2",
    }
    other = Arguments((), {"policy": "expert"})
    assert evaluate.with_entry(other) is other
