import numpy as np
import pytest

from perm.core.conventions import DT
from perm.core.geometry import rotation_vector
from perm.skills.pose import Path, Pose, join, line, round_corners, turn_z
from perm.skills.timing import AXIS_SPEED, TURN_ACCELERATION, TURN_SPEED, time_path


def pose(x: float, z: float = 0.0, yaw: float = 0.0) -> Pose:
    return Pose(np.array([x, 0.0, z]), turn_z(yaw))


STRAIGHT = line(pose(0.0), pose(0.4))
BENT = round_corners(join([line(pose(0.0), pose(0.2)), line(pose(0.2), pose(0.2, 0.2))]), 0.05)
TURNING = line(pose(0.0), pose(0.04, yaw=2.0))


def timed(path: Path, speed: float = 0.2, acceleration: float = 0.8) -> Path:
    return time_path(path, speed, acceleration, turn_speed=1.0)


def velocities(path: Path, start: Path) -> np.ndarray:
    """At each control step, from rest to rest, (N + 2, 3) [m/s]."""
    moves = np.diff(np.vstack([start.pos[0], path.pos]), axis=0) / DT
    return np.vstack([np.zeros(3), moves, np.zeros(3)])


@pytest.mark.parametrize("path", [STRAIGHT, BENT, TURNING], ids=["straight", "bent", "turning"])
def test_it_ends_at_the_end(path: Path) -> None:
    run = timed(path)
    assert run.end.pos == pytest.approx(path.end.pos)
    assert run.end.rotation == pytest.approx(path.end.rotation)


@pytest.mark.parametrize("path", [STRAIGHT, BENT, TURNING], ids=["straight", "bent", "turning"])
def test_speed_stays_within_its_limit(path: Path) -> None:
    speeds = np.linalg.norm(velocities(timed(path), path), axis=1)
    assert speeds.max() <= 0.2 * 1.02


@pytest.mark.parametrize("path", [STRAIGHT, BENT, TURNING], ids=["straight", "bent", "turning"])
def test_acceleration_along_each_axis_stays_within_its_limit(path: Path) -> None:
    change = np.diff(velocities(timed(path), path), axis=0) / DT
    assert np.abs(change).max() <= 0.8 * 1.1


def test_a_straight_run_takes_the_time_that_its_limits_leave() -> None:
    # 0.4 m at 0.2 m/s, and 0.25 s for the ramps: 45 steps.
    assert 45 <= len(timed(STRAIGHT).pos) <= 46


def test_nothing_goes_faster_than_the_controller_does() -> None:
    slanting = line(pose(0.0), pose(0.4, 0.4))
    run = time_path(slanting, speed=9.0, acceleration=9.0, turn_speed=9.0)
    speeds = np.abs(velocities(run, slanting))
    assert 0.95 * AXIS_SPEED < speeds.max() <= AXIS_SPEED * 1.001
    turning = time_path(TURNING, speed=9.0, acceleration=9.0, turn_speed=9.0)
    assert 0.95 * TURN_SPEED < turning.turns.max() / DT <= TURN_SPEED * 1.001


def test_half_the_speed_takes_twice_the_time() -> None:
    fast, slow = timed(STRAIGHT), timed(STRAIGHT, speed=0.1, acceleration=0.2)
    assert len(slow.pos) == pytest.approx(2 * len(fast.pos), abs=1)


def test_a_gentle_acceleration_slows_a_bend_down() -> None:
    assert len(timed(BENT, acceleration=0.2).pos) > 1.2 * len(timed(BENT, acceleration=0.8).pos)


def test_a_turn_that_takes_longer_than_the_way_slows_it_down() -> None:
    run = timed(TURNING)
    turned = [rotation_vector(rotation)[2] for rotation in run.rotation]
    speeds = np.diff([0.0, 0.0, *turned, turned[-1]]) / DT
    assert speeds.max() <= 1.0 * 1.02
    assert np.abs(np.diff(speeds)).max() / DT <= TURN_ACCELERATION * 1.1
    # 2 rad at 1 rad/s, and a sixth of a second for the ramps.
    assert len(run.pos) == pytest.approx(2.17 / DT, abs=1)


def test_a_turn_on_the_spot_takes_its_time() -> None:
    run = timed(line(pose(0.1), pose(0.1, yaw=0.8)))
    assert len(run.pos) == pytest.approx((0.8 + 1 / 6) / DT, abs=1)
    assert run.pos == pytest.approx(np.tile([0.1, 0, 0], (len(run.pos), 1)))
    assert run.end.rotation == pytest.approx(turn_z(0.8))


def test_a_path_of_one_place_is_one_step() -> None:
    run = timed(line(pose(0.1), pose(0.1)))
    assert len(run.pos) == 1
    assert run.end.pos == pytest.approx([0.1, 0, 0])


def test_poses_that_come_twice_do_no_harm() -> None:
    twice = Path(np.repeat(STRAIGHT.pos, 2, axis=0), np.repeat(STRAIGHT.rotation, 2, axis=0))
    assert timed(twice).pos == pytest.approx(timed(STRAIGHT).pos)
