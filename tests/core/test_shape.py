from collections.abc import Sequence

import numpy as np
import pytest

from perm.core.boxes import Boxes, join_boxes
from perm.core.geometry import rotation_from_vector
from perm.core.shape import find_handle, find_rim, footprint

CUP, WALL, TALL = 0.045, 0.004, 0.10


def box(centre: Sequence[float], half: Sequence[float], yaw: float = 0.0) -> Boxes:
    rotation = rotation_from_vector(np.array([0.0, 0.0, yaw]))
    return Boxes(np.array([centre], dtype=float), rotation[None], np.array([half], dtype=float))


def moved(boxes: Boxes, yaw: float, to: Sequence[float]) -> Boxes:
    turn = rotation_from_vector(np.array([0.0, 0.0, yaw]))
    return Boxes(boxes.centre @ turn.T + to, turn @ boxes.rotation, boxes.half)


def wall(radius: float, tall: float, sides: int = 16) -> Boxes:
    """A ring of upright boards round the origin, standing on z = 0."""
    width = radius * np.tan(np.pi / sides)
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    middle = radius - WALL / 2
    return join_boxes(
        [
            box([middle * np.cos(a), middle * np.sin(a), tall / 2], [WALL / 2, width, tall / 2], a)
            for a in angles
        ]
    )


def bowl(radius: float = CUP, tall: float = TALL, sides: int = 16) -> Boxes:
    floor = box([0, 0, 0.003], [0.6 * radius, 0.6 * radius, 0.003])
    return join_boxes([wall(radius, tall, sides), floor])


def mug() -> Boxes:
    """A bowl with a loop 14 mm thick in x, reaching from the wall to y = 85 mm."""
    loop = [
        box([0, 0.062, 0.08], [0.007, 0.018, 0.005]),
        box([0, 0.081, 0.05], [0.007, 0.004, 0.035]),
        box([0, 0.062, 0.02], [0.007, 0.018, 0.005]),
    ]
    return join_boxes([bowl(), *loop])


def pan() -> Boxes:
    """Its handle, 24 mm wide, rises above the rim and is longer than the pan is wide."""
    return join_boxes([bowl(0.10, 0.04, 18), box([0.21, 0, 0.045], [0.11, 0.012, 0.015])])


def can(tall: float = TALL) -> Boxes:
    return join_boxes([wall(CUP, tall), box([0, 0, tall / 2], [0.032, 0.032, tall / 2])])


def crate(half: float) -> Boxes:
    sides = [
        box([half * np.cos(a), half * np.sin(a), 0.05], [0.003, half, 0.05], a)
        for a in np.arange(4) * np.pi / 2
    ]
    return join_boxes([*sides, box([0, 0, 0.003], [half, half, 0.003])])


def test_a_footprint_is_the_smallest_rectangle_whichever_way_the_object_is_turned() -> None:
    print_ = footprint(moved(box([0, 0, 0], [0.06, 0.02, 0.05]), 0.4, [0.3, -0.1, 0.9]))
    assert print_.centre == pytest.approx([0.3, -0.1], abs=1e-9)
    assert sorted(print_.sizes) == pytest.approx([0.04, 0.12], abs=0.003)
    long_axis = print_.axes[int(np.argmax(print_.sizes))]
    assert abs(long_axis @ [np.cos(0.4), np.sin(0.4)]) == pytest.approx(1, abs=0.001)


def test_a_footprint_is_not_drawn_round_the_origin() -> None:
    corner = join_boxes(
        [box([0.1, 0, 0], [0.1, 0.01, 0.01]), box([0, 0.05, 0], [0.01, 0.05, 0.01])]
    )
    assert footprint(corner).centre == pytest.approx([0.095, 0.045], abs=1e-9)
    assert footprint(corner).sizes == pytest.approx([0.21, 0.11], abs=1e-9)


@pytest.mark.parametrize("sides", [8, 10, 16, 30])
@pytest.mark.parametrize("yaw", [0.0, 0.3, 1.0])
def test_a_bowls_rim_is_the_circle_of_its_wall(sides: int, yaw: float) -> None:
    rim = find_rim(moved(bowl(sides=sides), yaw, [0.2, -0.3, 0.9]))
    assert rim is not None
    assert rim.centre == pytest.approx([0.2, -0.3], abs=0.002)
    assert rim.radius == pytest.approx(CUP, abs=0.002)
    assert rim.height == pytest.approx(0.9 + TALL, abs=1e-6)
    assert rim.floor == pytest.approx(0.9 + 0.006, abs=1e-6)


def test_a_plates_rim_is_its_outer_edge_just_above_its_floor() -> None:
    """Eight boards slant outwards from 29 mm to 67 mm, as high as 17 mm."""
    tilt, boards = np.arctan2(0.014, 0.038), []
    for angle in np.arange(8) * np.pi / 4:
        board = Boxes(
            np.array([[0.048 * np.cos(angle), 0.048 * np.sin(angle), 0.008]]),
            (
                rotation_from_vector(np.array([0, 0, angle]))
                @ rotation_from_vector(np.array([0, -tilt, 0]))
            )[None],
            np.array([[0.020, 0.027, 0.002]]),
        )
        boards.append(board)
    plate = join_boxes([*boards, box([0, 0, 0.002], [0.03, 0.03, 0.002])])
    rim = find_rim(plate)
    assert rim is not None
    assert rim.radius == pytest.approx(0.067, abs=0.003)
    assert rim.height - rim.floor == pytest.approx(0.013, abs=0.003)
    assert find_handle(plate) is None


@pytest.mark.parametrize("yaw", np.linspace(0.0, 6.0, 7))
def test_a_mugs_handle_does_not_pull_at_its_rim(yaw: float) -> None:
    rim = find_rim(moved(mug(), yaw, [0.0, 0.0, 0.0]))
    assert rim is not None
    assert np.linalg.norm(rim.centre) < 0.002
    assert rim.radius == pytest.approx(CUP, abs=0.002)


@pytest.mark.parametrize("yaw", np.linspace(0.0, 6.0, 7))
def test_a_mugs_handle_is_found_on_its_side(yaw: float) -> None:
    handle = find_handle(moved(mug(), yaw, [0.1, 0.2, 0.5]))
    assert handle is not None
    side = np.array([-np.sin(yaw), np.cos(yaw)])
    assert handle.direction @ side > 0.999
    assert (handle.point[:2] - [0.1, 0.2]) @ side == pytest.approx(0.072, abs=0.003)
    assert handle.point[2] == pytest.approx(0.5 + 0.05, abs=0.002)
    assert handle.width == pytest.approx(0.014, abs=0.002)
    assert handle.height == pytest.approx(0.5 + 0.085, abs=0.002)


def test_a_handle_may_run_along_the_whole_height() -> None:
    cup = join_boxes([bowl(), box([0.062, 0, TALL / 2], [0.02, 0.008, TALL / 2])])
    rim, handle = find_rim(cup), find_handle(cup)
    assert rim is not None
    assert handle is not None
    assert rim.radius == pytest.approx(CUP, abs=0.002)
    assert handle.direction == pytest.approx([1, 0], abs=0.02)


def test_a_handle_is_measured_from_the_widest_part() -> None:
    foot = moved(wall(0.028, 0.05), 0.0, [0.0, 0.0, -0.05])
    handle = find_handle(join_boxes([mug(), foot]))
    assert handle is not None
    assert handle.point[1] == pytest.approx(0.072, abs=0.002)


def test_a_pan_is_not_mistaken_for_its_long_handle() -> None:
    rim, handle = find_rim(pan()), find_handle(pan())
    assert rim is not None
    assert handle is not None
    assert rim.centre == pytest.approx([0, 0], abs=0.003)
    assert (rim.radius, rim.height) == pytest.approx((0.10, 0.04), abs=0.003)
    assert handle.direction == pytest.approx([1, 0], abs=0.02)
    assert handle.point[0] == pytest.approx(0.247, abs=0.005)
    assert (handle.width, handle.height) == pytest.approx((0.024, 0.06), abs=0.001)


def test_a_pot_without_an_open_top_has_a_handle_but_no_rim_and_a_spout_is_no_handle() -> None:
    spout = box([-0.05, 0, 0.08], [0.012, 0.008, 0.01])
    pot = join_boxes([can(), spout, box([0.068, 0, 0.05], [0.024, 0.007, 0.04])])
    handle = find_handle(pot)
    assert find_rim(pot) is None
    assert handle is not None
    assert handle.direction == pytest.approx([1, 0], abs=0.02)
    assert handle.width == pytest.approx(0.014, abs=0.002)


@pytest.mark.parametrize("yaw", [0.0, 0.2, 0.7])
@pytest.mark.parametrize(
    "thing",
    [
        can(),
        box([0, 0, 0.06], [0.04, 0.04, 0.06]),
        box([0, 0, 0.07], [0.015, 0.055, 0.07]),
        crate(0.08),
    ],
    ids=["can", "carton", "book", "crate"],
)
def test_what_is_solid_or_square_has_neither_rim_nor_handle(thing: Boxes, yaw: float) -> None:
    assert find_rim(moved(thing, yaw, [0.0, 0.0, 0.0])) is None
    assert find_handle(moved(thing, yaw, [0.0, 0.0, 0.0])) is None


@pytest.mark.parametrize("yaw", [0.0, 0.2, 0.7])
def test_a_flat_bottle_with_a_round_neck_has_no_handle(yaw: float) -> None:
    neck = moved(wall(0.014, 0.05), 0.0, [0.0, 0.0, 0.10])
    bottle = join_boxes([box([0, 0, 0.05], [0.018, 0.032, 0.05]), neck])
    assert find_handle(moved(bottle, yaw, [0.0, 0.0, 0.0])) is None


def test_a_lid_sunk_by_less_than_a_fingers_hold_makes_no_rim() -> None:
    lid = 0.004
    tin = join_boxes(
        [wall(CUP, TALL), box([0, 0, (TALL - lid) / 2], [0.03, 0.03, (TALL - lid) / 2])]
    )
    assert find_rim(tin) is None
