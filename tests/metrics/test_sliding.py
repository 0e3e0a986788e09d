import pytest

from perm.core.errors import PermError
from perm.metrics.sliding import dragged_share, pushed_share

from .traces import CLOSED, HELD, OPEN, Script, nothing_happens

BASKET = (0.0, 0.0, 0.95)


def scene() -> Script:
    return Script({"basket": BASKET, "can": (0.3, 0.0, 0.95)}).move(0.0, 0.0, 0.95)


def shares(script: Script, **params: str) -> list[float | None]:
    return [measure(script.trace, params)[-1].raw for measure in (pushed_share, dragged_share)]


def test_an_object_that_slides_without_a_grip_is_pushed() -> None:
    script = scene().slide("basket", 0.0, -0.2, 0.95)
    assert shares(script) == [1.0, 0.0]
    rise, travel = pushed_share(script.trace, {})
    assert (rise.event, rise.unit, rise.raw) == ("rise", "m", 0.0)
    assert (travel.event, travel.unit, travel.step) == ("travel", "ratio", script.row)


def test_an_object_that_slides_in_the_grip_is_dragged() -> None:
    script = scene().grip("basket").move(0.0, -0.2, 0.95).complete().let_go()
    assert shares(script) == [0.0, 1.0]


@pytest.mark.parametrize("width", [OPEN, CLOSED])
def test_open_fingers_or_a_fist_that_touch_an_object_push_it(width) -> None:
    script = scene().grip("basket", width=width).move(0.0, -0.2, 0.95)
    assert shares(script) == [1.0, 0.0]


def test_the_thinnest_wall_and_the_widest_object_can_be_dragged() -> None:
    for width in (0.005, 0.075):
        assert shares(scene().grip("basket", width=width).move(0.0, -0.2, 0.95)) == [0.0, 1.0]


def test_what_is_picked_up_and_put_is_neither_pushed_nor_dragged() -> None:
    script = scene().grip("basket").move(0.0, 0.0, 1.1).move(0.0, -0.2, 1.1)
    script.move(0.0, -0.2, 0.95).complete().let_go()
    assert shares(script) == [0.0, 0.0]
    rise, _ = dragged_share(script.trace, {})
    assert (rise.raw, rise.step, rise.reason) == (pytest.approx(0.15), 25, "basket")


@pytest.mark.parametrize(("rise", "share"), [(0.0049, 1.0), (0.0051, 0.0)])
def test_five_millimetres_are_a_lift(rise, share) -> None:
    script = scene().put("basket", 0.0, 0.0, 0.95 + rise)
    assert shares(script.slide("basket", 0.0, -0.2, 0.95 + rise))[0] == share
    script = scene().grip("basket").move(0.0, 0.0, 0.95 + rise).move(0.0, -0.2, 0.95 + rise)
    assert shares(script)[1] == share


def test_who_pushes_and_drags_in_turn_does_each_in_part() -> None:
    script = scene().slide("basket", 0.0, -0.15, 0.95).grip("basket")
    assert shares(script.move(0.0, 0.05, 0.95)) == pytest.approx([0.75, 0.25])


def test_a_regrasp_is_still_a_drag() -> None:
    script = scene().grip("basket").move(0.0, -0.1, 0.95).let_go().move(0.0, -0.1, 0.95)
    script.grip("basket").move(0.0, -0.2, 0.95)
    assert shares(script) == [0.0, 1.0]


def test_a_finger_that_loses_contact_for_two_rows_does_not_end_a_drag() -> None:
    assert shares(scene().grip("basket").move(0.0, -0.2, 0.95, chatter=(4, 5))) == [0.0, 1.0]


def test_what_comes_after_completion_does_not_count() -> None:
    script = scene().slide("basket", 0.0, -0.2, 0.95).complete().wait(1)
    before = pushed_share(script.trace, {})
    script.grip("basket", width=HELD).move(0.0, 0.3, 1.3).let_go()
    assert pushed_share(script.trace, {}) == before
    assert before[-1].step == 21


def test_no_share_is_known_before_two_centimetres() -> None:
    script = scene().slide("basket", 0.0, -0.0199, 0.95)
    measured = pushed_share(script.trace, {})
    assert [(m.event, m.raw) for m in measured] == [("rise", None), ("travel", None)]
    assert {m.reason for m in measured} == {"nothing was moved"}
    assert shares(script.slide("basket", 0.0, -0.0201, 0.95)) == [1.0, 0.0]


def test_the_object_is_the_first_that_was_moved_or_the_one_that_is_named() -> None:
    script = scene().grip("can").move(0.0, -0.2, 0.95).let_go().slide("basket", 0.0, -0.3, 0.95)
    assert shares(script) == shares(script, object="can") == [0.0, 1.0]
    assert shares(script, object="basket") == [1.0, 0.0]


@pytest.mark.parametrize("n_steps", [0, 1, 30])
def test_what_does_not_move_is_not_measurable(n_steps) -> None:
    trace = nothing_happens(n_steps)
    assert pushed_share(trace, {})[-1].reason == "nothing was moved"
    assert dragged_share(trace, {"object": "plate"})[-1].reason == "plate was not moved"
    with pytest.raises(PermError, match=r"Unknown object 'plat'. Did you mean plate\?"):
        pushed_share(trace, {"object": "plat"})
