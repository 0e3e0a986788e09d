from dataclasses import replace

import numpy as np
import pytest

from perm.core.boxes import Boxes
from perm.skills.clearance import Obstacles, Shape, box_distance
from perm.skills.planning import MARGIN, PlanningError, Query, check_line, plan_path

DOWNWARD = np.diag([1.0, -1.0, -1.0])
QUERY = Query(
    start=np.array([-0.3, 0.0, 0.3]),
    goal=np.array([0.3, 0.0, 0.3]),
    start_rotation=DOWNWARD,
    goal_rotation=DOWNWARD,
    floor=0.2,
    ceiling=0.9,
)


def boxes(*centres_and_halves: tuple[list[float], list[float]]) -> Boxes:
    centre, half = (np.array(x) for x in zip(*centres_and_halves, strict=True))
    return Boxes(centre, np.tile(np.eye(3), (len(centre), 1, 1)), half)


NOTHING = Obstacles(Boxes(np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros((0, 3))), (), 0.0)
WALL = Obstacles(boxes(([0.0, 0, 0.25], [0.03, 0.2, 0.25])), ("wall",), 0.0)


def test_distances_to_a_box_are_negative_inside() -> None:
    cube = boxes(([0.0, 0, 0], [0.1, 0.1, 0.1]))
    points = np.array([[0.3, 0, 0], [0, 0, 0], [0.1, 0.1, 0.3]])
    assert box_distance(points, cube)[:, 0] == pytest.approx([0.2, -0.1, 0.2])


def test_a_path_goes_round_a_wall_and_keeps_its_distance() -> None:
    shape = Shape.empty_hand()
    path = plan_path(QUERY, shape, WALL, seed=1)
    assert path[0] == pytest.approx(QUERY.start)
    assert path[-1] == pytest.approx(QUERY.goal)
    gaps = [WALL.clearance(shape, p, DOWNWARD)[0] for p in path]
    assert min(gaps) > MARGIN - 0.004
    assert path[:, 2].max() > 0.5 or np.abs(path[:, 1]).max() > 0.25


def test_the_same_seed_gives_the_same_path_and_another_seed_another() -> None:
    shape = Shape.empty_hand()
    first = plan_path(QUERY, shape, WALL, seed=7)
    plan_path(QUERY, shape, WALL, seed=8)
    assert np.array_equal(plan_path(QUERY, shape, WALL, seed=7), first)
    assert not np.array_equal(plan_path(QUERY, shape, WALL, seed=8), first)


def test_a_closed_wall_gives_an_error_and_no_approximate_path() -> None:
    closed = Obstacles(boxes(([0.0, 0, 0.5], [0.03, 2.0, 2.0])), ("wall",), -3.0)
    with pytest.raises(PlanningError, match="no path within"):
        plan_path(QUERY, Shape.empty_hand(), closed, seed=1)


@pytest.mark.parametrize(("end", "word"), [("start", "start"), ("goal", "goal")])
def test_an_end_in_collision_names_what_is_in_the_way(end: str, word: str) -> None:
    blocked = replace(QUERY, **{end: np.array([0.0, 0.0, 0.4])})
    with pytest.raises(PlanningError, match=f"{word} in collision with wall"):
        plan_path(blocked, Shape.empty_hand(), WALL, seed=1)


def test_the_table_is_not_gone_through() -> None:
    low = replace(QUERY, goal=np.array([0.3, 0.0, -0.01]))
    with pytest.raises(PlanningError, match="goal in collision with the work surface"):
        plan_path(low, Shape.empty_hand(), NOTHING, seed=1)


def test_a_straight_motion_through_a_wall_is_refused() -> None:
    with pytest.raises(PlanningError, match="straight motion hits wall"):
        check_line(QUERY.start, QUERY.goal, DOWNWARD, Shape.empty_hand(), WALL)


def test_what_stands_on_the_table_may_be_lifted_off_it() -> None:
    held = boxes(([0.0, 0, 0.015], [0.05, 0.05, 0.015]))
    shape = Shape.holding(held.corners)
    on_table = np.array([0.0, 0, 0.03])
    lifted = np.array([0.0, 0, 0.2])
    check_line(on_table, lifted, DOWNWARD, shape, NOTHING)
    with pytest.raises(PlanningError, match="work surface"):
        check_line(lifted, on_table - [0, 0, 0.02], DOWNWARD, shape, NOTHING)
