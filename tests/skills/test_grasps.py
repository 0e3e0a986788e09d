import numpy as np
import pytest

from perm.core.boxes import Boxes
from perm.core.geometry import rotation_from_vector
from perm.skills.grasps import (
    body_depth,
    is_graspable_across,
    nearest_symmetric,
    rim_grasp,
    top_grasp,
)

DOWNWARD = np.diag([1.0, -1.0, -1.0])


def box(size: tuple[float, float, float], centre=(0.1, 0.2, 0.95), yaw: float = 0.0) -> Boxes:
    rotation = rotation_from_vector(np.array([0.0, 0, yaw]))
    return Boxes(np.array([centre]), rotation[None], np.array([size]) / 2)


def test_a_carton_is_grasped_across_its_shorter_side() -> None:
    grasp = top_grasp(box((0.05, 0.11, 0.14)), DOWNWARD, depth=0.03, support_z=0.9)
    assert np.abs(grasp.rotation[:, 0]) == pytest.approx([1, 0, 0], abs=1e-6)
    assert grasp.approach == pytest.approx([0, 0, -1])
    assert grasp.pos == pytest.approx([0.1, 0.2, 0.95 + 0.07 - 0.03])


def test_a_turned_carton_turns_the_fingers_with_it() -> None:
    grasp = top_grasp(box((0.05, 0.11, 0.14), yaw=np.deg2rad(30)), DOWNWARD, 0.03, 0.9)
    angle = np.degrees(np.arctan2(grasp.rotation[1, 0], grasp.rotation[0, 0])) % 180
    assert angle == pytest.approx(30, abs=2)


def test_a_flat_thing_is_grasped_above_the_table() -> None:
    grasp = top_grasp(box((0.04, 0.08, 0.018), centre=(0, 0, 0.909)), DOWNWARD, 0.03, 0.9)
    assert grasp.pos[2] == pytest.approx(0.907)


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ("front", [0.1 + 0.052, 0.2]),
        ("back", [0.1 - 0.052, 0.2]),
        ("right", [0.1, 0.2 + 0.052]),
        ("left", [0.1, 0.2 - 0.052]),
    ],
)
def test_a_rim_is_grasped_on_the_asked_side_with_one_finger_inside(
    side: str, expected: list[float]
) -> None:
    bowl = box((0.11, 0.11, 0.05))
    grasp = rim_grasp(bowl, DOWNWARD, side, 0.0, depth=0.018, inset=0.003, support_z=0.9)
    assert grasp.pos[:2] == pytest.approx(expected)
    assert grasp.pos[2] == pytest.approx(0.975 - 0.018)
    outward = (np.array(expected) - [0.1, 0.2]) / 0.052
    assert np.abs(grasp.rotation[:2, 0] @ outward) == pytest.approx(1)


def test_of_two_equal_grasps_the_one_that_turns_the_wrist_less_is_taken() -> None:
    reference = DOWNWARD
    turned = reference @ np.diag([-1.0, -1.0, 1.0])
    assert nearest_symmetric(turned, reference) == pytest.approx(reference)


def test_only_what_fits_between_the_open_fingers_is_grasped_across() -> None:
    assert is_graspable_across(box((0.066, 0.07, 0.08)))
    assert not is_graspable_across(box((0.11, 0.11, 0.05)))


def test_a_body_is_grasped_at_its_middle_or_as_deep_as_the_fingers_reach() -> None:
    assert body_depth(box((0.05, 0.05, 0.06))) == pytest.approx(0.03)
    assert body_depth(box((0.05, 0.05, 0.15))) == pytest.approx(0.045)
