import dataclasses

import numpy as np
import pytest

from perm.metrics.motion import event_steps, peak_acceleration

from .traces import Script, nothing_happens


def test_event_steps_number_the_objects_in_the_order_they_are_picked_up() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)})
    script.grip("can").move(0.3, 0.2, 1.1).let_go().grip("mug").move(0.0, 0.2, 1.1).let_go()
    measured = event_steps(script.trace, {})
    assert [(m.event, m.raw, m.step, m.reason) for m in measured] == [
        ("grasp 1", 1.0, 1, "can"),
        ("release 1", 16.0, 16, "can"),
        ("grasp 2", 21.0, 21, "mug"),
        ("release 2", 36.0, 36, "mug"),
    ]
    assert {m.unit for m in measured} == {"steps"}


def test_who_drops_an_object_has_not_released_it_before_he_puts_it_down() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").move(0.0, 0.1, 1.1).let_go(rows=20)
    first_release = [(m.event, m.raw) for m in event_steps(script.trace, {})]
    assert first_release == [("grasp 1", 1.0), ("release 1", 16.0)]
    script.grip("mug").move(0.0, 0.2, 1.1)
    assert [(m.event, m.raw) for m in event_steps(script.trace, {})] == [("grasp 1", 1.0)]
    script.let_go()
    assert [(m.event, m.raw) for m in event_steps(script.trace, {})] == [
        ("grasp 1", 1.0),
        ("release 1", 51.0),
    ]


def test_events_of_another_object_do_not_count_where_one_is_named() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)})
    script.grip("can").move(0.3, 0.2, 1.1).let_go().grip("mug").move(0.0, 0.2, 1.1).let_go()
    for params in ({"object": "mug"}, {"object": ["mug"]}):
        assert [(m.event, m.raw) for m in event_steps(script.trace, params)] == [
            ("grasp 1", 21.0),
            ("release 1", 36.0),
        ]


def test_a_grasp_that_slips_at_once_is_no_event() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").slip().open()
    (only,) = event_steps(script.trace, {})
    assert (only.event, only.raw, only.reason) == ("grasp 1", None, "nothing was picked up")


def test_an_object_that_is_lost_with_closed_fingers_has_no_release() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").move(0.0, 0.2, 1.1).slip(rows=30)
    assert [m.event for m in event_steps(script.trace, {})] == ["grasp 1"]


@pytest.mark.parametrize("n_steps", [0, 1, 30])
def test_a_policy_that_does_nothing_is_not_measurable(n_steps) -> None:
    trace = nothing_happens(n_steps)
    assert [m.raw for m in event_steps(trace, {})] == [None]


def accelerating(*accelerations: float):
    """A hand whose acceleration along x is given for each row, from rest."""
    trace = nothing_happens(len(accelerations) + 1, ())
    speed = np.concatenate([[0.0, 0.0], np.cumsum(accelerations) * trace.dt])
    x = np.cumsum(speed * trace.dt)
    return dataclasses.replace(trace, ee_pos=np.stack([x, 0 * x, 0 * x + 1.0], axis=1))


def test_peak_acceleration_is_the_second_difference_over_dt_squared() -> None:
    (measured,) = peak_acceleration(accelerating(*[0.8, -0.8] * 20), {})
    assert (measured.event, measured.unit, measured.step) == ("episode", "m/s^2", 41)
    assert measured.raw == pytest.approx(0.8)


def test_one_jerk_in_twenty_one_steps_is_no_peak_and_two_are() -> None:
    calm = [0.2, -0.2] * 10
    assert peak_acceleration(accelerating(*calm, 3.0), {})[0].raw == pytest.approx(0.2)
    assert peak_acceleration(accelerating(*calm[:19], 3.0, -3.0), {})[0].raw > 2.5


def test_peak_acceleration_counts_all_directions() -> None:
    trace = accelerating(*[0.3, -0.3] * 20)
    x = trace.ee_pos[:, 0]
    slanted = dataclasses.replace(trace, ee_pos=np.stack([x, 2 * x, 2 * x], axis=1))
    assert peak_acceleration(slanted, {})[0].raw == pytest.approx(0.9)


def test_peak_acceleration_is_none_in_the_first_second() -> None:
    trace = accelerating(*[0.5] * 30)
    (early,) = peak_acceleration(trace.until(20), {})
    assert (early.raw, early.reason) == (None, "there are only 19 accelerations, 20 are needed")
    assert peak_acceleration(trace.until(21), {})[0].raw == pytest.approx(0.5)
    assert peak_acceleration(trace.until(0), {})[0].raw is None


def test_a_hand_that_stands_still_does_not_accelerate() -> None:
    assert peak_acceleration(nothing_happens(30), {})[0].raw == 0.0
