"""Motion planning with OMPL: the position of the hand in a box, its turn spread over the way.

Bounded by iterations, never by seconds: the same query gives the same path on any machine, however
busy it is. Only exact solutions count.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.geometry import interpolate_rotation
from perm.skills.clearance import Obstacles, Shape

MARGIN, MIN_MARGIN = 0.012, 0.003
"""Clearance that a planned motion keeps [m]; less if its start or goal has less, down to the
second."""
RESOLUTION = 0.01
"""Share of the space's extent between two validity checks."""
MAX_ITERATIONS = 4000
SIMPLIFY_STEPS = 60
N_POINTS = 40
SIDE_ROOM = 0.30
"""How far beyond start and goal a path may swing sideways [m]."""


class PlanningError(Exception):
    """No motion was found. Its text is one of few, so that causes can be counted."""


@dataclass(frozen=True)
class Query:
    """From one hand pose to another.

    Attributes:
        start, goal: Positions (3,) [m].
        start_rotation, goal_rotation: (3, 3).
        floor, ceiling: Bounds of the hand's height [m].
    """

    start: FloatArray
    goal: FloatArray
    start_rotation: FloatArray
    goal_rotation: FloatArray
    floor: float
    ceiling: float

    def rotation_at(self, pos: FloatArray) -> FloatArray:
        """Return the rotation at a position: turned as far as the way is done."""
        way = self.goal - self.start
        share = float((pos - self.start) @ way) / max(float(way @ way), 1e-12)
        return interpolate_rotation(
            self.start_rotation, self.goal_rotation, float(np.clip(share, 0.0, 1.0))
        )


def plan_path(query: Query, shape: Shape, obstacles: Obstacles, seed: int) -> FloatArray:
    """Return a path for the hand, (N_POINTS, 3) [m].

    Raises:
        PlanningError: Start or goal is in collision (what touches is named), or nothing was found
            within the iterations.
    """
    ends = (
        _room("start", query.start, query.start_rotation, shape, obstacles),
        _room("goal", query.goal, query.goal_rotation, shape, obstacles),
    )
    margin = min(MARGIN, *(room - 1e-4 for room in ends))

    def is_free(pos: FloatArray) -> bool:
        gap, _ = obstacles.clearance(shape, pos, query.rotation_at(pos))
        return gap > margin

    return _solve(query, is_free, seed)


def check_line(
    start: FloatArray,
    goal: FloatArray,
    rotation: FloatArray,
    shape: Shape,
    obstacles: Obstacles,
) -> None:
    """Raise PlanningError if the hand would touch something on a straight way.

    Contact that there is at the start (an object stands on the table) may be left, not deepened.

    Args:
        start: Where the hand is (3,) [m].
        goal: Where it goes (3,) [m].
        rotation: Of the hand all the way, (3, 3).
        shape: What moves.
        obstacles: What it must not touch.
    """
    allowed = min(0.0, obstacles.clearance(shape, start, rotation)[0] - 1e-4)
    n = max(2, int(np.linalg.norm(goal - start) / 0.01) + 1)
    for share in np.linspace(0.0, 1.0, n):
        gap, owner = obstacles.clearance(shape, start + share * (goal - start), rotation)
        if gap < allowed:
            raise PlanningError(f"straight motion hits {owner}")


def _room(
    which: str, pos: FloatArray, rotation: FloatArray, shape: Shape, obstacles: Obstacles
) -> float:
    gap, owner = obstacles.clearance(shape, pos, rotation)
    if gap <= MIN_MARGIN:
        raise PlanningError(f"{which} in collision with {owner}")
    return gap


def _solve(query: Query, is_free: Callable[[FloatArray], bool], seed: int) -> FloatArray:
    from ompl import base, geometric, util

    util.setLogLevel(util.LogLevel.LOG_NONE)
    util.RNG.setSeed(seed % (2**31 - 1) + 1)
    space = base.RealVectorStateSpace(3)
    space.setBounds(_bounds(base, query))
    setup = geometric.SimpleSetup(space)
    info = setup.getSpaceInformation()
    # The binding aborts on anything but a real bool.
    setup.setStateValidityChecker(lambda s: bool(is_free(np.array([s[0], s[1], s[2]]))))
    info.setStateValidityCheckingResolution(RESOLUTION)
    setup.setStartAndGoalStates(_state(space, query.start), _state(space, query.goal))
    setup.setPlanner(geometric.RRTConnect(info))
    iterations = 0

    def is_over() -> bool:
        nonlocal iterations
        iterations += 1
        return iterations > MAX_ITERATIONS

    setup.solve(base.PlannerTerminationCondition(is_over))
    # An approximate solution is truthy too.
    if not setup.haveExactSolutionPath():
        raise PlanningError(f"no path within {MAX_ITERATIONS} iterations")
    path = setup.getSolutionPath()
    simplifier = geometric.PathSimplifier(info)
    simplifier.reduceVertices(path, SIMPLIFY_STEPS, SIMPLIFY_STEPS)
    simplifier.partialShortcutPath(path, SIMPLIFY_STEPS, SIMPLIFY_STEPS)
    simplifier.smoothBSpline(path, 3)
    path.interpolate(N_POINTS)
    points = np.array([[s[0], s[1], s[2]] for s in path.getStates()])
    if np.linalg.norm(points[-1] - query.goal) > 1e-6:
        raise PlanningError("the path stops short of the goal")
    return points


def _bounds(base: object, query: Query) -> object:
    low = np.minimum(query.start, query.goal) - SIDE_ROOM
    high = np.maximum(query.start, query.goal) + SIDE_ROOM
    low[2] = min(query.floor, query.start[2], query.goal[2]) - 1e-3
    high[2] = max(query.ceiling, query.start[2], query.goal[2]) + 1e-3
    bounds = base.RealVectorBounds(3)  # type: ignore[attr-defined]
    for i in range(3):
        bounds.setLow(i, float(low[i]))
        bounds.setHigh(i, float(high[i]))
    return bounds


def _state(space: object, pos: FloatArray) -> object:
    state = space.allocState()  # type: ignore[attr-defined]
    for i in range(3):
        state[i] = float(pos[i])
    return state
