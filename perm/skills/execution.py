"""Runs a skill's waypoints in the scene: plans, checks, follows, as a stream of actions."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import unknown_name
from perm.core.geometry import rotation_from_vector
from perm.core.task import SkillCall
from perm.sim.env import SimEnv
from perm.skills.clearance import Obstacles, Shape
from perm.skills.grasps import Grasp, body_depth, is_graspable_across, rim_grasp, top_grasp
from perm.skills.library import Frame, Motion, Skill, Waypoint
from perm.skills.planning import PlanningError, Query, check_line, plan_path
from perm.skills.scenery import Scenery
from perm.skills.style import MotionStyle
from perm.skills.timing import time_path
from perm.skills.tracking import Hand

FREE_TOLERANCE, CONTACT_TOLERANCE = 0.008, 0.004
"""How near the hand has to come to the end of a motion [m]."""
MAX_DRAWS = 10
"""How often a grasp is drawn before it is given up."""
MAX_SIDE_ANGLE = 0.5
"""Farthest that a drawn grasp may be off the asked side [rad]."""
RELEASE_TURNS = np.deg2rad([0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0])
"""Turns of the hand tried for the release, in this order: none if nothing is in the way [rad]."""


@dataclass
class Body:
    """What the expert carries through an episode.

    Attributes:
        env, scenery, hand: The scene, as seen and as moved.
        style: Manner of this episode.
        seed: For OMPL; each plan adds its number.
        holding: Name of the object in the hand, or None.
        plans: How many plans were made.
    """

    env: SimEnv
    scenery: Scenery
    hand: Hand
    style: MotionStyle
    seed: int
    holding: str | None = None
    plans: int = 0


@dataclass(frozen=True)
class Place:
    """Where the waypoints of a skill call are: origin and rotation of the hand.

    Attributes:
        pos: Origin of the frame [m].
        rotation: Rotation of the hand, (3, 3).
    """

    pos: FloatArray
    rotation: FloatArray


def run_skill(body: Body, skill: Skill, call: SkillCall, place: Place) -> Iterator[FloatArray]:
    """Yield the actions of one skill call.

    Args:
        body: Who does it.
        skill: What it is made of.
        call: Which object, where to.
        place: Frame of the call, see `find_place`.

    Raises:
        PlanningError: A motion cannot be planned; nothing unplanned is ever executed.
        GiveUp: The hand does not follow.
    """
    for waypoint in skill.waypoints:
        if waypoint.frame is Frame.RELEASE and waypoint.motion is Motion.LINE and body.holding:
            # The object may have slipped a little since: aim again with how it sits now.
            place = Place(_release_pos(body, skill, call, place.rotation), place.rotation)
        yield from _run_waypoint(body, waypoint, call, place)


def find_place(body: Body, skill: Skill, call: SkillCall) -> Place:
    """Return the frame of a skill call: the grasp for a pick, the release for a placement."""
    if skill.waypoints[0].frame is Frame.GRASP:
        grasp = find_grasp(body, skill, call)
        return Place(grasp.pos, grasp.rotation)
    return _find_release(body, skill, call)


def find_grasp(body: Body, skill: Skill, call: SkillCall) -> Grasp:
    """Return a grasp that the hand can come to, drawn again within a bound if it cannot.

    Raises:
        PlanningError: None of the draws is free; says what was in the way of the last.
    """
    rng = np.random.default_rng(body.seed)
    obstacles = body.scenery.obstacles(without=_touchable(call))
    for draw in range(MAX_DRAWS):
        angle = body.style.side_angle + rng.uniform(-1, 1) * min(draw * 0.1, MAX_SIDE_ANGLE)
        grasp = _draw_grasp(body, skill, call, angle)
        try:
            _check_approach(grasp, skill, obstacles)
        except PlanningError:
            if draw == MAX_DRAWS - 1:
                raise
        else:
            return grasp
    raise AssertionError("unreachable")


def _check_approach(grasp: Grasp, skill: Skill, obstacles: Obstacles) -> None:
    """Raise PlanningError if the way from the first waypoint to the grasp is not free."""
    away = grasp.pos - float(skill.waypoints[0].offset) * grasp.approach
    check_line(away, grasp.pos, grasp.rotation, Shape.empty_hand(), obstacles)


def _draw_grasp(body: Body, skill: Skill, call: SkillCall, side_angle: float) -> Grasp:
    """Return the grasp that the call names, or what the object's shape allows.

    "top" and "body" go across the object, near its top or as deep as its middle; "rim" takes the
    edge of something open. Without a name: across if it fits between the fingers, else the rim.
    """
    boxes = body.scenery.boxes(call.object)
    params = {**skill.params, **call.params}
    kind = params.get("grasp") or ("top" if is_graspable_across(boxes) else "rim")
    support, reference = body.scenery.support_z, body.hand.rotation
    if kind == "rim":
        depth, inset = params["rim_depth"], params["rim_inset"]
        return rim_grasp(boxes, reference, body.style.side, side_angle, depth, inset, support)
    if kind not in ("top", "body"):
        raise unknown_name("grasp", str(kind), ("top", "body", "rim"))
    depth = params["top_depth"] if kind == "top" else body_depth(boxes)
    return top_grasp(boxes, reference, depth, support)


def _find_release(body: Body, skill: Skill, call: SkillCall) -> Place:
    """Turn the hand as little as possible so that it does not touch anything at the release."""
    shape = body.scenery.held_shape(call.object)
    obstacles = body.scenery.obstacles(without=_touchable(call))
    worst = ""
    for turn in RELEASE_TURNS:
        rotation = rotation_from_vector(np.array([0.0, 0.0, turn])) @ body.hand.rotation
        pos = _release_pos(body, skill, call, rotation)
        gap, owner = obstacles.clearance(shape, pos, rotation)
        if gap > 0:
            return Place(pos, rotation)
        worst = worst or owner
    raise PlanningError(f"no room to release beside {worst}")


def _release_pos(body: Body, skill: Skill, call: SkillCall, rotation: FloatArray) -> FloatArray:
    """Position of the hand at which the object's origin is over the target, just above it."""
    point, surface = body.scenery.landing(call.target or "")
    gap = {**skill.params, **call.params}["gap"]
    back = rotation @ body.hand.rotation.T
    origin, _ = body.scenery.pose(call.object)
    offset = back @ (origin - body.hand.pos)
    corners = (body.scenery.boxes(call.object).corners - body.hand.pos) @ back.T
    return np.array([*(point - offset[:2]), surface + gap - float(corners[:, 2].min())])


def _run_waypoint(
    body: Body, waypoint: Waypoint, call: SkillCall, place: Place
) -> Iterator[FloatArray]:
    goal = _goal(body, waypoint, place)
    if waypoint.motion is Motion.GRIP:
        body.hand.closed = waypoint.closed
        body.holding = call.object if waypoint.closed else None
        yield from body.hand.hold(waypoint.steps, body.hand.pos, place.rotation)
    elif waypoint.motion is Motion.PLAN:
        points = _plan(body, goal, place.rotation)
        yield from _follow(body, waypoint, points, place.rotation, FREE_TOLERANCE)
    else:
        points = np.array([body.hand.pos, goal])
        obstacles = body.scenery.obstacles(without=_touchable(call))
        check_line(points[0], goal, place.rotation, _shape(body), obstacles)
        tolerance = CONTACT_TOLERANCE if waypoint.closed == (body.holding is not None) else 0.01
        yield from _follow(body, waypoint, points, place.rotation, tolerance)


def _goal(body: Body, waypoint: Waypoint, place: Place) -> FloatArray:
    offset = waypoint.offset
    if isinstance(offset, str):
        offset = float(getattr(body.style, offset))
    if waypoint.frame is Frame.GRASP:
        return place.pos - offset * place.rotation[:, 2]
    return place.pos + np.array([0.0, 0.0, offset], dtype=np.float64)


def _plan(body: Body, goal: FloatArray, rotation: FloatArray) -> FloatArray:
    body.plans += 1
    held = {body.holding} if body.holding else set()
    height = max(float(body.hand.pos[2]), float(goal[2]))
    ceiling = height + (body.style.ceiling if body.holding else 0.25)
    query = Query(
        start=body.hand.pos,
        goal=goal,
        start_rotation=body.hand.rotation,
        goal_rotation=rotation,
        floor=min(float(body.hand.pos[2]), float(goal[2])),
        ceiling=ceiling,
    )
    return plan_path(
        query, _shape(body), body.scenery.obstacles(without=held), body.seed + body.plans
    )


def _follow(
    body: Body,
    waypoint: Waypoint,
    points: FloatArray,
    rotation: FloatArray,
    tolerance: float,
) -> Iterator[FloatArray]:
    style = body.style
    path = time_path(
        points,
        body.hand.rotation,
        rotation,
        style.speed * waypoint.speed,
        style.acceleration,
        style.turn_speed,
    )
    return body.hand.follow(path, tolerance)


def _shape(body: Body) -> Shape:
    return body.scenery.held_shape(body.holding) if body.holding else Shape.empty_hand()


def _touchable(call: SkillCall) -> set[str]:
    """The object, and the target or what the target region belongs to, may be touched."""
    names = {call.object}
    if call.target:
        names.add(call.target)
        names.update(call.target.removesuffix(s) for s in ("_contain_region",))
    return names
