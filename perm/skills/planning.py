"""Motion planning with OMPL: hand positions, measured against the way the motion is meant to go.

The planner does not look for the shortest way, but for the one nearest to what is meant: an arc, a
straight line, low over the ground. Its space is position minus that curve, in which the curve is a
straight line; if that is free, it is taken as it is. What is free is judged with the whole arm.

Bounded by iterations, never by seconds: the same query gives the same path on any machine, however
busy it is. Only exact solutions count.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.geometry import interpolate_rotation
from perm.sim.load import Held, Load
from perm.sim.rehearsal import Reach, Rehearsal
from perm.skills.pose import SPACING, Path, Pose, turn_z

CLEARANCE = 0.02
"""Distance kept to everything on a planned motion [m]; less where its start or goal has less, and
half of that where there is no other way."""
MIN_CLEARANCE = 0.001
RESOLUTION = 0.025
"""Share of the space's extent between two validity checks."""
MAX_ITERATIONS = 150
SIMPLIFY_STEPS = 20
SIDE_ROOM, UP_ROOM = 0.25, 0.25
"""How far a path may swing from the curve sideways and upwards [m]."""
LEFT_START = 0.02
"""Way sideways after which a keep-away zone counts [m]."""


class PlanningError(Exception):
    """No motion was found. Its text is one of few, so that causes can be counted."""


@dataclass(frozen=True)
class Care:
    """How far from its bounds the arm has to stay.

    Attributes:
        margin: Distance of the joints to their limits [rad].
        dexterity: See `perm.sim.rehearsal.Reach`. The hand is off its way by 3 cm at 0.11, and with
            little the controller loses hold of the arm, which swings straight (measured: it wavers
            at 0.07 and is lost at 0.05).
    """

    margin: float
    dexterity: float


CAREFUL, USUAL, BOLD = Care(0.20, 0.12), Care(0.10, 0.085), Care(0.05, 0.071)


@dataclass(frozen=True)
class Zone:
    """Somewhere to keep away from: centre (3,) [m] and distance [m]."""

    centre: FloatArray
    distance: float


@dataclass(frozen=True)
class Curve:
    """How a motion is meant to go.

    Attributes:
        start, goal: From where to where.
        arc: How far its middle is above the straight line [m].
        late: Share of the way after which it rises; 0 to rise evenly.
        turn: Turn about the world's z on the way, and back [rad].
        zone: What to keep away from.
        up_room: How far above it the way may swing [m].
    """

    start: Pose
    goal: Pose
    arc: float = 0.0
    late: float = 0.0
    turn: float = 0.0
    zone: Zone | None = None
    up_room: float = UP_ROOM

    def share(self, pos: FloatArray) -> float:
        """Return how much of the way is done at a position, 0 to 1; sideways if it goes so."""
        way = self.goal.pos - self.start.pos
        if np.hypot(*way[:2]) > 0.02:
            way = np.array([way[0], way[1], 0.0])
        share = float((pos - self.start.pos) @ way) / max(float(way @ way), 1e-12)
        return min(1.0, max(0.0, share))

    def pose(self, pos: FloatArray) -> Pose:
        """Return the hand for a point of the planning space, (3,)."""
        share = self.share(pos)
        rotation = interpolate_rotation(self.start.rotation, self.goal.rotation, share)
        bend = np.array([0.0, 0.0, self._bend(share)])
        return Pose(pos + bend, turn_z(self.turn * np.sin(np.pi * share)) @ rotation)

    def path(self, points: FloatArray) -> Path:
        """Return the poses along a polyline of the planning space, (K, 3)."""
        lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
        way = np.concatenate([[0.0], np.cumsum(lengths)])
        n = max(int((way[-1] + abs(self.turn) * 0.3 + self.arc) / SPACING), 6) + 1
        fine = np.linspace(0.0, way[-1], n)
        dense = np.column_stack([np.interp(fine, way, points[:, i]) for i in range(3)])
        poses = [self.pose(point) for point in dense]
        return Path(np.array([p.pos for p in poses]), np.array([p.rotation for p in poses]))

    def _bend(self, share: float) -> float:
        bend = self.arc * float(np.sin(np.pi * share))
        if self.late:
            rise = float(self.goal.pos[2] - self.start.pos[2])
            risen = np.clip((share - self.late) / max(0.9 - self.late, 0.05), 0.0, 1.0)
            bend += rise * float(risen - share)
        return bend


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


def why_not(reach: Reach, care: Care) -> str:
    """Return what is wrong with a motion of the arm, or "".

    Args:
        reach: How the arm would do it.
        care: How far from its bounds it has to stay.
    """
    if reach.problem:
        return reach.problem
    if reach.margin < care.margin:
        return "comes too near to a joint's limit"
    return "stretches the arm too far" if reach.dexterity < care.dexterity else ""


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
