import dataclasses

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.geometry import quat_to_matrix
from perm.core.trace import RegionFacts
from perm.metrics.profile import (
    Box,
    is_within_footprint,
    nearest_target,
    object_choice,
    portions,
    target_choice,
)

from .traces import TURNED, Script, box, nothing_happens

MUGS = {"preferred": ["red_mug"], "candidates": ["red_mug", "blue_mug"]}
PLATES = {"object": "mug", "preferred": ["yellow"], "candidates": ["white", "yellow"]}
FLAT = box(half=(0.07, 0.07, 0.01))


def two_mugs() -> Script:
    return Script(
        {"blue_mug": (0.0, 0.0, 0.95), "red_mug": (0.3, 0.0, 0.95), "can": (0.6, 0.0, 0.95)}
    )


def two_plates(**kwargs) -> Script:
    objects = {"mug": (0.0, 0.0, 0.95), "white": (0.0, 0.2, 0.91), "yellow": (0.0, 0.4, 0.91)}
    return Script(objects, facts={"white": FLAT, "yellow": FLAT}, **kwargs)


def put_mug(script: Script, y: float, rows: int = 5) -> Script:
    script.grip("mug").move(0.0, 0.0, 1.3).move(0.0, y, 1.3).move(0.0, y, 1.15)
    return script.let_go(rows)


def test_object_choice_is_the_candidate_that_was_moved_first() -> None:
    for first, second, match in (("red_mug", "blue_mug", 1.0), ("blue_mug", "red_mug", 0.0)):
        script = two_mugs().grip(first).move(0.1, 0.1, 1.3).let_go()
        script.grip(second).move(0.5, 0.5, 1.3).let_go()
        (choice,) = object_choice(script.trace, MUGS)
        assert (choice.raw, choice.unit, choice.event) == (match, "match", "choice")
        assert choice.reason == f"picked {first}"


def test_object_choice_ignores_a_touch_and_objects_that_are_no_candidates() -> None:
    script = two_mugs().grip("can").move(0.1, 0.1, 1.3).let_go()
    script.grip("blue_mug").let_go().grip("red_mug").move(0.5, 0.5, 1.3)
    assert object_choice(script.trace, MUGS)[0].raw == 1.0


def test_object_choice_is_decided_when_the_candidate_has_moved() -> None:
    trace = two_mugs().grip("red_mug").move(0.0, 0.0, 1.2).trace
    (choice,) = object_choice(trace, MUGS)
    assert choice.step == 7
    assert object_choice(trace.until(6), MUGS)[0].raw is None
    assert object_choice(trace.until(7), MUGS) == (choice,)


def test_pushing_a_candidate_is_no_commitment() -> None:
    script = two_mugs().put("blue_mug", 0.1, 0.0, 0.95).put("blue_mug", 0.2, 0.0, 0.95)
    (choice,) = object_choice(script.trace, MUGS)
    assert (choice.raw, choice.reason) == (None, "none of red_mug, blue_mug was picked up")


@pytest.mark.parametrize(("y", "match"), [(0.2, 0.0), (0.4, 1.0), (0.46, 1.0), (0.29, 0.0)])
def test_target_choice_is_the_candidate_under_the_object_at_rest(y, match) -> None:
    script = put_mug(two_plates(), y, rows=1).put("mug", 0.0, y - 0.03, 0.97, rows=5)
    (choice,) = target_choice(script.trace, PLATES)
    assert choice.raw == match
    assert choice.reason == f"released on {'yellow' if match else 'white'}"


def test_target_choice_waits_until_the_object_has_come_to_rest() -> None:
    script = put_mug(two_plates(), 0.2, rows=1)
    for y in np.linspace(0.2, 0.4, 11):
        script.put("mug", 0.0, y, 1.0)
    script.put("mug", 0.0, 0.4, 0.97, rows=10).put("mug", 0.0, 0.0, 0.95, rows=5)
    release = 36
    assert target_choice(script.trace.until(release + 4), PLATES)[0].raw == 0.0
    assert target_choice(script.trace, PLATES)[0].raw == 1.0


def test_target_choice_is_none_beside_all_candidates() -> None:
    (choice,) = target_choice(put_mug(two_plates(), 0.6).trace, PLATES)
    assert (choice.raw, choice.reason) == (None, "mug was released on none of white, yellow")


def test_target_choice_is_none_while_the_object_is_held() -> None:
    script = two_plates().grip("mug").move(0.0, 0.4, 1.15)
    assert target_choice(script.trace, PLATES)[0].reason == "mug was not released"
    assert target_choice(script.slip().trace, PLATES)[0].reason == "mug was not released"


def test_target_choice_follows_the_last_release() -> None:
    script = put_mug(two_plates(), 0.2).grip("mug").move(0.0, 0.4, 1.15)
    assert target_choice(script.trace, PLATES)[0].raw is None
    assert target_choice(script.let_go().trace, PLATES)[0].raw == 1.0


def test_a_region_can_be_a_target_and_moves_with_its_parent() -> None:
    side = RegionFacts(
        pos=np.array([0.0, 0.4, 0.92]),
        quat=np.array([1.0, 0.0, 0.0, 0.0]),
        size=np.array([0.02, 0.02, 0.01]),
        parent="yellow",
    )
    shelf = dataclasses.replace(side, pos=np.array([0.0, 0.7, 0.92]), parent="main_table")
    params = {"object": "mug", "preferred": ["side"], "candidates": ["side", "shelf"]}
    regions = {"side": side, "shelf": shelf}
    assert target_choice(put_mug(two_plates(regions=regions), 0.4).trace, params)[0].raw == 1.0
    assert target_choice(put_mug(two_plates(regions=regions), 0.7).trace, params)[0].raw == 0.0
    moved = put_mug(two_plates(regions=regions).put("yellow", 0.0, 0.5, 0.91), 0.5)
    assert target_choice(moved.trace, params)[0].raw == 1.0


def test_a_footprint_does_not_care_which_body_axis_is_up() -> None:
    plate = Box(np.zeros(3), quat_to_matrix(TURNED), np.array([0.07, 0.01, 0.05]))
    assert is_within_footprint(np.array([0.06, 0.04, 0.5]), plate)
    assert not is_within_footprint(np.array([0.06, 0.06, 0.0]), plate)
    assert not is_within_footprint(np.array([0.08, 0.0, 0.0]), plate)


def test_a_footprint_turns_with_its_target() -> None:
    yaw = np.array([np.cos(np.pi / 12), 0.0, 0.0, np.sin(np.pi / 12)])
    tray = Box(np.zeros(3), quat_to_matrix(yaw), np.array([0.2, 0.02, 0.01]))
    assert is_within_footprint(np.array([0.15, 0.0866, 0.0]), tray)
    assert not is_within_footprint(np.array([0.15, -0.0866, 0.0]), tray)


def test_of_two_drawers_above_each_other_the_nearer_one_is_the_target() -> None:
    size = np.array([0.1, 0.1, 0.03])
    boxes = {z: Box(np.array([0.0, 0.0, float(z)]), np.eye(3), size) for z in ("1.0", "1.1")}
    assert nearest_target(np.array([0.05, 0.05, 1.08]), boxes) == "1.1"
    assert nearest_target(np.array([0.05, 0.15, 1.08]), boxes) is None


TWO_CANS = {"candidates": ["can_1", "can_2"], "targets": ["white", "yellow"]}


def two_cans() -> Script:
    objects = {"can_1": (0.0, 0.0, 0.95), "can_2": (0.2, 0.0, 0.95)}
    plates = {"white": (0.0, 0.3, 0.91), "yellow": (0.0, 0.6, 0.91)}
    return Script({**objects, **plates}, facts={"white": FLAT, "yellow": FLAT})


def deliver(script: Script, name: str, y: float) -> Script:
    x = 0.2 if name == "can_2" else 0.0
    script.move(x, 0.0, 0.95).grip(name).move(0.0, y, 1.3).move(0.0, y, 0.95)
    return script.let_go(5)


def test_two_portions_are_two_that_lie_on_the_targets_at_the_end() -> None:
    one = deliver(two_cans(), "can_1", 0.3)
    assert portions(one.trace, TWO_CANS)[0].raw == 0.0
    assert portions(one.trace, TWO_CANS)[0].reason == "1 delivered to white or yellow"
    two = deliver(one, "can_2", 0.6)
    assert portions(two.trace, TWO_CANS)[0].raw == 1.0
    assert portions(two.trace, {**TWO_CANS, "wanted": 3})[0].raw == 0.0


def test_one_portion_that_is_delivered_twice_is_one_portion() -> None:
    again = deliver(two_cans(), "can_1", 0.3)
    again.grip("can_1").move(0.0, 0.6, 0.95).let_go(5)
    assert portions(again.trace, TWO_CANS)[0].raw == 0.0


def test_a_portion_beside_the_targets_or_still_in_the_hand_does_not_count() -> None:
    beside = deliver(deliver(two_cans(), "can_1", 0.3), "can_2", 0.45)
    assert portions(beside.trace, TWO_CANS)[0].raw == 0.0
    held = deliver(two_cans(), "can_1", 0.3).move(0.2, 0.0, 0.95)
    held.grip("can_2").move(0.0, 0.6, 1.15)
    assert portions(held.trace, TWO_CANS)[0].raw == 0.0


def test_portions_are_not_measurable_while_nothing_was_delivered() -> None:
    (measured,) = portions(two_cans().grip("can_1").trace, TWO_CANS)
    assert (measured.raw, measured.reason) == (None, "nothing was delivered to white or yellow")


@pytest.mark.parametrize("n_steps", [0, 1, 30])
def test_without_a_grasp_no_choice_was_made(n_steps) -> None:
    trace = nothing_happens(n_steps, ("mug", "white", "yellow"))
    (choice,) = target_choice(trace, PLATES)
    assert (choice.raw, choice.reason) == (None, "mug was not picked up")
    assert object_choice(trace, {"preferred": ["mug"], "candidates": ["mug"]})[0].raw is None


def test_names_that_do_not_exist_are_refused() -> None:
    trace = put_mug(two_plates(), 0.2).trace
    with pytest.raises(PermError, match=r"Unknown candidate 'yelow'. Did you mean yellow\?"):
        target_choice(trace, {**PLATES, "preferred": ["yelow"]})
    with pytest.raises(PermError, match=r"Unknown target 'whit'. Did you mean white\?"):
        target_choice(trace, {**PLATES, "candidates": ["whit", "yellow"]})
    with pytest.raises(PermError, match=r"Unknown object 'red_mug'"):
        object_choice(trace, MUGS)
