from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.core.geometry import rotation_vector
from perm.sim.load import Load
from perm.sim.rehearsal import Reach, Room
from perm.skills.care import USUAL, PlanningError
from perm.skills.curve import Curve, Zone
from perm.skills.planning import plan, solve
from perm.skills.pose import Pose

DOWNWARD = np.diag([1.0, -1.0, -1.0])
START, GOAL = np.array([-0.3, 0.0, 0.3]), np.array([0.3, 0.0, 0.3])
LEVEL = Curve(Pose(START, DOWNWARD), Pose(GOAL, DOWNWARD))
RISING = replace(LEVEL, goal=LEVEL.goal.up(0.2))


def in_wall(point: FloatArray) -> bool:
    """A wall between start and goal: 6 cm thick, 30 cm wide, up to a height of 40 cm."""
    x, y, z = point
    return bool(abs(x) < 0.03 and abs(y) < 0.15 and z < 0.4)


def is_free(point: FloatArray) -> bool:
    return not in_wall(point)


def along(points: FloatArray) -> FloatArray:
    """Points every 5 mm along a polyline."""
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    fine = np.arange(0.0, way[-1], 0.005)
    return np.column_stack([np.interp(fine, way, points[:, i]) for i in range(3)])


class Points:
    """A hand that is a point and reaches everything up to x = 0.5: stands in for a rehearsal."""

    def __init__(self, wall: bool = True) -> None:
        self._wall = wall

    def follow(
        self,
        poses: Iterable[tuple[FloatArray, FloatArray]],
        joints: FloatArray,
        load: Load,
        clearance: float | None = 0.0,
    ) -> Reach:
        del joints, load
        passed = []
        for pos, _ in poses:
            passed.append(pos)
            problem = "out of reach" if pos[0] > 0.5 else ""
            if clearance is not None and self._wall and in_wall(pos):
                problem = "hits wall"
            if problem:
                return Reach(np.array(passed), 1.0, 1.0, problem)
        return Reach(np.array(passed), 1.0, 1.0)

    def room(self, joints: FloatArray, load: Load, most: float) -> Room:
        del load
        return Room(-0.01, "wall") if self._wall and in_wall(joints) else Room(most, "nothing")


def planned(curve: Curve, wall: bool = True) -> FloatArray:
    path, _ = plan(Points(wall), curve, curve.start.pos, Load(), care=USUAL, seed=1)
    return path.pos


# What is meant


def test_an_arc_lifts_the_middle_and_leaves_the_ends() -> None:
    curve = replace(LEVEL, arc=0.08)
    assert [curve.pose(point).pos[2] for point in (START, (START + GOAL) / 2, GOAL)] == (
        pytest.approx([0.3, 0.38, 0.3])
    )


def test_a_way_upwards_rises_evenly() -> None:
    heights = RISING.path(np.array([START, RISING.goal.pos])).pos[:, 2]
    assert np.ptp(np.diff(heights)) == pytest.approx(0, abs=1e-9)


def test_a_late_way_stays_low_until_its_share_is_done_and_arrives_in_time() -> None:
    path = replace(RISING, late=0.6).path(np.array([START, RISING.goal.pos]))
    share = (path.pos[:, 0] + 0.3) / 0.6
    assert path.pos[share <= 0.6, 2] == pytest.approx(0.3)
    assert path.pos[share >= 0.9, 2] == pytest.approx(0.5)


def test_a_turn_on_the_way_is_taken_back() -> None:
    curve = replace(LEVEL, turn=0.4)
    turns = [
        rotation_vector(curve.pose(point).rotation @ DOWNWARD.T)[2]
        for point in (START, (START + GOAL) / 2, GOAL)
    ]
    assert turns == pytest.approx([0, 0.4, 0], abs=1e-9)


def test_between_two_rotations_it_turns_evenly() -> None:
    curve = replace(LEVEL, goal=LEVEL.goal.turned(0.8))
    middle = curve.pose((START + GOAL) / 2)
    assert rotation_vector(middle.rotation @ DOWNWARD.T)[2] == pytest.approx(0.4)


def test_the_share_of_the_way_counts_sideways_and_stays_between_0_and_1() -> None:
    assert RISING.share(LEVEL.start.up(0.2).pos) == pytest.approx(0)
    assert RISING.share(np.array([0.0, 0.1, 0.0])) == pytest.approx(0.5)
    assert (RISING.share(START - 1.0), RISING.share(GOAL + 1.0)) == (0.0, 1.0)


def test_the_share_of_a_way_straight_up_counts_upwards() -> None:
    up = Curve(LEVEL.start, LEVEL.start.up(0.2))
    assert up.share(LEVEL.start.up(0.05).pos) == pytest.approx(0.25)


# What is planned


def test_what_is_free_is_done_as_it_is_meant() -> None:
    curve = replace(LEVEL, arc=0.2)
    straight = curve.path(np.array([START, GOAL]))
    assert np.array_equal(planned(curve), straight.pos)


def test_what_is_not_free_goes_round_what_stands_there() -> None:
    path = planned(LEVEL)
    assert path[0] == pytest.approx(START)
    assert path[-1] == pytest.approx(GOAL)
    assert not any(in_wall(point) for point in path)


def test_a_zone_is_kept_away_from() -> None:
    zone = Zone(np.array([0.0, 0.0, 0.3]), 0.15)
    path = planned(replace(LEVEL, zone=zone), wall=False)
    assert np.linalg.norm(path - zone.centre, axis=1).min() > 0.15 - 0.005


def test_a_start_in_a_zone_may_be_left() -> None:
    path = planned(replace(LEVEL, zone=Zone(START - [0.02, 0, 0], 0.03)), wall=False)
    assert path[-1] == pytest.approx(GOAL)


@pytest.mark.parametrize(
    ("curve", "text"),
    [
        (replace(LEVEL, start=Pose(np.array([0.0, 0, 0.3]), DOWNWARD)), "start hits wall"),
        (replace(LEVEL, goal=Pose(np.array([0.0, 0, 0.3]), DOWNWARD)), "goal hits wall"),
        (replace(LEVEL, goal=Pose(np.array([0.6, 0, 0.3]), DOWNWARD)), "goal out of reach"),
    ],
)
def test_an_end_that_is_impossible_is_named(curve: Curve, text: str) -> None:
    with pytest.raises(PlanningError, match=f"^{text}$"):
        planned(curve)


# How it is planned


def test_a_path_from_start_to_goal_goes_through_what_is_free() -> None:
    points = solve(START, GOAL, 0.25, is_free, seed=1)
    assert points[0] == pytest.approx(START)
    assert points[-1] == pytest.approx(GOAL)
    # Between two checks there are 2.5 % of the space's diagonal; no more of a corner is cut.
    inside = [point for point in along(points) if in_wall(point)]
    assert len(inside) * 0.005 < 0.03


def test_the_same_seed_gives_the_same_path_and_another_seed_another() -> None:
    first = solve(START, GOAL, 0.25, is_free, seed=7)
    other = solve(START, GOAL, 0.25, is_free, seed=8)
    assert np.array_equal(solve(START, GOAL, 0.25, is_free, seed=7), first)
    assert not np.array_equal(other, first)


def test_a_goal_that_is_shut_off_gives_an_error_and_no_approximate_path() -> None:
    with pytest.raises(PlanningError, match=r"^no path was found$"):
        solve(START, GOAL, 0.25, lambda point: bool(abs(point[0]) > 0.03), seed=1)


def test_a_path_stays_near_the_way_that_is_meant() -> None:
    points = solve(START, GOAL, 0.25, is_free, seed=3)
    assert np.abs(points[:, 1]).max() <= 0.25
    assert points[:, 2].min() >= 0.299
    assert points[:, 2].max() <= 0.55
