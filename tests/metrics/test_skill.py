import dataclasses

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.metrics.skill import edge_pick, object_centre, side_offset

from .traces import TURNED, Script, box, nothing_happens, pick_and_place


@pytest.mark.parametrize(
    ("side", "offset"), [("right", 0.04), ("left", -0.04), ("front", -0.03), ("back", 0.03)]
)
def test_side_offset_is_larger_the_more_it_is_on_the_asked_side(side, offset) -> None:
    ee_pos, centre = np.array([0.07, 0.24, 1.0]), np.array([0.1, 0.2, 0.9])
    assert side_offset(ee_pos, centre, side) == pytest.approx(offset)


def test_the_centre_turns_with_the_object() -> None:
    trace = Script({"mug": (0.5, 0.0, 0.95)}, facts={"mug": box(centre=(0.0, 0.02, 0.0))}).trace
    assert object_centre(trace, "mug", 0) == pytest.approx([0.5, 0.02, 0.95])
    turned = dataclasses.replace(trace, object_quat={"mug": TURNED[None]})
    assert object_centre(turned, "mug", 0) == pytest.approx([0.5, 0.0, 0.97])


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
