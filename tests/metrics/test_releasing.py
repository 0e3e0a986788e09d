import numpy as np
import pytest

from perm.core.errors import PermError
from perm.metrics.releasing import (
    lay_tilt,
    place_turn,
    throw_fall,
    tilt_since,
    turn_about_vertical,
)

from .traces import UPRIGHT, Script, box, nothing_happens, pick_and_place, turned


def in_hand(facts=None) -> Script:
    """The mug has been lifted 25 cm; a can stands aside."""
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)}, facts=facts)
    return script.move(0.0, 0.0, 0.95).grip("mug").move(0.0, 0.0, 1.2)


def thrown(speed: float, height: float = 0.1) -> Script:
    """Let the mug go on the way at some speed [m/s]; it falls from `height` in 5 steps."""
    script = in_hand().move(0.0, 0.2, 0.95 + height).wait(3)
    script.move(0.0, 0.2 + speed * 0.05 * 4, 0.95 + height, rows=4).let_go(rows=1)
    return script.slide("mug", 0.0, 0.4, 0.95, rows=5).wait(10)


def test_throw_fall_is_how_far_it_falls_after_the_fingers_opened() -> None:
    script = thrown(speed=0.25)
    (measured,) = throw_fall(script.trace, {})
    assert (measured.event, measured.unit) == ("release", "m")
    assert measured.raw == pytest.approx(0.1)
    assert measured.reason == "mug was released at 0.25 m/s"
    assert measured.step == script.row - 10 + 3


def test_a_plain_placement_is_no_throw() -> None:
    script = pick_and_place()
    (measured,) = throw_fall(script.wait(5).trace, {})
    assert measured.raw == 0.0


def test_a_drop_at_rest_is_no_throw_however_far_it_falls() -> None:
    script = in_hand().move(0.0, 0.2, 1.2).wait(3).let_go(rows=1)
    (measured,) = throw_fall(script.slide("mug", 0.0, 0.2, 0.95, rows=5).wait(10).trace, {})
    assert (measured.raw, measured.step) == (0.0, 39)
    assert measured.reason == "mug was released at rest"


@pytest.mark.parametrize(("speed", "fall"), [(0.049, 0.0), (0.051, 0.1)])
def test_a_throw_starts_at_five_centimetres_a_second(speed, fall) -> None:
    assert throw_fall(thrown(speed).trace, {})[0].raw == pytest.approx(fall)


def test_throw_fall_grows_until_the_object_rests() -> None:
    trace = thrown(speed=0.25).trace
    falls = [throw_fall(trace.until(t), {})[0].raw for t in range(trace.n_steps + 1)]
    known = [fall for fall in falls if fall is not None]
    assert falls.index(known[0]) == 45
    assert known[:4] == pytest.approx([0.04, 0.06, 0.08, 0.1])
    assert known[4:] == pytest.approx([0.1] * len(known[4:]))


def test_what_slips_out_of_shut_fingers_was_not_thrown() -> None:
    script = in_hand().move(0.0, 0.2, 1.2).slip(rows=1).slide("mug", 0.0, 0.3, 0.95, rows=5).wait(5)
    assert throw_fall(script.trace, {})[0].reason == "mug was not released"
    assert throw_fall(script.open().trace, {})[0].raw == pytest.approx(0.0)


def test_a_throw_that_is_picked_up_again_and_placed_is_no_throw() -> None:
    script = thrown(speed=0.25).move(0.0, 0.4, 0.95).grip("mug").move(0.0, 0.5, 1.2)
    (held,) = throw_fall(script.trace, {})
    assert (held.raw, held.reason) == (None, "mug was not released")
    assert throw_fall(script.move(0.0, 0.5, 0.95).wait(3).let_go().trace, {})[0].raw == 0.0


def test_a_release_of_another_object_does_not_count() -> None:
    script = thrown(speed=0.25).move(0.3, 0.0, 0.95).grip("can").move(0.3, 0.3, 0.95)
    script.wait(3).let_go()
    falls = [throw_fall(script.trace, p)[0].raw for p in ({}, {"object": "mug"}, {"object": "can"})]
    assert falls == pytest.approx([0.1, 0.1, 0.0])


@pytest.mark.parametrize("angle", [0.0, 0.3, -0.74, 3.0])
def test_a_turn_about_the_vertical_is_seen_on_an_object_that_lies_too(angle) -> None:
    for first in (UPRIGHT, turned(UPRIGHT, np.pi / 2, 0.0, 0.0)):
        second = turned(first, 0.0, 0.0, angle)
        assert turn_about_vertical(first, second) == pytest.approx(abs(angle))
    assert turn_about_vertical(UPRIGHT, turned(UPRIGHT, angle, 0.0, 0.0)) == pytest.approx(0.0)


def placed(on_the_way: float, over_target: float, lateral: float = 0.0) -> Script:
    """Turn the mug on the way and while it is lowered, ending `lateral` aside."""
    script = in_hand().move(0.0, 0.2, 1.2, turn=(0.0, 0.0, on_the_way))
    script.move(lateral, 0.2, 0.95, turn=(0.0, 0.0, over_target))
    return script.let_go().move(0.0, 0.2, 1.2, turn=(0.0, 0.0, 1.0))


def test_place_turn_counts_what_is_turned_over_the_target() -> None:
    for on_the_way, over_target in ((0.0, 0.74), (0.6, -0.74), (-0.6, 0.2)):
        (measured,) = place_turn(placed(on_the_way, over_target).trace, {})
        assert (measured.event, measured.unit, measured.step) == ("release", "rad", 46)
        # Of the way there, the last step and the part of a step that ends within 3 cm count too.
        assert measured.raw == pytest.approx(abs(over_target + on_the_way / 10), abs=1e-6)


def test_a_turn_on_the_way_is_no_turn_of_the_placement() -> None:
    assert place_turn(placed(0.74, 0.0).trace, {})[0].raw == pytest.approx(0.074)
    assert place_turn(placed(0.0, 0.0).trace, {})[0].raw == pytest.approx(0.0, abs=1e-9)


def test_the_final_descent_starts_three_centimetres_away() -> None:
    (measured,) = place_turn(placed(0.0, 0.8, lateral=0.05).trace, {})
    assert measured.raw == pytest.approx(0.8 * 6 / 10)


def test_place_turn_is_that_of_the_last_release() -> None:
    script = placed(0.0, 0.7).move(0.0, 0.2, 0.95).grip("mug").move(0.0, 0.4, 1.2)
    assert place_turn(script.trace, {})[0].reason == "mug was not released"
    script.move(0.0, 0.4, 0.95, turn=(0.0, 0.0, 0.1)).let_go()
    assert place_turn(script.trace, {})[0].raw == pytest.approx(0.1)
    script.move(0.3, 0.0, 0.95).grip("can").move(0.3, 0.2, 1.2)
    script.move(0.3, 0.2, 0.95, turn=(0.0, 0.0, 0.5)).let_go()
    turns = [place_turn(script.trace, p)[0].raw for p in ({}, {"object": "mug"}, {"object": "can"})]
    assert turns == pytest.approx([0.1, 0.1, 0.5])


@pytest.mark.parametrize("angle", [0.0, 0.5, np.pi / 2, 3.0])
def test_tilt_since_ignores_the_yaw(angle) -> None:
    first = turned(UPRIGHT, 0.0, 0.0, 0.4)
    second = turned(turned(first, angle * 0.6, angle * 0.8, 0.0), 0.0, 0.0, 1.1)
    assert tilt_since(first, second) == pytest.approx(angle)


def laid(tilt: float, stand: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Script:
    """Carry the mug, which stands in some orientation, and put it down tilted."""
    script = Script({"mug": (0.0, 0.0, 0.95), "can": (0.3, 0.0, 0.95)})
    script.put("mug", 0.0, 0.0, 0.95, turn=stand).move(0.0, 0.0, 0.95).grip("mug")
    script.move(0.0, 0.2, 1.2, turn=(tilt, 0.0, 0.0)).move(0.0, 0.2, 0.95)
    return script.let_go(rows=3)


@pytest.mark.parametrize("tilt", [0.0, np.radians(29), np.radians(31), np.pi / 2])
def test_lay_tilt_is_the_tilt_at_rest(tilt) -> None:
    (measured,) = lay_tilt(laid(tilt).wait(5).trace, {})
    assert (measured.event, measured.unit, measured.step) == ("rest", "rad", 40)
    assert measured.raw == pytest.approx(tilt, abs=1e-9)


def test_upright_is_how_the_object_stood_when_it_was_grasped() -> None:
    for stand in ((np.pi / 2, 0.0, 0.0), (0.0, np.pi / 2, 0.0), (0.0, 0.0, 2.0)):
        assert lay_tilt(laid(0.0, stand).wait(5).trace, {})[0].raw == pytest.approx(0.0, abs=1e-9)
        assert lay_tilt(laid(1.4, stand).wait(5).trace, {})[0].raw == pytest.approx(1.4)


def test_a_bottle_whose_foot_rests_while_it_falls_over_is_not_at_rest() -> None:
    foot = box(half=(0.02, 0.02, 0.08), centre=(0.0, 0.0, 0.08))
    script = in_hand(facts={"mug": foot}).move(0.0, 0.2, 0.95).let_go(rows=1)
    script.slide("mug", 0.0, 0.2, 0.95, turn=(np.pi / 2, 0.0, 0.0), rows=10).wait(5)
    assert lay_tilt(script.trace, {})[0].raw == pytest.approx(np.pi / 2)


def test_what_lies_when_it_is_picked_up_again_still_lies() -> None:
    script = laid(np.pi / 2).wait(5).grip("mug").move(0.0, 0.4, 1.2)
    assert lay_tilt(script.trace, {})[0].reason == "mug was not released"
    script.move(0.0, 0.4, 0.95).let_go().wait(5)
    assert lay_tilt(script.trace, {})[0].raw == pytest.approx(np.pi / 2)


def test_lay_tilt_does_not_change_when_the_object_is_knocked_over_later() -> None:
    script = laid(0.1).wait(5)
    (at_rest,) = lay_tilt(script.trace, {})
    script.slide("mug", 0.1, 0.2, 0.95, turn=(1.4, 0.0, 0.0))
    assert lay_tilt(script.trace, {}) == (at_rest,)


@pytest.mark.parametrize("measurement", [throw_fall, place_turn, lay_tilt])
def test_what_was_never_released_says_why_it_is_not_measurable(measurement) -> None:
    never, held = nothing_happens(20), in_hand().move(0.0, 0.2, 1.2).trace
    found = [
        measurement(trace, params)[0]
        for trace, params in ((never, {}), (never, {"object": "mug"}), (held, {}))
    ]
    assert {m.raw for m in found} == {None}
    assert [m.reason for m in found] == [
        "nothing was picked up",
        "mug was not picked up",
        "mug was not released",
    ]
    with pytest.raises(PermError, match=r"Unknown object 'mugg'. Did you mean mug\?"):
        measurement(never, {"object": "mugg"})
