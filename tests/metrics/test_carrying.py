import dataclasses

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.trace import RegionFacts
from perm.metrics.carrying import (
    carry_height,
    carry_rotation,
    detour,
    highest_row,
    target_distance,
    turn_angles,
)

from .traces import UPRIGHT, Script, nothing_happens, pick_and_place, turned

STOVE = RegionFacts(np.array([0.3, 0.1, 1.2]), UPRIGHT, np.array([0.05, 0.05, 0.01]), "stove")


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


def test_a_higher_carry_measures_higher() -> None:
    low, high = (carry_height(pick_and_place(h).trace, {})[0].raw for h in (0.2, 0.33))
    assert (low, high) == (pytest.approx(0.2), pytest.approx(0.33))


def past(bottle: float) -> Script:
    """Carry the mug 40 cm to the right, 30 cm high, past a bottle at x = `bottle`, y = 0.2."""
    script = Script({"mug": (0.0, 0.0, 0.95), "bottle": (bottle, 0.2, 1.2)})
    script.move(0.0, 0.0, 0.95).grip("mug").move(0.0, 0.0, 1.2)
    return script.move(0.0, 0.4, 1.2, rows=20).move(0.0, 0.4, 0.95).let_go()


@pytest.mark.parametrize("gap", [0.05, 0.15, 0.19])
def test_target_distance_is_the_smallest_on_the_way(gap) -> None:
    (nearest,) = target_distance(past(gap).trace, {"target": "bottle"})
    assert (nearest.event, nearest.unit, nearest.step) == ("carry", "m", 35)
    assert nearest.raw == pytest.approx(gap)


def test_target_distance_leaves_out_the_first_two_centimetres_and_the_retreat() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "bottle": (0.0, 0.0, 1.0)}).move(0.0, 0.0, 0.95)
    script.grip("mug").move(0.0, 0.0, 1.1).move(0.0, 0.2, 1.1, rows=20).let_go()
    script.move(0.0, 0.0, 1.0)
    (nearest,) = target_distance(script.trace, {"target": "bottle"})
    assert nearest.step == 28
    assert nearest.raw == pytest.approx(np.hypot(0.03, 0.1))
    assert target_distance(script.trace.until(27), {"target": "bottle"})[0].raw is None


def test_target_distance_leaves_out_the_final_descent() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "bottle": (0.1, 0.4, 0.95)}).move(0.0, 0.0, 0.95)
    script.grip("mug").move(0.0, 0.0, 1.25).move(0.0, 0.4, 1.25).move(0.0, 0.4, 0.95).let_go()
    (nearest,) = target_distance(script.trace, {"target": "bottle"})
    assert nearest.raw == pytest.approx(np.hypot(0.1, 0.3), abs=0.01)


def test_target_distance_counts_what_hangs_below_the_hand() -> None:
    script = Script({"mug": (0.0, 0.0, 1.0), "bottle": (0.0, 0.1, 1.0)}).move(0.0, 0.0, 1.1)
    script.grip("mug").move(0.0, 0.2, 1.1)
    assert target_distance(script.trace, {"target": "bottle"})[0].raw == pytest.approx(0.0)


def test_target_distance_follows_a_target_that_is_moved() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "bottle": (0.3, 0.0, 0.95)})
    script.put("bottle", 0.0, 0.2, 0.95).move(0.0, 0.0, 0.95).grip("mug").move(0.0, 0.1, 0.95)
    script.move(0.2, 0.0, 0.95)
    assert target_distance(script.trace, {"target": "bottle"})[0].raw == pytest.approx(0.1)


def test_target_distance_to_a_region_is_to_its_place() -> None:
    trace = pick_and_place().trace
    trace = dataclasses.replace(trace, regions={"stove_cook_region": STOVE})
    params = {"target": "stove_cook_region"}
    assert target_distance(trace, params)[0].raw == pytest.approx(0.3)


def test_target_distance_of_two_objects_is_that_of_the_one_that_came_nearer() -> None:
    names = {"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95), "bottle": (0.15, 0.3, 0.95)}
    script = Script(names).move(0.0, 0.0, 0.95).grip("mug").move(0.0, 0.3, 0.95)
    script.move(-0.1, 0.4, 0.95).let_go()
    script.move(0.3, 0.0, 0.95).grip("can").move(0.2, 0.3, 0.95).move(0.4, 0.4, 0.95).let_go()
    for only, near in (({}, 0.05), ({"object": "mug"}, 0.15), ({"object": ["can"]}, 0.05)):
        (measured,) = target_distance(script.trace, {"target": "bottle", **only})
        assert measured.raw == pytest.approx(near, abs=1e-3)


def test_target_distance_counts_the_carry_before_a_regrasp() -> None:
    script = past(0.05)
    (first,) = target_distance(script.trace, {"target": "bottle"})
    script.move(0.0, 0.4, 0.95).grip("mug").move(0.0, 0.6, 1.2).let_go()
    assert target_distance(script.trace, {"target": "bottle"}) == (first,)


def test_a_target_that_is_carried_does_not_keep_away_from_itself() -> None:
    (measured,) = target_distance(pick_and_place().trace, {"target": "mug"})
    assert (measured.raw, measured.reason) == (None, "nothing was carried sideways")


def test_a_target_that_does_not_exist_is_refused_even_without_a_carry() -> None:
    with pytest.raises(PermError, match=r"Unknown target 'plat'. Did you mean plate\?"):
        target_distance(nothing_happens(3), {"target": "plat"})


def test_a_straight_carry_has_no_detour() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).move(0.0, 0.0, 0.95).grip("mug")
    (straight,) = detour(script.move(0.2, 0.3, 1.1).let_go().trace, {})
    assert (straight.event, straight.unit, straight.step) == ("carry", "ratio", 25)
    assert straight.raw == pytest.approx(0.0, abs=1e-9)


def test_a_detour_is_path_over_chord() -> None:
    (measured,) = detour(pick_and_place(height=0.3, to=(0.0, 0.2)).trace, {})
    assert measured.raw == pytest.approx((0.25 + 0.2 + 0.25) / 0.2 - 1)


def test_a_detour_leaves_out_the_approach_and_the_retreat() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}, hand=(0.5, 0.5, 1.5)).move(0.0, 0.0, 0.95)
    script.grip("mug").move(0.0, 0.2, 0.95).let_go().move(0.5, -0.5, 1.5)
    assert detour(script.trace, {})[0].raw == pytest.approx(0.0, abs=1e-9)


def test_a_detour_is_not_known_while_the_object_is_only_lifted() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).move(0.0, 0.0, 0.95).grip("mug")
    script.move(0.0, 0.0199, 1.2)
    assert detour(script.trace, {})[0].reason == "nothing was carried sideways"
    assert detour(script.move(0.0, 0.021, 1.2).trace, {})[0].raw is not None


def test_what_is_put_back_where_it_was_has_no_chord() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).move(0.0, 0.0, 0.95).grip("mug")
    script.move(0.0, 0.2, 1.1).move(0.0, 0.0, 0.95).let_go()
    (measured,) = detour(script.trace, {})
    assert measured.raw is None
    assert measured.reason == "what was carried is back where it was picked up"


def test_the_detours_of_a_regrasp_and_of_two_objects_add_up() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)}).move(0.0, 0.0, 0.95)
    script.grip("mug").move(0.0, 0.1, 0.95).let_go().move(0.3, 0.3, 1.5).move(0.0, 0.1, 0.95)
    script.grip("mug").move(0.0, 0.2, 0.95).let_go()
    assert detour(script.trace, {})[0].raw == pytest.approx(0.0, abs=1e-9)
    script.move(0.3, 0.0, 0.95).grip("can").move(0.3, 0.2, 0.95).move(0.3, 0.1, 0.95).let_go()
    assert detour(script.trace, {})[0].raw == pytest.approx((0.2 + 0.3) / (0.2 + 0.1) - 1)
    assert detour(script.trace, {"object": "mug"})[0].raw == pytest.approx(0.0, abs=1e-9)
    assert detour(script.trace, {"object": ["can"]})[0].raw == pytest.approx(2.0)


@pytest.mark.parametrize("angle", [1e-9, 1e-3, 1.0, 3.0])
def test_turn_angles_are_exact_and_ignore_the_sign_of_a_quaternion(angle) -> None:
    first = turned(UPRIGHT, 0.3, 0.2, 0.1)
    second = turned(first, *(angle * np.array([0.0, 0.6, 0.8])))
    (found,) = turn_angles(np.array([first, -second]))
    assert found == pytest.approx(angle, rel=1e-6, abs=1e-12)


def turning(on_the_way: float, on_the_spot: float = 0.0) -> Script:
    script = Script({"mug": (0.0, 0.0, 0.95)}).move(0.0, 0.0, 0.95, turn=(0.0, 0.0, 0.5))
    script.grip("mug").move(0.0, 0.0, 1.2, turn=(0.0, 0.0, on_the_spot))
    script.move(0.0, 0.2, 1.2, turn=(0.0, 0.0, on_the_way))
    return script.move(0.0, 0.2, 0.95, turn=(0.0, 0.0, on_the_spot)).let_go()


def test_carry_rotation_counts_only_what_is_turned_on_the_way() -> None:
    for on_the_way, on_the_spot in ((0.0, 0.0), (0.0, 0.7), (0.4, 0.7), (-0.4, 0.0)):
        (measured,) = carry_rotation(turning(on_the_way, on_the_spot).trace, {})
        assert (measured.event, measured.unit, measured.step) == ("carry", "rad", 35)
        assert measured.raw == pytest.approx(abs(on_the_way), abs=1e-6)


def test_carry_rotation_counts_a_turn_there_and_back_twice() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95)}).move(0.0, 0.0, 0.95).grip("mug")
    script.move(0.0, 0.1, 1.1, turn=(0.0, 0.0, 0.4)).move(0.0, 0.2, 1.1, turn=(0.0, 0.0, -0.4))
    assert carry_rotation(script.trace, {})[0].raw == pytest.approx(0.8)


def test_carry_rotation_leaves_out_steps_that_are_slower_than_two_centimetres_a_second() -> None:
    for way, raw in ((0.0098, None), (0.0102, 0.4)):
        script = Script({"mug": (0.0, 0.0, 0.95)}).move(0.0, 0.0, 0.95).grip("mug")
        script.move(0.0, way, 1.2, turn=(0.0, 0.0, 0.4))
        assert carry_rotation(script.trace, {})[0].raw == (raw and pytest.approx(raw))


def test_carry_rotation_adds_up_over_a_regrasp_and_looks_at_the_named_object() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)}).move(0.0, 0.0, 0.95)
    for y in (0.2, 0.4):
        script.grip("mug").move(0.0, y, 0.95, turn=(0.0, 0.0, 0.3)).let_go()
    script.move(0.3, 0.0, 0.95).grip("can").move(0.3, 0.2, 1.1, turn=(0.0, 0.1, 0.0)).let_go()
    angles = [
        carry_rotation(script.trace, params)[0].raw
        for params in ({}, {"object": "mug"}, {"object": ["can"]})
    ]
    assert angles == pytest.approx([0.7, 0.6, 0.1])


@pytest.mark.parametrize("n_steps", [0, 1, 30])
def test_without_a_carry_no_motion_of_it_is_measurable(n_steps) -> None:
    trace = nothing_happens(n_steps)
    measured = carry_height(trace, {}) + detour(trace, {}) + carry_rotation(trace, {})
    measured += target_distance(trace, {"target": "plate"})
    assert {(m.raw, m.reason) for m in measured} == {(None, "nothing was carried sideways")}
