from itertools import islice

import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes
from perm.core.conventions import SIDES
from perm.skills.grasps import Depths, Thing, frame, grasps
from perm.skills.pose import Pose
from perm.skills.style import PickStyle

from ..core.shapes import TABLE, block, book, bowl, can, mug, plate

DOWNWARD = np.diag([1.0, -1.0, -1.0])
"""A hand over the table: fingers along x, approach downwards."""
DEPTHS = Depths(top=0.030, rim=0.018, rim_inset=0.003, handle=0.025, edge=0.016)
PADS = 0.010
"""What the fingers reach at least below the point between them [m]."""


def offered(boxes: Boxes, reference: FloatArray = DOWNWARD, **style) -> list[Pose]:
    return list(grasps(Thing(boxes, TABLE, DEPTHS), PickStyle(**style), reference))


def fingers(grasp: Pose) -> FloatArray:
    return grasp.rotation[:, 0]


def tilt(grasp: Pose) -> float:
    return float(np.arccos(np.clip(-grasp.approach[2], -1.0, 1.0)))


def test_a_book_is_taken_across_its_back_from_above() -> None:
    grasp = offered(book())[0]
    assert np.abs(fingers(grasp)) == pytest.approx([1, 0, 0])
    assert grasp.approach == pytest.approx([0, 0, -1])
    assert grasp.pos == pytest.approx([0, 0, TABLE + 0.22 - 0.030])


def test_a_turned_book_turns_the_fingers_with_it() -> None:
    across = fingers(offered(book(yaw=np.deg2rad(30)))[0])
    assert np.degrees(np.arctan2(across[1], across[0])) % 180 == pytest.approx(30)


def test_a_square_thing_is_taken_as_the_hand_is() -> None:
    square = block((0.05, 0.05, 0.10))
    turned = frame(np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, -1.0]))
    assert np.abs(fingers(offered(square, DOWNWARD)[0])) == pytest.approx([1, 0, 0])
    assert np.abs(fingers(offered(square, turned)[0])) == pytest.approx([0, 1, 0])


def test_where_the_middle_has_no_room_a_long_thing_is_taken_beside_it() -> None:
    along = {round(float(grasp.pos[1]), 3) for grasp in offered(book()) if tilt(grasp) < 1e-6}
    assert along == {-0.056, -0.032, 0.0, 0.032, 0.056}


def test_where_square_fingers_have_no_room_they_turn_as_far_as_the_thing_still_fits() -> None:
    def yaws(grasps: list[Pose]) -> set[float]:
        across = [fingers(grasp) for grasp in grasps if tilt(grasp) < 1e-6]
        return {round(float(np.arctan(x[1] / x[0])), 2) for x in across if abs(x[0]) > 0.7}

    narrow, wide = block((0.03, 0.06, 0.05)), block((0.07, 0.12, 0.05))
    assert yaws(offered(narrow)) == {0.0, 0.3, -0.3, 0.6, -0.6}
    assert yaws(offered(wide)) == {0.0}
    assert fingers(offered(narrow)[0]) == pytest.approx([1, 0, 0])


def test_a_narrow_thing_may_be_pushed_to_the_middle_by_one_finger_as_a_last_resort() -> None:
    def offsets(width: float) -> list[float]:
        found = offered(block((width, 0.06, 0.05)))
        square = [g for g in found if tilt(g) < 1e-6 and abs(fingers(g)[0]) > 1 - 1e-9]
        return list(dict.fromkeys(round(float(g.pos[0]), 3) for g in square if g.pos[1] == 0))

    assert offsets(0.03) == [0.0, 0.012, -0.012]
    assert offsets(0.06) == [0.0]


def test_where_nobody_asks_for_a_side_a_bowl_may_be_taken_at_any_the_front_first() -> None:
    found = [np.arctan2(g.pos[1], g.pos[0]) for g in offered(bowl())]
    assert found[0] == pytest.approx(0.0, abs=1e-3)
    for wanted in (0.0, np.pi / 2, -np.pi / 2, np.pi):
        assert np.abs(np.angle(np.exp(1j * (np.array(found) - wanted)))).min() < 0.01


def test_what_fits_neither_way_between_the_fingers_is_not_taken_across() -> None:
    assert offered(block((0.074, 0.074, 0.05)))
    assert not offered(block((0.076, 0.076, 0.05)))
    assert not offered(plate())


def test_the_fingers_stay_off_the_table() -> None:
    flat = block((0.04, 0.08, 0.018))
    assert all(grasp.pos[2] >= TABLE + PADS for grasp in offered(flat))
    tilted = offered(flat, tilt=1.3, least_tilt=0.3)
    assert tilted
    assert all(grasp.pos[2] >= TABLE + PADS for grasp in tilted)


def test_of_two_equal_ways_the_one_that_turns_the_wrist_less_comes_first() -> None:
    reversed_hand = DOWNWARD @ np.diag([-1.0, -1.0, 1.0])
    for reference in (DOWNWARD, reversed_hand):
        first, second = offered(book(), reference)[:2]
        assert first.rotation == pytest.approx(reference)
        assert fingers(second) == pytest.approx(-fingers(first))
        assert second.pos == pytest.approx(first.pos)


@pytest.mark.parametrize("side", ["left", "right", "front", "back"])
def test_a_bowl_is_taken_at_the_asked_side_with_one_finger_inside(side: str) -> None:
    grasp = offered(bowl(radius=0.055, at=(0.1, 0.2)), side=side)[0]
    outward = SIDES[side]
    # 3 mm inside of its outside, 18 mm under its rim.
    assert grasp.pos[:2] == pytest.approx([0.1, 0.2] + 0.052 * outward[:2], abs=1e-3)
    assert grasp.pos[2] == pytest.approx(TABLE + 0.05 - 0.018)
    assert np.abs(fingers(grasp) @ outward) == pytest.approx(1)
    assert grasp.approach == pytest.approx([0, 0, -1])


def test_the_place_on_the_rim_differs_a_little_with_the_manner() -> None:
    grasp = offered(bowl(), side="front", side_angle=0.1)[0]
    assert np.arctan2(grasp.pos[1], grasp.pos[0]) == pytest.approx(0.1, abs=1e-3)


def test_the_other_places_on_the_rim_are_still_of_that_side() -> None:
    places = [np.arctan2(g.pos[1], g.pos[0]) for g in offered(bowl(), side="right")]
    assert len(set(np.round(places, 3))) == 11
    assert np.abs(np.array(places) - np.pi / 2).max() < 1.1


def test_a_mug_is_taken_by_its_rim_unless_its_handle_is_asked_for() -> None:
    plain, asked = offered(mug(yaw=0.7))[0], offered(mug(yaw=0.7), at="handle")[0]
    towards = np.array([np.cos(0.7), np.sin(0.7)])
    assert np.linalg.norm(plain.pos[:2]) < 0.045
    assert 0.05 < asked.pos[:2] @ towards < 0.075
    # The handle is 1 cm wide across this direction, and 4 cm high.
    assert np.abs(fingers(asked)[:2] @ towards) < 0.03
    assert TABLE + 0.01 < asked.pos[2] < TABLE + 0.04


@pytest.mark.parametrize("thing", [bowl(), can()], ids=["bowl", "can"])
def test_what_has_no_handle_offers_none(thing: Boxes) -> None:
    assert not offered(thing, at="handle")


@pytest.mark.parametrize("side", ["left", "right", "front", "back"])
def test_a_tilted_hand_comes_from_the_asked_side_with_its_fingers_level(side: str) -> None:
    for grasp in islice(offered(can(), come_from=side, tilt=0.6, least_tilt=0.6), 8):
        # The can's outline is a square in which the hand lines up: half of 22.5 degrees at most.
        assert -grasp.approach @ SIDES[side] == pytest.approx(np.sin(0.6), abs=0.1)
        assert tilt(grasp) == pytest.approx(0.6)
        assert fingers(grasp)[2] == pytest.approx(0)


def test_a_hand_that_may_come_from_anywhere_has_all_four_sides() -> None:
    found = offered(can(), come_from="any", tilt=0.6, least_tilt=0.6)
    assert {
        max(SIDES, key=lambda side: float(-grasp.approach @ SIDES[side])) for grasp in found
    } == set(SIDES)


def test_the_asked_tilt_comes_first_and_the_least_last() -> None:
    tilts = [tilt(grasp) for grasp in offered(can(), come_from="left", tilt=1.2, least_tilt=0.6)]
    assert tilts[0] == pytest.approx(1.2)
    assert tilts[-1] == pytest.approx(0.6)
    assert tilts == sorted(tilts, reverse=True)


def test_a_book_is_taken_from_its_narrow_side_and_not_across_its_cover() -> None:
    assert offered(book(), come_from="left", tilt=1.3, least_tilt=1.3)
    assert not offered(book(), come_from="front", tilt=1.3, least_tilt=1.3)


def test_a_tilted_hand_lines_up_with_the_face_that_is_nearly_meant() -> None:
    grasp = offered(book(yaw=0.3), come_from="left", tilt=1.3, least_tilt=1.3)[0]
    level = grasp.approach[:2] / np.linalg.norm(grasp.approach[:2])
    assert np.arctan2(level[1], level[0]) == pytest.approx(np.pi / 2 + 0.3, abs=0.02)


def test_a_flat_bowl_is_taken_by_its_edge_one_finger_over_it_and_one_under_it() -> None:
    flat = bowl(radius=0.08, at=(0.1, 0.2))
    asked = {"at": "rim", "come_from": "back", "tilt": 1.3, "least_tilt": 1.3}
    grasp = offered(flat, **asked)[0]
    assert np.abs(fingers(grasp)[2]) == pytest.approx(np.sin(1.3))
    assert grasp.pos == pytest.approx([0.1 - (0.08 - 0.016), 0.2, TABLE + 0.025], abs=1e-3)
    assert -grasp.approach @ SIDES["back"] == pytest.approx(np.sin(1.3))


@pytest.mark.parametrize(
    ("thing", "style"),
    [
        (mug(), {}),
        (mug(), {"at": "handle"}),
        (can(), {}),
        (can(), {"tilt": 1.2, "least_tilt": 0.3}),
        (bowl(), {"at": "rim", "tilt": 1.2, "least_tilt": 1.0}),
    ],
    ids=["rim", "handle", "across", "tilted", "edge"],
)
def test_every_grasp_is_a_rotation(thing: Boxes, style) -> None:
    found = offered(thing, **style)
    assert found
    for grasp in found:
        assert grasp.rotation.T @ grasp.rotation == pytest.approx(np.eye(3))
        assert np.linalg.det(grasp.rotation) == pytest.approx(1)


def test_slanted_ways_from_a_side_to_avoid_come_last() -> None:
    def comes_from(grasp: Pose, side: str) -> bool:
        return float(-grasp.approach @ SIDES[side]) > 0.1

    tall = block((0.05, 0.06, 0.20))
    usual, careful = offered(tall), offered(tall, avoid=frozenset({"left"}))
    assert len(usual) == len(careful)
    first = next(k for k, grasp in enumerate(careful) if comes_from(grasp, "left"))
    assert first > 0
    assert all(comes_from(grasp, "left") for grasp in careful[first:])
    assert not all(
        comes_from(grasp, "left")
        for grasp in usual[next(k for k, g in enumerate(usual) if comes_from(g, "left")) :]
    )


def test_a_tilted_hand_comes_from_a_side_to_avoid_last() -> None:
    found = offered(block((0.05, 0.05, 0.20)), tilt=0.7, least_tilt=0.7, avoid=frozenset({"front"}))
    assert float(-found[0].approach @ SIDES["front"]) < 0.1
    assert float(-found[-1].approach @ SIDES["front"]) > 0.1
