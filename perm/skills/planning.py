"""Motion planning with OMPL: hand positions, measured against the way the motion is meant to go.

The planner does not look for the shortest way, but for the one nearest to what is meant: an arc, a
straight line, low over the ground. Its space is position minus that curve, in which the curve is a
straight line; if that is free, it is taken as it is. What is free is judged with the whole arm.

Bounded by iterations, never by seconds: the same query gives the same path on any machine, however
busy it is. Only exact solutions count.
"""

from collections.abc import Callable
from types import ModuleType

import numpy as np

from perm.core.arrays import FloatArray
from perm.sim.load import Held, Load
from perm.sim.rehearsal import Reach, Rehearsal
from perm.skills.care import Care, PlanningError, why_not
from perm.skills.curve import Curve
from perm.skills.pose import Path, Pose

CLEARANCE = 0.02
"""Distance kept to everything on a planned motion [m]; less where its start or goal has less, and
half of that where there is no other way."""
MIN_CLEARANCE = 0.001
RESOLUTION = 0.025
"""Share of the space's extent between two validity checks."""
MAX_ITERATIONS = 150
SIMPLIFY_STEPS = 20
SIDE_ROOM = 0.25
"""How far a path may swing from the curve sideways [m]."""
LEFT_START = 0.02
"""Way sideways after which a keep-away zone counts [m]."""


def plan(
    rehearsal: Rehearsal,
    curve: Curve,
    joints: FloatArray,
    load: Load,
    care: Care,
    seed: int,
) -> tuple[Path, Reach]:
    """Return a path and the arm along it.

    Args:
        rehearsal: Judges what is free.
        curve: How it is meant to go.
        joints: Where the arm begins (7,) [rad].
        load: What is in the hand.
        care: See `why_not`.
        seed: Of the planner.

    Raises:
        PlanningError: Start or goal touches something or is out of reach (named), or nothing was
            found within the iterations.
    """
    straight = np.array([curve.start.pos, curve.goal.pos])
    direct = curve.path(straight)
    arm = rehearsal.follow(direct, joints, load, None)
    if arm.problem:
        raise PlanningError(f"goal {arm.problem}")
    most = _clearance(rehearsal, arm, load)
    reach = rehearsal.follow(direct, joints, load, most)
    if not why_not(reach, care) and _keeps_away(curve, direct, load):
        return direct, reach
    problem = ""
    for clearance in (most, most / 2):
        try:
            points = _solve(rehearsal, curve, arm.joints, load, clearance, care, seed)
        except PlanningError as error:
            problem = str(error)
            continue
        path = curve.path(points)
        reach = rehearsal.follow(path, joints, load, MIN_CLEARANCE)
        problem = why_not(reach, care)
        if not problem:
            return path, reach
        problem = f"the way {problem}"
    raise PlanningError(problem)


def _clearance(rehearsal: Rehearsal, arm: Reach, load: Load) -> float:
    """Return how much room start and goal leave [m], at most `CLEARANCE`."""
    clearance = CLEARANCE
    for which, joints in (("start", arm.joints[0]), ("goal", arm.joints[-1])):
        room = rehearsal.room(joints, load, CLEARANCE)
        if room.distance <= 0:
            raise PlanningError(f"{which} hits {room.name}")
        clearance = min(clearance, max(room.distance - 1e-3, 0.0))
    return clearance


def _keeps_away(curve: Curve, path: Path, load: Load) -> bool:
    return curve.zone is None or all(
        _is_away(curve, Pose(pos, rotation), load.held) for pos, rotation in path
    )


def _is_away(curve: Curve, pose: Pose, held: Held | None) -> bool:
    zone = curve.zone
    if zone is None or np.hypot(*(pose.pos - curve.start.pos)[:2]) < LEFT_START:
        return True
    points = [pose.pos]
    if held is not None:
        points.append(pose.pos + pose.rotation @ held.pos)
    return all(float(np.linalg.norm(point - zone.centre)) >= zone.distance for point in points)


def _solve(
    rehearsal: Rehearsal,
    curve: Curve,
    arm: FloatArray,
    load: Load,
    clearance: float,
    care: Care,
    seed: int,
) -> FloatArray:
    """Return a polyline of the planning space, (K, 3)."""
    last = len(arm) - 1

    def is_free(point: FloatArray) -> bool:
        pose = curve.pose(point)
        if not _is_away(curve, pose, load.held):
            return False
        joints = arm[round(curve.share(point) * last)]
        poses = [(pose.pos, pose.rotation)]
        reach = rehearsal.follow(poses, joints, load, clearance)
        return not why_not(reach, care)

    return solve(curve.start.pos, curve.goal.pos, curve.up_room, is_free, seed)


def solve(
    start: FloatArray,
    goal: FloatArray,
    up_room: float,
    is_free: Callable[[FloatArray], bool],
    seed: int,
) -> FloatArray:
    """Return a polyline (K, 3) from start to goal through what is free.

    Raises:
        PlanningError: Nothing was found within the iterations.
    """
    from ompl import base, geometric, util

    util.setLogLevel(util.LogLevel.LOG_NONE)
    util.RNG.setSeed(seed % (2**31 - 1) + 1)
    space = base.RealVectorStateSpace(3)
    space.setBounds(_bounds(base, start, goal, up_room))
    setup = geometric.SimpleSetup(space)
    info = setup.getSpaceInformation()
    # The binding aborts on anything but a real bool.
    setup.setStateValidityChecker(lambda s: bool(is_free(np.array([s[0], s[1], s[2]]))))
    info.setStateValidityCheckingResolution(RESOLUTION)
    setup.setStartAndGoalStates(_state(space, start), _state(space, goal))
    planner = geometric.RRTConnect(info)
    setup.setPlanner(planner)
    iterations = 0

    def is_over() -> bool:
        nonlocal iterations
        iterations += 1
        return iterations > MAX_ITERATIONS

    setup.solve(base.PlannerTerminationCondition(is_over))
    # An approximate solution is truthy too.
    if not setup.haveExactSolutionPath():
        raise PlanningError("no path was found")
    path = setup.getSolutionPath()
    simplifier = geometric.PathSimplifier(info)
    simplifier.reduceVertices(path, SIMPLIFY_STEPS, SIMPLIFY_STEPS)
    simplifier.partialShortcutPath(path, SIMPLIFY_STEPS, SIMPLIFY_STEPS)
    points = np.array([[s[0], s[1], s[2]] for s in path.getStates()])
    if np.linalg.norm(points[-1] - goal) > 1e-6:
        raise PlanningError("the path stops short of the goal")
    return points


def _bounds(base: ModuleType, start: FloatArray, goal: FloatArray, up_room: float) -> object:
    low = np.minimum(start, goal) - np.array([SIDE_ROOM, SIDE_ROOM, 1e-3])
    high = np.maximum(start, goal) + np.array([SIDE_ROOM, SIDE_ROOM, up_room])
    bounds = base.RealVectorBounds(3)
    for i in range(3):
        bounds.setLow(i, float(low[i]))
        bounds.setHigh(i, float(high[i]))
    return bounds


def _state(space: object, pos: FloatArray) -> object:
    state = space.allocState()  # type: ignore[attr-defined]
    for i in range(3):
        state[i] = float(pos[i])
    return state
