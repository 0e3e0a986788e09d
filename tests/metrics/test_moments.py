import dataclasses

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.metrics.moments import (
    Carry,
    carries,
    carries_of_one,
    completion_row,
    descent_row,
    gripped,
    moves_while_carrying,
    rest_row,
    sideways_row,
)

from .traces import OPEN, Script, nothing_happens, pick_and_place


def test_a_carry_goes_from_the_first_contact_to_the_opening_fingers() -> None:
    assert carries(pick_and_place().trace) == (
        Carry("mug", grasp=11, moved=16, stop=46, release=46),
    )


@pytest.mark.parametrize("lost", [(3,), (3, 4), (3, 4, 6, 7)])
def test_a_finger_that_loses_contact_for_two_rows_does_not_split_a_carry(lost) -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug")
    script.move(0.2, 0.0, 1.1, chatter=lost).let_go()
    assert carries(script.trace) == (Carry("mug", grasp=1, moved=7, stop=16, release=16),)


def test_three_rows_without_contact_end_a_hold() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug")
    script.move(0.2, 0.0, 1.1, rows=20, chatter=(9, 10, 11)).let_go()
    first, second = carries(script.trace)
    assert (first.grasp, first.stop, first.release) == (1, 15, None)
    assert (second.grasp, second.stop, second.release) == (18, 26, 26)


def test_a_touch_of_two_rows_is_no_grasp() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug", rows=1).move(0.2, 0.0, 1.0, rows=1)
    assert carries(script.let_go().trace) == ()


def test_touches_of_one_row_far_apart_do_not_add_up() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)})
    for x in (0.1, 0.2, 0.3, 0.4):
        script.grip("mug", rows=1).put("mug", x, 0.0, 0.95).let_go(rows=3)
    assert carries(script.trace) == ()


def test_holding_without_moving_two_centimetres_is_no_carry() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").move(0.019, 0.0, 1.1, rows=1)
    script.put("mug", 0.019, 0.0, 0.95).let_go()
    assert carries(script.trace) == ()


def test_a_slip_is_no_release_until_the_fingers_open() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").move(0.0, 0.0, 1.2).slip(rows=8)
    assert carries(script.trace)[0].release is None
    opening = script.row + 1
    assert carries(script.open().trace)[0].release == opening


def test_contact_lost_a_little_before_the_fingers_open_is_still_a_release() -> None:
    trace = pick_and_place().trace
    contact = trace.contact.copy()
    contact[43:46] = False
    (carry,) = carries(dataclasses.replace(trace, contact=contact))
    assert (carry.stop, carry.release) == (43, 46)


def test_the_widest_object_can_be_released() -> None:
    trace = pick_and_place().trace
    width = np.where(trace.gripper_width < OPEN, 0.075, OPEN)
    assert carries(dataclasses.replace(trace, gripper_width=width))[0].release == 46


def test_a_release_is_known_once_three_rows_confirm_it() -> None:
    trace = pick_and_place().trace
    assert carries(trace.until(47))[0].release is None
    assert carries(trace.until(48))[0].release == 46


def test_a_grasp_keeps_its_row_when_it_is_confirmed() -> None:
    trace = pick_and_place().trace
    assert carries(trace.until(15)) == ()
    assert carries(trace.until(16)) == (Carry("mug", 11, 16, stop=17, release=None),)


def test_carries_come_in_the_order_in_which_the_objects_were_moved() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)})
    script.grip("can").move(0.0, 0.0, 1.2).let_go().grip("mug").move(0.3, 0.0, 1.2).let_go()
    assert [carry.object for carry in carries(script.trace)] == ["can", "mug"]
    assert [carry.object for carry in carries(script.trace, ["mug"])] == ["mug"]


def test_an_object_that_is_not_there_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(PermError, match=r"Unknown object 'mugg'. Did you mean mug\?"):
        carries(nothing_happens(3), ["mugg"])


@pytest.mark.parametrize("n_steps", [0, 1, 2, 50])
@pytest.mark.parametrize("objects", [(), ("mug",)])
def test_a_trace_of_any_length_without_a_grasp_has_no_moments(n_steps, objects) -> None:
    trace = nothing_happens(n_steps, objects)
    assert carries(trace) == ()
    assert moves_while_carrying(trace).tolist() == [False] * (n_steps + 1)


def test_lateral_moves_leave_out_the_approach_the_lift_and_the_retreat() -> None:
    trace = pick_and_place(to=(0.0, 0.2)).trace
    assert np.flatnonzero(moves_while_carrying(trace)).tolist() == list(range(26, 36))


def test_the_step_that_ends_with_the_grasp_is_no_lateral_move() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug", rows=0).move(0.0, 0.2, 1.1)
    assert np.flatnonzero(moves_while_carrying(script.trace)).tolist() == list(range(2, 11))


def test_a_drift_below_two_centimetres_a_second_is_no_lateral_move() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").move(0.009, 0.0, 1.2)
    assert not moves_while_carrying(script.trace).any()


def test_rest_is_three_slow_steps_in_a_row() -> None:
    x = np.array([0.0, 0.0, 0.0, 0.1, 0.2, 0.3, 0.3005, 0.301, 0.301, 0.301])
    pos = np.stack([x, 0 * x, 0 * x], axis=1)
    assert rest_row(pos, dt=0.05, start=1) == 8


def test_what_never_rests_is_judged_at_the_last_row() -> None:
    pos = np.arange(6.0)[:, None] * [0.1, 0.0, 0.0]
    assert rest_row(pos, dt=0.05, start=2) == 5
    assert rest_row(pos, dt=0.05, start=5) == 5


def test_the_carries_of_one_are_those_of_the_first_object_or_of_the_named_one() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)})
    script.grip("can").move(0.0, 0.0, 1.2).let_go().grip("mug").move(0.3, 0.0, 1.2).let_go()
    script.grip("can").move(0.0, 0.0, 1.4).let_go()
    assert [c.grasp for c in carries_of_one(script.trace)] == [1, 41]
    assert [c.grasp for c in carries_of_one(script.trace, "mug")] == [21]
    assert carries_of_one(nothing_happens(5)) == ()


def test_sideways_is_more_than_two_centimetres_on_the_level() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").move(0.0, 0.0, 1.2)
    (carry,) = carries(script.move(0.0, 0.02, 1.2, rows=2).trace)
    assert sideways_row(script.trace, carry) is None
    (carry,) = carries(script.move(0.0, 0.021, 1.2, rows=1).trace)
    assert sideways_row(script.trace, carry) == 18


def test_the_final_descent_starts_where_the_object_came_near_for_the_last_time() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").move(0.0, 0.2, 1.2)
    script.move(0.0, 0.1, 1.2).move(0.0, 0.2, 1.2).move(0.0, 0.2, 0.95).let_go()
    (carry,) = carries(script.trace)
    assert descent_row(script.trace, carry) == 33
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug").move(0.0, 0.0, 1.2).let_go()
    assert descent_row(script.trace, carries(script.trace)[0]) == 1


def test_gripped_is_between_fingers_that_are_neither_open_nor_shut() -> None:
    for width, is_between in ((0.078, False), (0.077, False), (0.075, True), (0.005, True)):
        script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug", rows=4, width=width)
        rows = np.flatnonzero(gripped(script.let_go().trace, "mug")).tolist()
        assert rows == ([1, 2, 3, 4] if is_between else [])
    fist = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug", width=0.003)
    assert not gripped(fist.trace, "mug").any()


def test_a_touch_of_two_rows_is_no_grip() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).grip("mug", rows=2).let_go()
    assert not gripped(script.trace, "mug").any()


def test_the_mission_is_complete_at_the_first_success() -> None:
    trace = nothing_happens(9)
    assert completion_row(trace) == 9
    success = np.isin(np.arange(10), [4, 5, 8])
    assert completion_row(dataclasses.replace(trace, success=success)) == 4
