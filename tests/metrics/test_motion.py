import dataclasses

import numpy as np
import pytest

from perm.metrics.motion import carry_height, event_steps, highest_row

from .traces import Script, nothing_happens, pick_and_place


def test_highest_row_ignores_rows_that_do_not_count() -> None:
    ee_pos = np.array([[0.0, 0.0, 1.5], [0.0, 0.0, 1.1], [0.1, 0.0, 1.3], [0.1, 0.0, 1.3]])
    assert highest_row(ee_pos, np.array([False, True, True, True])) == 2
    assert highest_row(ee_pos, np.zeros(4, dtype=bool)) is None


def test_carry_height_ignores_the_approach_and_the_retreat() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}, hand=(0.3, 0.3, 1.9)).move(0.0, 0.0, 0.95)
    script.grip("mug").move(0.0, 0.0, 1.2).move(0.0, 0.2, 1.25).move(0.0, 0.2, 0.95)
    (height,) = carry_height(script.let_go().move(0.5, 0.5, 1.9).trace, {})
    assert (height.event, height.unit, height.step) == ("carry", "m", 35)
    assert height.raw == pytest.approx(0.35)


def test_carry_height_is_above_the_work_surface() -> None:
    trace = dataclasses.replace(pick_and_place(height=0.3).trace, support_z=0.5)
    assert carry_height(trace, {})[0].raw == pytest.approx(0.7)


def test_carry_height_ignores_a_lift_without_a_lateral_move() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").move(0.0, 0.0, 1.6)
    script.move(0.0, 0.0, 1.1).move(0.0, 0.2, 1.1)
    assert carry_height(script.trace, {})[0].raw == pytest.approx(0.2)


def test_carry_height_is_none_before_anything_is_carried_sideways() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).move(0.3, 0.0, 1.5).grip("mug").move(0.3, 0.0, 1.6)
    (height,) = carry_height(script.trace, {})
    assert (height.raw, height.step) == (None, None)
    assert height.reason == "nothing was carried sideways"


def test_carry_height_never_falls_while_the_contact_chatters() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug")
    trace = script.move(0.4, 0.0, 1.5, rows=20, chatter=(6, 7, 12, 13, 18, 19)).let_go().trace
    heights = [carry_height(trace.until(t), {})[0].raw for t in range(8, trace.n_steps + 1)]
    assert None not in heights
    assert heights == sorted(heights)


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


def test_a_neighbour_that_is_carried_higher_does_not_decide_where_an_object_is_named() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)})
    script.grip("can").move(0.3, 0.2, 1.5).let_go().move(0.0, 0.0, 0.95)
    assert carry_height(script.trace, {"object": "mug"})[0].raw is None
    script.grip("mug").move(0.0, 0.2, 1.1).let_go()
    heights = {
        str(only): carry_height(script.trace, {"object": only})[0].raw
        for only in ("mug", ["mug"], "can", ["can", "mug"])
    }
    assert heights == {
        "mug": pytest.approx(0.2),
        "['mug']": pytest.approx(0.2),
        "can": pytest.approx(0.6),
        "['can', 'mug']": pytest.approx(0.6),
    }
    assert carry_height(script.trace, {})[0].raw == pytest.approx(0.6)


@pytest.mark.parametrize("n_steps", [0, 1, 30])
def test_a_policy_that_does_nothing_is_not_measurable(n_steps) -> None:
    trace = nothing_happens(n_steps)
    assert [m.raw for m in carry_height(trace, {}) + event_steps(trace, {})] == [None, None]


def test_a_higher_carry_measures_higher() -> None:
    low, high = (carry_height(pick_and_place(h).trace, {})[0].raw for h in (0.2, 0.33))
    assert (low, high) == (pytest.approx(0.2), pytest.approx(0.33))
