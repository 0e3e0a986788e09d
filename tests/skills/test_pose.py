import numpy as np
import pytest

from perm.core.geometry import rotation_vector
from perm.skills.pose import SPACING, Path, Pose, join, line, rotations_at, round_corners, turn_z

DOWNWARD = np.diag([1.0, -1.0, -1.0])


def pose(x: float, y: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Pose:
    return Pose(np.array([x, y, z]), turn_z(yaw) @ DOWNWARD)


def corner() -> Path:
    """20 cm along x, then 20 cm up."""
    return join([line(pose(0.0), pose(0.2)), line(pose(0.2), pose(0.2, 0.0, 0.2))])


def nearest(path: Path, point: np.ndarray) -> float:
    return float(np.linalg.norm(path.pos - point, axis=1).min())


def test_a_hand_that_comes_from_above_goes_back_upwards() -> None:
    assert pose(0.1).back(0.05).pos == pytest.approx([0.1, 0, 0.05])
    assert pose(0.1).up(0.05).pos == pytest.approx([0.1, 0, 0.05])


def test_a_hand_turns_in_place() -> None:
    turned = pose(0.1, 0.2).turned(np.pi / 2)
    assert turned.pos == pytest.approx([0.1, 0.2, 0])
    assert turned.rotation[:, 0] == pytest.approx([0, 1, 0])
    assert turned.approach == pytest.approx([0, 0, -1])


def test_a_line_has_its_ends_and_no_wide_gaps() -> None:
    path = line(pose(0.0), pose(0.4, yaw=1.0))
    assert path.pos[0] == pytest.approx([0, 0, 0])
    assert path.end.pos == pytest.approx([0.4, 0, 0])
    assert path.end.rotation == pytest.approx(turn_z(1.0) @ DOWNWARD)
    assert np.diff(path.way).max() <= SPACING


def test_a_turn_counts_as_way() -> None:
    # 0.4 m, and 1 rad at 0.15 m/rad: their hypotenuse.
    path = line(pose(0.0), pose(0.4, yaw=1.0))
    assert path.way[-1] == pytest.approx(np.hypot(0.4, 0.15))
    assert line(pose(0.0), pose(0.0, yaw=1.0)).way[-1] == pytest.approx(0.15)


def test_joined_paths_go_through_their_common_pose_once() -> None:
    path = corner()
    assert np.diff(path.way).min() > 0
    assert path.way[-1] == pytest.approx(0.4)


@pytest.mark.parametrize("radius", [0.02, 0.05, 0.3])
def test_a_rounded_path_keeps_its_ends(radius: float) -> None:
    path = round_corners(corner(), radius)
    assert path.pos[0] == pytest.approx([0, 0, 0])
    assert path.pos[-1] == pytest.approx([0.2, 0, 0.2])


@pytest.mark.parametrize("radius", [0.02, 0.05, 0.1])
def test_a_corner_is_cut_by_less_than_the_radius_and_not_by_nothing(radius: float) -> None:
    path = round_corners(corner(), radius)
    cut = nearest(path, np.array([0.2, 0.0, 0.0]))
    assert 0.2 * radius < cut < radius


def test_a_rounded_path_leaves_straight_parts_alone() -> None:
    path = round_corners(corner(), 0.05)
    before = path.pos[:, 0] < 0.14
    assert before.any()
    assert np.abs(path.pos[before, 2]).max() < 1e-3


def test_a_rounded_corner_is_no_corner() -> None:
    def sharpest(path: Path) -> float:
        steps = np.diff(path.pos, axis=0)
        unit = steps / np.linalg.norm(steps, axis=1)[:, None]
        return float(np.arccos(np.clip((unit[1:] * unit[:-1]).sum(axis=1), -1, 1)).max())

    assert sharpest(corner()) == pytest.approx(np.pi / 2)
    assert sharpest(round_corners(corner(), 0.05)) < 0.5


def test_a_path_of_one_place_has_no_corners() -> None:
    still = line(pose(0.1), pose(0.1))
    assert round_corners(still, 0.05) is still


def test_a_rounded_path_turns_as_far_as_before() -> None:
    path = round_corners(line(pose(0.0), pose(0.3, yaw=0.8)), 0.05)
    assert rotation_vector(path.end.rotation @ path.rotation[0].T) == pytest.approx([0, 0, 0.8])


def test_half_way_it_is_half_turned_and_beyond_the_end_it_stays() -> None:
    path = line(pose(0.0), pose(0.3, yaw=0.8))
    half, beyond = rotations_at(path, np.array([path.way[-1] / 2, 9.0]))
    assert rotation_vector(half @ DOWNWARD.T) == pytest.approx([0, 0, 0.4])
    assert rotation_vector(beyond @ DOWNWARD.T) == pytest.approx([0, 0, 0.8])
