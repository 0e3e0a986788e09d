import numpy as np
import pytest

from perm.core.conventions import DT
from perm.core.geometry import rotation_from_vector, rotation_vector
from perm.skills.timing import time_path

LINE = np.array([[0.0, 0, 0], [0.4, 0, 0]])


def speeds(pos: np.ndarray) -> np.ndarray:
    steps = np.diff(np.vstack([LINE[0], pos]), axis=0)
    return np.linalg.norm(steps, axis=1) / DT


def test_a_path_ends_where_it_should_and_keeps_the_speed() -> None:
    path = time_path(LINE, np.eye(3), np.eye(3), speed=0.2, acceleration=0.8, turn_speed=1.0)
    assert path.pos[-1] == pytest.approx([0.4, 0, 0])
    assert speeds(path.pos).max() <= 0.2 + 1e-9
    # 0.4 m at 0.2 m/s, and 0.25 s for the ramps
    assert len(path.pos) == 45


def test_half_the_speed_takes_twice_the_time() -> None:
    fast = time_path(LINE, np.eye(3), np.eye(3), speed=0.2, acceleration=0.8, turn_speed=1.0)
    slow = time_path(LINE, np.eye(3), np.eye(3), speed=0.1, acceleration=0.4, turn_speed=1.0)
    assert len(slow.pos) == 2 * len(fast.pos) - 5


def test_acceleration_stays_within_its_limit() -> None:
    path = time_path(LINE, np.eye(3), np.eye(3), speed=0.2, acceleration=0.8, turn_speed=1.0)
    assert np.abs(np.diff(speeds(path.pos))).max() / DT <= 0.8 * 1.05


def test_a_turn_that_takes_longer_than_the_way_slows_it_down() -> None:
    stop = rotation_from_vector(np.array([0, 0, 3.0]))
    path = time_path(LINE[[0, 1]] * 0.1, np.eye(3), stop, 0.2, 0.8, turn_speed=1.0)
    turns = [
        rotation_vector(b @ a.T)[2] for a, b in zip(path.rotation, path.rotation[1:], strict=False)
    ]
    assert max(turns) / DT <= 1.0
    assert path.rotation[-1] == pytest.approx(stop)


def test_a_turn_on_the_spot_takes_its_time() -> None:
    stop = rotation_from_vector(np.array([0, 0, 0.8]))
    path = time_path(np.zeros((2, 3)), np.eye(3), stop, 0.2, 0.8, turn_speed=1.0)
    assert len(path.pos) == 16
    assert path.rotation[-1] == pytest.approx(stop)
