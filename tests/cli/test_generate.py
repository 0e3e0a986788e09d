from pathlib import Path

import pytest

from perm.cli import calibrate as calibrate_verb
from perm.cli import generate as generate_verb
from perm.cli.main import main
from perm.pipeline import calibrate, demonstrate
from perm.pipeline.calibrate import CalibrateRequest
from perm.pipeline.demonstrate import GenerateRequest


def generate_request(command: str, monkeypatch: pytest.MonkeyPatch) -> GenerateRequest:
    """What would be generated."""
    requests: list[GenerateRequest] = []

    def generate(request: GenerateRequest, library: object) -> tuple[Path, ...]:
        requests.append(request)
        return (request.out / "single" / "x_demo.hdf5",)

    monkeypatch.setattr(demonstrate, "generate", generate)
    monkeypatch.setattr(generate_verb, "choose_renderer", lambda: "egl")
    assert main(["generate", *command.split()]) == 0
    return requests[0]


def test_the_documented_defaults_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = generate_request("task=1-7_104 out=x", monkeypatch)
    assert [task.id for task in request.tasks] == ["single/1-7_104"]
    assert (request.images, request.workers, request.seed, request.twins) == (128, 1, 0, True)
    assert request.init_indices == tuple(range(30))
    assert capsys.readouterr().out == "x/single/x_demo.hdf5\n"


def test_every_setting_reaches_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    request = generate_request(
        "task=1-7_104,1-2_065 demos=3 out=x workers=2 images=none seed=4 twins=false init=3,5-6",
        monkeypatch,
    )
    assert [task.id for task in request.tasks] == ["single/1-7_104", "single/1-2_065"]
    assert (request.demos, request.workers, request.images, request.seed) == (3, 2, None, 4)
    assert (request.twins, request.init_indices) == (False, (3, 5, 6))


def test_a_calibration_asks_for_demonstrations_of_the_seen_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    requests: list[CalibrateRequest] = []

    def fake(request: CalibrateRequest, library: object) -> tuple[Path, ...]:
        requests.append(request)
        return ()

    monkeypatch.setattr(calibrate, "calibrate", fake)
    monkeypatch.setattr(calibrate_verb, "choose_renderer", lambda: "egl")
    assert main(["calibrate", "suite=single_pref", "level=motion", "out=x", "workers=2"]) == 0
    assert {task.id for task in requests[0].tasks} == {"single/1-2_065", "single/1-7_104"}
    assert (requests[0].demos, requests[0].init_indices) == (30, tuple(range(30)))
