import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.trace import ObjectFacts
from perm.metrics.grasping import approach_angle, approach_tilt, edge_pick, handle_pick, side_offset

from .traces import DOWN, TABLE, Script, box, nothing_happens, pick_and_place, turned

MUG = ObjectFacts(
    "mug",
    half_extents=np.array([0.06, 0.045, 0.05]),
    centre=np.array([0.015, 0.0, 0.0]),
    lowest_offset=-0.05,
    handle=np.array([0.07, 0.0, 0.0]),
)


@pytest.mark.parametrize(
    ("side", "offset"), [("right", 0.04), ("left", -0.04), ("front", -0.03), ("back", 0.03)]
)
def test_side_offset_is_larger_the_more_it_is_on_the_asked_side(side, offset) -> None:
    ee_pos, centre = np.array([0.07, 0.24, 1.0]), np.array([0.1, 0.2, 0.9])
    assert side_offset(ee_pos, centre, side) == pytest.approx(offset)


def test_edge_pick_is_taken_at_the_grasp_and_stays() -> None:
    script = Script({"bowl": (0.0, 0.0, 0.95)}).move(0.01, 0.05, 0.95)
    trace = script.grip("bowl").move(0.3, -0.4, 1.2).let_go().trace
    (right,) = edge_pick(trace, {"side": "right"})
    assert (right.event, right.unit, right.step) == ("grasp", "m", 11)
    assert right.raw == pytest.approx(0.05)
    assert right.reason == "grasp of bowl"
    assert edge_pick(trace.until(15), {"side": "right"})[0].raw is None
    assert edge_pick(trace.until(16), {"side": "right"}) == (right,)


def test_edge_pick_does_not_count_a_grasp_that_slipped() -> None:
    script = Script({"bowl": (0.0, 0.0, 0.95)}).move(0.0, -0.05, 0.95).grip("bowl").slip().open()
    script.move(0.0, 0.05, 0.95).grip("bowl").move(0.0, 0.2, 1.2)
    assert edge_pick(script.trace, {"side": "right"})[0].raw == pytest.approx(0.05)


def test_edge_pick_looks_at_the_named_object() -> None:
    script = Script({"bowl": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)})
    script.move(0.3, -0.02, 0.95).grip("can").move(0.3, 0.3, 1.2).let_go()
    named, any_object = {"side": "left", "object": "bowl"}, {"side": "left"}
    assert edge_pick(script.trace, named)[0].reason == "bowl was not picked up"
    assert edge_pick(script.trace, any_object)[0].raw == pytest.approx(0.02)
    script.move(0.0, -0.04, 0.95).grip("bowl").move(0.0, 0.2, 1.2)
    assert edge_pick(script.trace, named)[0].raw == pytest.approx(0.04)


@pytest.mark.parametrize("n_steps", [0, 1, 30])
def test_edge_pick_without_a_grasp_is_none(n_steps) -> None:
    (measured,) = edge_pick(nothing_happens(n_steps), {"side": "back"})
    assert (measured.raw, measured.reason) == (None, "nothing was picked up")


def test_a_side_that_does_not_exist_is_refused_even_without_a_grasp() -> None:
    with pytest.raises(PermError, match=r"Unknown side 'rigth'. Did you mean right\?"):
        edge_pick(nothing_happens(1), {"side": "rigth"})
    with pytest.raises(PermError, match="Unknown side 'top'"):
        side_offset(np.zeros(3), np.zeros(3), "top")
    with pytest.raises(PermError, match=r"Unknown object 'plat'. Did you mean plate"):
        edge_pick(pick_and_place().trace, {"side": "left", "object": "plat"})
    with pytest.raises(PermError, match=r"Unknown side 'topp'\. Known: any, back"):
        approach_angle(nothing_happens(1), {"from": "topp"})


def pick_mug(dx: float, dy: float, yaw: float = 0.0, facts: ObjectFacts = MUG) -> Script:
    """Pick the mug off its centre; its handle points to +x, turned by `yaw`."""
    script = Script({"mug": (0.0, 0.0, 0.95)}, facts={"mug": facts})
    script.put("mug", 0.0, 0.0, 0.95, turn=(0.0, 0.0, yaw))
    centre = 0.015 * np.array([np.cos(yaw), np.sin(yaw)])
    script.move(centre[0] + dx, centre[1] + dy, 0.97).grip("mug")
    return script.move(0.2, 0.2, 1.2).let_go()


@pytest.mark.parametrize(
    ("dx", "dy", "yaw", "raw"),
    [
        (0.05, 0.0, 0.0, 0.05),
        (0.0, 0.05, 0.0, 0.0),
        (0.005, 0.04, 0.0, 0.005),
        (-0.04, 0.0, 0.0, -0.04),
        (0.0, 0.05, np.pi / 2, 0.05),
        (0.05, 0.0, np.pi / 2, 0.0),
    ],
)
def test_handle_pick_is_the_offset_towards_the_handle_however_the_mug_stands(
    dx, dy, yaw, raw
) -> None:
    (measured,) = handle_pick(pick_mug(dx, dy, yaw).trace, {})
    assert (measured.event, measured.unit, measured.step) == ("grasp", "m", 12)
    assert measured.raw == pytest.approx(raw, abs=1e-9)


def test_an_object_without_a_handle_is_not_picked_by_it() -> None:
    (measured,) = handle_pick(pick_mug(0.05, 0.0, facts=box()).trace, {"object": "mug"})
    assert (measured.raw, measured.reason) == (None, "mug has no handle")


def test_a_handle_that_points_up_is_on_no_side() -> None:
    lid = ObjectFacts("pot", MUG.half_extents, np.zeros(3), -0.05, handle=np.array([0.0, 0.0, 0.1]))
    (measured,) = handle_pick(pick_mug(0.05, 0.0, facts=lid).trace, {})
    assert (measured.raw, measured.reason) == (None, "the handle of mug points to no side")


def test_handle_pick_looks_at_the_named_object_and_keeps_its_first_grasp() -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)}, facts={"mug": MUG})
    script.move(0.3, 0.0, 0.95).grip("can").move(0.3, 0.3, 1.2).let_go()
    assert handle_pick(script.trace, {})[0].reason == "can has no handle"
    assert handle_pick(script.trace, {"object": "mug"})[0].reason == "mug was not picked up"
    script.move(0.065, 0.0, 0.95).grip("mug").move(0.1, 0.3, 1.2).let_go()
    (first,) = handle_pick(script.trace, {"object": "mug"})
    script.move(0.0, 0.3, 1.2).grip("mug").move(0.0, 0.5, 1.2).let_go()
    assert first.raw == pytest.approx(0.05)
    assert handle_pick(script.trace, {"object": "mug"}) == (first,)


TO_LEFT, TO_FRONT = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
"""Axes about which a hand that points down is turned so that it comes from that side."""


@pytest.mark.parametrize("tilt", [0.0, 0.1, 0.69, 1.57, 1.8])
def test_approach_tilt_is_the_angle_from_straight_down(tilt) -> None:
    for axis in (TO_LEFT, TO_FRONT, (0.6, -0.8, 0.0)):
        assert approach_tilt(turned(DOWN, *(tilt * np.array(axis)))) == pytest.approx(tilt)


@pytest.mark.parametrize("tilt", [0.1, 0.69, 1.29, 1.57, 1.8])
def test_approach_tilt_with_a_side_tells_the_sides_apart(tilt) -> None:
    from_left = turned(DOWN, *(tilt * np.array(TO_LEFT)))
    found = {side: approach_tilt(from_left, side) for side in ("left", "right", "front", "back")}
    expected = {"left": tilt, "right": -tilt, "front": 0.0, "back": 0.0}
    assert found == {side: pytest.approx(a, abs=1e-9) for side, a in expected.items()}
    from_front = turned(DOWN, *(tilt * np.array(TO_FRONT)))
    assert approach_tilt(from_front, "front") == pytest.approx(tilt)


def test_a_tilt_between_two_sides_counts_in_part_for_both() -> None:
    hand = turned(DOWN, *(0.8 * np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0])))
    assert approach_tilt(hand, "left") == pytest.approx(0.8 * np.sqrt(0.5))
    assert approach_tilt(hand, "front") == pytest.approx(0.8 * np.sqrt(0.5))


def test_a_turn_about_the_approach_is_no_tilt() -> None:
    assert approach_tilt(turned(DOWN, 0.0, 0.0, 1.2)) == pytest.approx(0.0, abs=1e-9)
    assert approach_tilt(DOWN, "left") == 0.0
    assert approach_tilt(turned(turned(DOWN, 0.0, 0.0, 2.0), 0.7, 0.0, 0.0), "left") == (
        pytest.approx(0.7)
    )


def test_approach_angle_is_taken_at_the_first_grasp_that_carried() -> None:
    script = Script({"can": (0.0, 0.0, 0.95)}).move(0.0, 0.0, 0.95).tilt(0.2, 0.0, 0.0)
    script.grip("can").slip().open().tilt(0.7, 0.0, 0.0).grip("can").tilt(0.0, 0.0, 0.0)
    script.move(0.0, 0.2, 1.2).let_go()
    (measured,) = approach_angle(script.trace, {})
    assert (measured.event, measured.unit, measured.step) == ("grasp", "rad", 26)
    assert measured.raw == pytest.approx(0.7)
    script.tilt(0.0, 0.3, 0.0).grip("can").move(0.0, 0.4, 1.2).let_go()
    assert approach_angle(script.trace, {"from": "any"}) == (measured,)
    assert approach_angle(script.trace, {"from": "left"})[0].raw == pytest.approx(0.7)
    assert approach_angle(script.trace, {"from": "right"})[0].raw == pytest.approx(-0.7)


def test_approach_angle_looks_at_the_named_object() -> None:
    script = Script({"can": (0.0, 0.0, 0.95), "mug": (0.3, 0.0, 0.95)})
    script.tilt(0.1, 0.0, 0.0).grip("mug").move(0.0, 0.2, TABLE + 0.3).let_go()
    assert approach_angle(script.trace, {"object": "can"})[0].reason == "can was not picked up"
    script.tilt(0.5, 0.0, 0.0).grip("can").move(0.0, 0.4, 1.2).let_go()
    assert approach_angle(script.trace, {"object": "can"})[0].raw == pytest.approx(0.5)
    assert approach_angle(script.trace, {})[0].raw == pytest.approx(0.1)


@pytest.mark.parametrize("n_steps", [0, 1, 30])
def test_without_a_grasp_neither_handle_nor_angle_is_known(n_steps) -> None:
    trace = nothing_happens(n_steps)
    measured = handle_pick(trace, {}) + approach_angle(trace, {})
    assert {(m.raw, m.reason) for m in measured} == {(None, "nothing was picked up")}
