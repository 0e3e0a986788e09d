from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from perm.core.errors import PermError
from perm.core.satisfaction import Measurement
from perm.metrics.calibration import Calibration
from perm.pipeline import calibrate as calibration
from perm.pipeline.calibrate import CalibrateRequest, calibrate
from perm.pipeline.measured import Measured
from perm.pipeline.workshop import Order
from perm.suites.library import load_library

LIBRARY = load_library()
HIGHER = LIBRARY.find_task("1-7_104")
CHOICE = LIBRARY.find_task("3-2_081_1")


def plays(
    monkeypatch: pytest.MonkeyPatch, plain: float, preferred: float, fails: Sequence[str] = ()
) -> list[Order]:
    """Demonstrations carry at these heights [m] give or take; some cannot be made."""
    seen: list[Order] = []

    def measure_demos(
        orders: Sequence[Order], workers: int, simulation: str
    ) -> dict[str, list[Measured]]:
        seen.extend(orders)
        found: dict[str, list[Measured]] = {}
        for order in orders:
            name, index = order.task.id, order.index
            height = (plain if order.task.is_twin else preferred) + 0.001 * (index % 5)
            raw = {p.id: (Measurement("carry", height, "m"),) for p in order.task.measured}
            done = Measured(name, index, raw, "")
            if f"{name} {index}" in fails:
                done = Measured(name, index, {}, "rejected: step limit (12x)")
            found.setdefault(name, []).append(done)
        return found

    monkeypatch.setattr(calibration, "measure_demos", measure_demos)
    return seen


def test_a_calibration_is_written_with_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = plays(monkeypatch, 0.20, 0.35)
    (path,) = calibrate(CalibrateRequest((HIGHER,), tmp_path), LIBRARY)
    assert path == tmp_path / "single" / "1-7_104.yaml"
    known = Calibration.from_dict(yaml.safe_load(path.read_text()))
    assert known.events["carry"].raw_at_0 == pytest.approx(0.202)
    assert known.events["carry"].raw_at_100 == pytest.approx(0.352)
    assert (known.source["init_indices"], known.source["demos"]) == ("0-29", 30)
    assert len(orders) == 60
    assert {order.init_index for order in orders} == set(range(30))


def test_init_indices_that_are_kept_for_measuring_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = plays(monkeypatch, 0.20, 0.35)
    request = CalibrateRequest((HIGHER,), tmp_path, init_indices=(28, 29, 30, 31, 49))
    with pytest.raises(PermError, match=r"Init indices 30-31,49 are kept .*\(init=0-29\)"):
        calibrate(request, LIBRARY)
    assert orders == []


def test_all_failures_are_told_at_the_end_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails = [f"{HIGHER.id} {index}" for index in (3, 7, 8, 9)] + [f"{HIGHER.id}.nopref 5"]
    plays(monkeypatch, 0.20, 0.35, fails)
    with pytest.raises(PermError) as refusal:
        calibrate(CalibrateRequest((HIGHER,), tmp_path), LIBRARY)
    assert str(refusal.value).splitlines() == [
        "single/1-7_104, demonstration 3: rejected: step limit (12x).",
        "single/1-7_104, demonstration 7: rejected: step limit (12x).",
        "single/1-7_104, demonstration 8: rejected: step limit (12x).",
        "single/1-7_104, demonstration 9: rejected: step limit (12x).",
    ]
    assert list(tmp_path.iterdir()) == []


def test_the_next_ones_take_the_place_of_the_few_that_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails = [f"{HIGHER.id} {index}" for index in (3, 7, 30)] + [f"{HIGHER.id}.nopref 5"]
    orders = plays(monkeypatch, 0.20, 0.35, fails)
    (path,) = calibrate(CalibrateRequest((HIGHER,), tmp_path), LIBRARY)
    known = Calibration.from_dict(yaml.safe_load(path.read_text()))
    assert (known.source["demos"], known.source["replaced"]) == (30, 3)
    assert known.events["carry"].raw_at_100 == pytest.approx(0.352)
    added = [(order.task.id, order.index, order.init_index) for order in orders[60:]]
    assert added == [
        ("single/1-7_104", 30, 0),
        ("single/1-7_104", 31, 1),
        ("single/1-7_104.nopref", 30, 0),
        ("single/1-7_104", 32, 2),
    ]


def test_one_task_that_fails_does_not_cost_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slower = LIBRARY.find_task("1-2_065")
    plays(monkeypatch, 0.20, 0.35, fails=[f"{slower.id} {index}" for index in range(4)])
    with pytest.raises(PermError, match=r"1-2_065, demonstration 3: .*\nWritten: .*1-7_104\.yaml"):
        calibrate(CalibrateRequest((slower, HIGHER), tmp_path), LIBRARY)
    assert [path.name for path in (tmp_path / "single").iterdir()] == ["1-7_104.yaml"]


def test_the_wrong_direction_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plays(monkeypatch, 0.35, 0.20)
    with pytest.raises(PermError, match=r"Wrong order: .* which has to be larger"):
        calibrate(CalibrateRequest((HIGHER,), tmp_path), LIBRARY)


def test_a_choice_needs_no_calibration(tmp_path: Path) -> None:
    with pytest.raises(PermError, match="is a choice; it needs no calibration"):
        calibrate(CalibrateRequest((CHOICE,), tmp_path), LIBRARY)


def test_two_preferences_have_a_file_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = LIBRARY.tasks["conflict/pp2_height_104__P1"]
    both = replace(both, condition=both.measured, follows=None, id="scale/both")
    twin = LIBRARY.tasks["conflict/pp2_height_104.nopref"]
    lower, higher = (replace(p, larger_is_better=True) for p in both.measured)
    both = replace(both, condition=(lower, higher), measured=(lower, higher))
    library = replace(LIBRARY, tasks={both.id: both, twin.id: twin})
    orders = plays(monkeypatch, 0.20, 0.35)
    files = calibrate(CalibrateRequest((both,), tmp_path), library)
    assert [path.name for path in files] == ["both.1-5.yaml", "both.1-7.yaml"]
    known = Calibration.from_dict(yaml.safe_load(files[1].read_text()))
    assert (known.task, known.preference) == ("scale/both", "1-7")
    assert len(orders) == 60


def test_a_twin_that_two_tasks_share_is_played_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = tuple(LIBRARY.tasks[f"conflict/pp8_grasp_077__{name}"] for name in ("P1", "P2"))
    orders = plays(monkeypatch, 0.01, 0.05)
    calibrate(CalibrateRequest(tasks, tmp_path), LIBRARY)
    assert len(orders) == 90


def test_wishes_that_exclude_each_other_are_calibrated_apart(tmp_path: Path) -> None:
    joint = LIBRARY.tasks["conflict/pp2_height_104__joint"]
    with pytest.raises(PermError, match="exclude each other; calibrate where one is asked for"):
        calibrate(CalibrateRequest((joint,), tmp_path), LIBRARY)
    with pytest.raises(PermError, match="asks for no preference"):
        calibrate(CalibrateRequest((LIBRARY.tasks["unseen/020"],), tmp_path), LIBRARY)
