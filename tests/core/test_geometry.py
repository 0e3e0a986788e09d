import numpy as np
import pytest

from perm.core.geometry import (
    axis_angle,
    interpolate_rotation,
    matrix_to_quat,
    quat_to_matrix,
    rotation_from_vector,
    rotation_vector,
)

HALF = np.sqrt(0.5)


def test_a_quarter_turn_about_z() -> None:
    quat = matrix_to_quat(np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    assert quat == pytest.approx([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])


@pytest.mark.parametrize("axis", [[1.0, 0, 0], [1, -1, 0], [-1, 2, 0], [1, 2, -3], [0, 0, -1]])
@pytest.mark.parametrize("angle", [1e-9, 0.3, np.pi / 2, np.pi - 1e-9, np.pi])
def test_quaternions_and_vectors_give_the_rotation_back_up_to_half_turns(
    axis: list[float], angle: float
) -> None:
    vector = np.array(axis) / np.linalg.norm(axis) * angle
    rotation = rotation_from_vector(vector)
    assert quat_to_matrix(matrix_to_quat(rotation)) == pytest.approx(rotation, abs=1e-9)
    assert rotation_from_vector(rotation_vector(rotation)) == pytest.approx(rotation, abs=1e-9)


def test_quaternions_have_no_negative_w() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        rotation = rotation_from_vector(rng.uniform(-3, 3, 3))
        assert matrix_to_quat(rotation)[0] >= 0


def test_stacks_of_quaternions_give_stacks_of_matrices() -> None:
    assert quat_to_matrix(np.tile([1.0, 0, 0, 0], (5, 2, 1))).shape == (5, 2, 3, 3)


def test_half_way_between_two_rotations() -> None:
    turned = rotation_from_vector(np.array([0, 0, 1.0]))
    (half,) = interpolate_rotation(np.eye(3), turned, np.array([0.5]))
    assert rotation_vector(half) == pytest.approx([0, 0, 0.5])


@pytest.mark.parametrize(
    ("quat", "vector"),
    [
        ([0, 0, 0, 1], [0, 0, 0]),
        ([1, 0, 0, 0], [np.pi, 0, 0]),
        ([0, 0, HALF, HALF], [0, 0, np.pi / 2]),
        # The same turn by the other sign: robosuite's angle grows to 2 pi.
        ([0, 0, -HALF, -HALF], [0, 0, -np.pi * 3 / 2]),
        ([0, np.sin(0.25), 0, -np.cos(0.25)], [0, 2 * np.pi - 0.5, 0]),
        ([0, 0, 0, 1 + 1e-9], [0, 0, 0]),
        ([0, 0, 0, -1 - 1e-9], [0, 0, 0]),
    ],
)
def test_axis_angle_keeps_the_sign_of_the_quaternion_as_robosuite_does(
    quat: list[float], vector: list[float]
) -> None:
    assert axis_angle(np.array(quat)) == pytest.approx(np.array(vector), abs=1e-12)
    assert axis_angle(np.array([quat, [1, 0, 0, 0]])).shape == (2, 3)


@pytest.mark.sim
def test_axis_angle_agrees_with_the_installed_robosuite() -> None:
    from robosuite.utils.transform_utils import quat2axisangle

    quats = np.random.default_rng(0).normal(size=(50, 4))
    quats /= np.linalg.norm(quats, axis=1, keepdims=True)
    theirs = np.array([quat2axisangle(quat.copy()) for quat in quats])
    assert axis_angle(quats) == pytest.approx(theirs, abs=1e-14)
