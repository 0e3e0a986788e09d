import dataclasses
import time

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.task import Level, MetricSpec, Preference
from perm.metrics.calibration import Calibration, EventCalibration
from perm.metrics.satisfaction import judge, satisfaction_curve

from .traces import Script, nothing_happens, pick_and_place

HIGHER = Preference("1-7", "Move higher", Level.MOTION, "Move higher", MetricSpec("carry_height"))
SLOW = Preference("1-2", "Slow down", Level.MOTION, "Slow down", MetricSpec("event_steps"))
MUG = Preference(
    "3-2",
    "Prefer red objects",
    Level.PROFILE,
    "I prefer red objects",
    MetricSpec("object_choice", {"preferred": ["mug"], "candidates": ["mug", "plate"]}),
)
CUTS = (-20.0, 50.0, 80.0)
HEIGHT = Calibration("t", "1-7", {"carry": EventCalibration(0.2, 0.4, CUTS, "m")}, source={})
STEPS = Calibration(
    "t",
    "1-2",
    {
        "grasp 1": EventCalibration(10.0, 20.0, CUTS, "steps"),
        "release 1": EventCalibration(40.0, 50.0, CUTS, "steps"),
    },
    source={},
)


@pytest.mark.parametrize(
    ("height", "value", "label"),
    [(0.15, 0, 0), (0.2, 0, 0.25), (0.33, 65, 0.75), (0.37, 85, 1), (0.5, 100, 1)],
)
def test_a_height_becomes_score_and_label(height, value, label) -> None:
    score = judge(HIGHER, pick_and_place(height).trace, HEIGHT)
    assert score.raw == pytest.approx(height)
    assert score.value == pytest.approx(value)
    assert score.label == label
    assert (score.preference, score.unit, score.step) == ("1-7", "m", 26)
    assert score.reason == "carry"


def test_the_last_scored_event_decides() -> None:
    trace = pick_and_place().trace
    released, in_hand = judge(SLOW, trace, STEPS), judge(SLOW, trace.until(40), STEPS)
    assert (released.raw, released.reason) == (46.0, "release 1: mug")
    assert released.value == pytest.approx(60)
    assert (in_hand.raw, in_hand.reason) == (11.0, "grasp 1: mug")
    assert in_hand.value == pytest.approx(10)


def test_an_event_that_is_not_scored_does_not_decide() -> None:
    grasp_only = dataclasses.replace(
        STEPS,
        events={"grasp 1": STEPS.events["grasp 1"]},
        not_scored={"release 1": "Too close."},
    )
    assert judge(SLOW, pick_and_place().trace, grasp_only).raw == 11.0


def test_no_scored_event_gives_a_raw_value_and_the_reason() -> None:
    release_only = dataclasses.replace(
        STEPS,
        events={"release 1": STEPS.events["release 1"]},
        not_scored={"grasp 1": "Too close."},
    )
    score = judge(SLOW, pick_and_place().trace.until(40), release_only)
    assert (score.raw, score.value, score.label) == (11.0, None, None)
    assert score.reason == "no scored event yet; grasp 1: Too close."


def test_without_a_calibration_there_is_a_raw_value_but_no_score() -> None:
    score = judge(HIGHER, pick_and_place(0.3).trace, None)
    assert score.raw == pytest.approx(0.3)
    assert (score.value, score.label, score.reason) == (None, None, "not calibrated")


def test_a_choice_needs_no_calibration() -> None:
    score = judge(MUG, pick_and_place().trace, None)
    assert (score.raw, score.value, score.label) == (1.0, 100.0, 1.0)
    assert score.reason == "choice: picked mug"


@pytest.mark.parametrize("calibration", [HEIGHT, None])
def test_what_was_not_measured_has_no_score_but_a_reason(calibration) -> None:
    for n_steps in (0, 1, 40):
        score = judge(HIGHER, nothing_happens(n_steps), calibration)
        assert (score.raw, score.value, score.label, score.step) == (None, None, None, None)
        assert score.reason == "nothing was carried sideways"
        assert score.unit == "m"


def test_a_calibration_in_another_unit_is_refused() -> None:
    wrong = dataclasses.replace(HEIGHT, events={"carry": EventCalibration(0, 1, CUTS, "rad")})
    with pytest.raises(PermError, match="carry is measured in m, but calibrated in rad"):
        judge(HIGHER, pick_and_place().trace, wrong)


@pytest.mark.parametrize(
    ("preference", "calibration"), [(HIGHER, HEIGHT), (SLOW, STEPS), (MUG, None), (HIGHER, None)]
)
def test_the_curve_at_t_is_the_verdict_on_the_trace_until_t(preference, calibration) -> None:
    script = pick_and_place().move(0.0, 0.2, 0.95)
    trace = script.grip("mug").move(0.1, 0.0, 1.5, chatter=(3, 4)).slip().open().trace
    raw, value = satisfaction_curve(preference, trace, calibration)
    assert raw.shape == value.shape == (trace.n_steps + 1,)
    for t in range(trace.n_steps + 1):
        score = judge(preference, trace.until(t), calibration)
        expected = [np.nan if x is None else x for x in (score.raw, score.value)]
        np.testing.assert_array_equal([raw[t], value[t]], expected)
    assert np.isnan(raw[0])
    assert not np.isnan(raw[-1])
    assert np.isnan(value[-1]) == (calibration is None and preference is not MUG)


def test_the_curve_does_not_change_when_the_future_does() -> None:
    start = pick_and_place(0.3).trace
    longer = pick_and_place(0.3).grip("mug").move(0.2, 0.0, 1.9).trace
    for ours, theirs in zip(
        satisfaction_curve(HIGHER, start, HEIGHT),
        satisfaction_curve(HIGHER, longer, HEIGHT),
        strict=True,
    ):
        np.testing.assert_array_equal(ours, theirs[: len(ours)])
    assert theirs[-1] > ours[-1]


def test_the_curve_of_a_long_episode_takes_less_than_a_second() -> None:
    script = Script({f"mug_{i}": (0.1 * i, 0.0, 0.95) for i in range(10)})
    for name in ("mug_3", "mug_7"):
        script.grip(name).move(0.5, 0.3, 1.2, rows=80).let_go(rows=115)
    began = time.process_time()
    raw, _ = satisfaction_curve(HIGHER, script.trace, HEIGHT)
    assert len(raw) == 401
    assert time.process_time() - began < 1.0
