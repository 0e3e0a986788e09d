from collections import Counter
from pathlib import Path

import pytest

from perm.cli import calibrate as calibrate_verb
from perm.cli import generate as generate_verb
from perm.cli.main import main
from perm.pipeline import calibrate, demonstrate, rejections
from perm.pipeline.calibrate import CalibrateRequest
from perm.pipeline.request import GenerateRequest

NOTHING: Counter[str] = Counter()


def generate_request(
    command: str, monkeypatch: pytest.MonkeyPatch, rejected: Counter[str] = NOTHING
) -> GenerateRequest:
    """What would be generated."""
    requests: list[GenerateRequest] = []

    def generate(request: GenerateRequest, library: object) -> tuple[Path, ...]:
        requests.append(request)
        return (request.out / "single" / "x_demo.hdf5",)

    monkeypatch.setattr(demonstrate, "generate", generate)
    monkeypatch.setattr(rejections, "count_rejections", lambda files: rejected)
    monkeypatch.setattr(generate_verb, "choose_renderer", lambda pictures: "egl")
    assert main(["generate", *command.split()]) == 0
    return requests[0]


def test_the_documented_defaults_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = generate_request("task=1-7_104 out=x", monkeypatch)
    assert [task.id for task in request.tasks] == ["single/1-7_104"]
    assert (request.images, request.workers, request.seed, request.twins) == (128, 1, 0, True)
    assert request.init_indices == tuple(range(30))
    assert request.simulation == "core"
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("x/single/x_demo.hdf5\n", "")


def test_rejected_attempts_are_told_by_cause(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rejected = Counter({"step limit": 1, "moved plate_1": 2})
    generate_request("task=1-7_104 out=x", monkeypatch, rejected)
    told = "3 attempts rejected on the way: moved plate_1 (2x), step limit (1x)\n"
    assert capsys.readouterr().err == told


def test_every_setting_reaches_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    request = generate_request(
        "task=1-7_104,1-2_065 demos=3 out=x workers=2 images=none seed=4 twins=false init=3,5-6 "
        "sim=stock",
        monkeypatch,
    )
    assert [task.id for task in request.tasks] == ["single/1-7_104", "single/1-2_065"]
    assert (request.demos, request.workers, request.images, request.seed) == (3, 2, None, 4)
    assert (request.twins, request.init_indices) == (False, (3, 5, 6))
    assert request.simulation == "stock"


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
    tasks = {task.id for task in requests[0].tasks}
    assert {"single/1-2_065", "single/1-7_104"} < tasks
    assert all(name.startswith("single/1-") for name in tasks)
    assert (requests[0].demos, requests[0].init_indices) == (30, tuple(range(30)))


@pytest.mark.parametrize("init", ["30-49", "0-30"])
def test_what_is_kept_for_measuring_is_not_calibrated_on(
    init: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calibrate_verb, "choose_renderer", lambda: "egl")
    assert main(["calibrate", "task=1-7_104", "out=x", f"init={init}"]) == 2
    assert "kept for measuring; calibrate from others (init=0-29)" in capsys.readouterr().err
