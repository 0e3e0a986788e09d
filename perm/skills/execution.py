"""Runs a skill's waypoints in the scene: plans, checks, follows, as a stream of actions."""

from collections.abc import Iterator

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.task import SkillCall
from perm.skills.actor import Actor
from perm.skills.library import Frame, Motion, Skill, Waypoint
from perm.skills.placing import Place, release_pos, touchable
from perm.skills.planning import Query, check_line, plan_path
from perm.skills.timing import time_path

FREE_TOLERANCE, CONTACT_TOLERANCE = 0.008, 0.004
"""How near the hand has to come to the end of a motion [m]."""
FREE_CEILING = 0.25
"""How much higher than start and goal an empty hand may go [m]."""


def run_skill(actor: Actor, skill: Skill, call: SkillCall, place: Place) -> Iterator[FloatArray]:
    """Yield the actions of one skill call.

    Args:
        actor: Who does it.
        skill: What it is made of.
        call: Which object, where to.
        place: Frame of the call, see `perm.skills.placing`.

    Raises:
        PlanningError: A motion cannot be planned; nothing unplanned is ever executed.
        GiveUp: The hand does not follow.
    """
    for waypoint in skill.waypoints:
        if waypoint.frame is Frame.RELEASE and waypoint.motion is Motion.LINE and actor.holding:
            # The object may have slipped a little since: aim again with how it sits now.
            place = Place(release_pos(actor, skill, call, place.rotation), place.rotation)
        yield from _run_waypoint(actor, waypoint, call, place)


def _run_waypoint(
    actor: Actor, waypoint: Waypoint, call: SkillCall, place: Place
) -> Iterator[FloatArray]:
    goal = _goal(actor, waypoint, place)
    if waypoint.motion is Motion.GRIP:
        actor.hand.closed = waypoint.closed
        actor.holding = call.object if waypoint.closed else None
        yield from actor.hand.hold(waypoint.steps, actor.hand.pos, place.rotation)
    elif waypoint.motion is Motion.PLAN:
        points = _plan(actor, goal, place.rotation)
        yield from _follow(actor, waypoint, points, place.rotation, FREE_TOLERANCE)
    else:
        points = np.array([actor.hand.pos, goal])
        obstacles = actor.scenery.obstacles(without=touchable(actor, call))
        check_line(points[0], goal, place.rotation, actor.shape, obstacles)
        yield from _follow(actor, waypoint, points, place.rotation, CONTACT_TOLERANCE)


def _goal(actor: Actor, waypoint: Waypoint, place: Place) -> FloatArray:
    offset = waypoint.offset
    if isinstance(offset, str):
        offset = float(getattr(actor.style, offset))
    if waypoint.frame is Frame.GRASP:
        return place.pos - offset * place.rotation[:, 2]
    return place.pos + np.array([0.0, 0.0, offset], dtype=np.float64)


def _plan(actor: Actor, goal: FloatArray, rotation: FloatArray) -> FloatArray:
    actor.plans += 1
    held = {actor.holding} if actor.holding else set()
    height = max(float(actor.hand.pos[2]), float(goal[2]))
    ceiling = height + (actor.style.ceiling if actor.holding else FREE_CEILING)
    query = Query(
        start=actor.hand.pos,
        goal=goal,
        start_rotation=actor.hand.rotation,
        goal_rotation=rotation,
        floor=min(float(actor.hand.pos[2]), float(goal[2])),
        ceiling=ceiling,
    )
    obstacles = actor.scenery.obstacles(without=held)
    return plan_path(query, actor.shape, obstacles, actor.seed_for("plan", actor.plans))


def _follow(
    actor: Actor,
    waypoint: Waypoint,
    points: FloatArray,
    rotation: FloatArray,
    tolerance: float,
) -> Iterator[FloatArray]:
    style = actor.style
    path = time_path(
        points,
        actor.hand.rotation,
        rotation,
        style.speed * waypoint.speed,
        style.acceleration,
        style.turn_speed,
    )
    return actor.hand.follow(path, tolerance)
