import json

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.satisfaction import Measurement
from perm.metrics.calibration import (
    MATCH,
    Calibration,
    EventCalibration,
    fit_calibration,
    fit_event,
    label_of,
)

SLOW = np.linspace(100, 140, 21)
FAST = np.linspace(60, 80, 21)
HIGHER = EventCalibration(raw_at_0=0.2, raw_at_100=0.4, cuts=(-20.0, 50.0, 70.0), unit="m")


def heights(values, event: str = "carry"):
    return [(Measurement(event, float(v), "m"),) for v in values]


def test_label_bins_are_closed_on_the_left() -> None:
    scores = [-1, 0.19999, 0.2, 0.4999, 0.5, 0.7999, 0.8, 2]
    labels = [label_of(score, (0.2, 0.5, 0.8)) for score in scores]
    assert labels == [0, 0, 0.25, 0.25, 0.75, 0.75, 1, 1]


def test_the_scale_of_twins_where_fewer_steps_are_better() -> None:
    fitted = fit_event(SLOW, FAST, "steps", min_demos=21)
    assert (fitted.raw_at_0, fitted.raw_at_100) == (120.0, 70.0)
    assert fitted.cuts == pytest.approx((-36.0, 50.0, 80.0))
    raw = [150, 138, 130, 120, 110, 96, 95, 85, 82, 80, 78, 70]
    u = [-60, -36, -20, 0, 20, 48, 50, 70, 76, 80, 84, 100]
    assert [fitted.position(r) for r in raw] == pytest.approx(u)
    labels = [0, 0.25, 0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 1, 1, 1]
    assert [fitted.label(r) for r in raw] == labels
    assert np.mean([fitted.label(r) == 1 for r in FAST]) == 1.0
    assert np.mean([fitted.label(r) <= 0.25 for r in SLOW]) == 1.0
    assert np.mean([fitted.label(r) == 0 for r in SLOW]) == pytest.approx(1 / 21)


def test_a_score_is_clipped_but_the_label_sees_beyond() -> None:
    assert [HIGHER.score(raw) for raw in (0.1, 0.2, 0.3, 0.4, 0.6)] == pytest.approx(
        [0, 0, 50, 100, 100]
    )
    assert HIGHER.label(0.1) == 0.0
    assert HIGHER.label(0.2) == 0.25


def test_the_third_cut_stays_between_60_and_80() -> None:
    no_pref = np.linspace(-0.01, 0.01, 30)
    tight = fit_event(no_pref, np.linspace(0.99, 1.01, 30), "m")
    wide = fit_event(no_pref, np.linspace(0.6, 1.4, 30), "m")
    assert tight.cuts[2] == 80
    assert wide.cuts[2] == pytest.approx(61.6)


def test_overlapping_twins_are_refused_with_their_numbers() -> None:
    with pytest.raises(PermError, match=r"do not separate: u reaches 64\.3 .* falls to 35\.7"):
        fit_event(np.linspace(0.20, 0.30, 21), np.linspace(0.27, 0.37, 21), "m", min_demos=21)


def test_either_side_alone_can_spoil_the_separation() -> None:
    plain, kept = np.full(27, 0.2), np.full(27, 0.4)
    with pytest.raises(PermError, match=r"u reaches 60\.0 .* falls to 100\.0 .* at least 80"):
        fit_event([*plain, 0.32, 0.32, 0.32], [*kept, 0.4, 0.4, 0.4], "m")
    with pytest.raises(PermError, match=r"u reaches 0\.0 .* falls to 40\.0 .* at least 60"):
        fit_event([*plain, 0.2, 0.2, 0.2], [*kept, 0.28, 0.28, 0.28], "m")


def test_too_few_demos_are_refused_with_their_number() -> None:
    with pytest.raises(PermError, match=r"21 demos without and 30 with .* at least 30"):
        fit_event(SLOW, np.linspace(60, 80, 30), "steps")


def test_anchors_too_close_are_refused_with_their_values() -> None:
    with pytest.raises(PermError, match=r"Too close: the median is 60 steps .* and 57 steps"):
        fit_event([60.0] * 30, [57.0] * 30, "steps")
    with pytest.raises(PermError, match=r"Too close: the median is 0\.2 m without and 0\.2 m"):
        fit_event([0.2] * 30, [0.2] * 30, "m")


def test_anchors_against_the_expected_direction_are_refused() -> None:
    with pytest.raises(PermError, match=r"Wrong order: .* 120 steps without and 70 steps"):
        fit_event(SLOW, FAST, "steps", min_demos=21, larger_is_better=True)
    assert fit_event(SLOW, FAST, "steps", min_demos=21, larger_is_better=False).raw_at_0 == 120


def test_a_choice_needs_no_fit() -> None:
    with pytest.raises(PermError, match="not 'match'; a choice needs no scale"):
        fit_event([0.0] * 30, [1.0] * 30, "match")
    assert [(MATCH.score(raw), MATCH.label(raw)) for raw in (0.0, 1.0)] == [(0, 0), (100, 1)]


def test_an_event_that_does_not_tell_the_twins_apart_is_not_scored() -> None:
    no_pref = [(Measurement("grasp 1", 60.0 + i % 3, "steps"), m) for i, m in enumerate(releases())]
    pref = [(Measurement("grasp 1", 58.0, "steps"), m) for m in releases(-80)]
    fitted = fit_calibration("single/1-1_004", "1-1", no_pref, pref, {"seed": 0})
    assert list(fitted.events) == ["release 1"]
    assert fitted.not_scored["grasp 1"].startswith("Too close: the median is 61 steps")
    assert fitted.source == {"seed": 0}


def releases(shift: float = 0.0):
    return [Measurement("release 1", 200.0 + shift + i % 5, "steps") for i in range(30)]


def test_demos_that_could_not_be_measured_do_not_count() -> None:
    pref = [*heights(np.full(29, 0.4)), (Measurement("carry", None, "m", reason="dropped"),)]
    with pytest.raises(
        PermError, match=r"1-7 cannot be scored in single/1-7_104. carry: Too few.*29"
    ):
        fit_calibration("single/1-7_104", "1-7", heights(np.full(30, 0.2)), pref, {})


def test_no_demos_at_all_are_refused() -> None:
    with pytest.raises(PermError, match=r"There are no demos"):
        fit_calibration("single/1-7_104", "1-7", [], [], {})


def test_a_calibration_comes_back_from_plain_values() -> None:
    no_pref, pref = heights(np.linspace(0.2, 0.22, 30)), heights(np.linspace(0.3, 0.32, 30))
    source = {"n_demos": [30, 30], "init_indices": list(range(30)), "seed": 7, "digest": "ab"}
    fitted = fit_calibration("single/1-7_104", "1-7", no_pref, pref, source)
    plain = json.loads(json.dumps(fitted.to_dict()))
    assert plain["events"]["carry"]["raw_at_100"] == pytest.approx(0.31)
    assert Calibration.from_dict(plain) == fitted


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cuts": [0, 90, 70]}, "'carry' of the calibration: .* three cuts that do not fall"),
        ({"cuts": [0, 50]}, "'carry' of the calibration: not enough values"),
        ({"raw_at_100": 0.2}, r"needs a range; both ends are 0\.2"),
        ({"raw_at_100": "high"}, "could not convert string to float: 'high'"),
        ({"raw_at_100": float("nan")}, "finite"),
        ({"anchor": 1}, "Unknown key of event 'carry' 'anchor'"),
    ],
)
def test_a_calibration_that_gives_no_scale_is_refused(change, message) -> None:
    event = {"raw_at_0": 0.2, "raw_at_100": 0.4, "cuts": [0, 50, 70], "unit": "m"} | change
    plain = {"task": "t", "preference": "p", "events": {"carry": event}, "source": {}}
    with pytest.raises(PermError, match=message):
        Calibration.from_dict(plain)


def test_a_calibration_without_a_source_is_refused() -> None:
    with pytest.raises(PermError, match="calibration lacks source"):
        Calibration.from_dict({"task": "t", "preference": "p", "events": {}})
