"""Where the waypoints of a skill call are: the grasp of a pick, the release of a placement."""

from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import unknown_name
from perm.core.geometry import rotation_from_vector
from perm.core.task import SkillCall
from perm.skills.actor import Actor
from perm.skills.clearance import Obstacles, Shape
from perm.skills.grasps import Grasp, body_depth, is_graspable_across, rim_grasp, top_grasp
from perm.skills.library import Frame, Skill
from perm.skills.planning import PlanningError, check_line

MAX_DRAWS = 10
"""How often a grasp is drawn before it is given up."""
MAX_SIDE_ANGLE = 0.5
"""Farthest that a drawn grasp may be off the asked side [rad]."""
RELEASE_TURNS = np.deg2rad([0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0])
"""Turns of the hand tried for the release, in this order: none if nothing is in the way [rad]."""


@dataclass(frozen=True)
class Place:
    """Where the waypoints of a skill call are: origin and rotation of the hand.

    Attributes:
        pos: Origin of the frame [m].
        rotation: Rotation of the hand, (3, 3).
    """

    pos: FloatArray
    rotation: FloatArray


def find_place(actor: Actor, skill: Skill, call: SkillCall) -> Place:
    """Return the frame of a skill call: the grasp for a pick, the release for a placement."""
    if skill.waypoints[0].frame is Frame.GRASP:
        grasp = find_grasp(actor, skill, call)
        return Place(grasp.pos, grasp.rotation)
    return _find_release(actor, skill, call)


def find_grasp(actor: Actor, skill: Skill, call: SkillCall) -> Grasp:
    """Return a grasp that the hand can come to, drawn again within a bound if it cannot.

    Raises:
        PlanningError: None of the draws is free; says what was in the way of the last.
    """
    rng = np.random.default_rng(actor.seed_for("grasp", actor.plans))
    obstacles = actor.scenery.obstacles(without=touchable(actor, call))
    blocked = PlanningError("no grasp was drawn")
    for draw in range(MAX_DRAWS):
        turn = rng.uniform(-1, 1) * min(draw * 0.1, MAX_SIDE_ANGLE)
        grasp = _draw_grasp(actor, skill, call, actor.style.side_angle + turn)
        try:
            _check_approach(grasp, skill, obstacles)
        except PlanningError as error:
            blocked = error
        else:
            return grasp
    raise blocked


def _check_approach(grasp: Grasp, skill: Skill, obstacles: Obstacles) -> None:
    """Raise PlanningError if the way from the first waypoint to the grasp is not free."""
    away = grasp.pos - float(skill.waypoints[0].offset) * grasp.approach
    check_line(away, grasp.pos, grasp.rotation, Shape.empty_hand(), obstacles)


def _draw_grasp(actor: Actor, skill: Skill, call: SkillCall, side_angle: float) -> Grasp:
    """Return the grasp that the call names, or what the object's shape allows.

    "top" and "body" go across the object, near its top or as deep as its middle; "rim" takes the
    edge of something open. Without a name: across if it fits between the fingers, else the rim.
    """
    boxes = actor.scenery.boxes(call.object)
    params = {**skill.params, **call.params}
    kind = params.get("grasp") or ("top" if is_graspable_across(boxes) else "rim")
    support, reference = actor.scenery.support_z, actor.hand.rotation
    if kind == "rim":
        depth, inset = params["rim_depth"], params["rim_inset"]
        return rim_grasp(boxes, reference, actor.style.side, side_angle, depth, inset, support)
    if kind not in ("top", "body"):
        raise unknown_name("grasp", str(kind), ("top", "body", "rim"))
    depth = params["top_depth"] if kind == "top" else body_depth(boxes)
    return top_grasp(boxes, reference, depth, support)


def _find_release(actor: Actor, skill: Skill, call: SkillCall) -> Place:
    """Turn the hand as little as possible so that it does not touch anything at the release."""
    shape = actor.scenery.held_shape(call.object)
    obstacles = actor.scenery.obstacles(without=touchable(actor, call))
    worst = ""
    for turn in RELEASE_TURNS:
        rotation = rotation_from_vector(np.array([0.0, 0.0, turn])) @ actor.hand.rotation
        pos = release_pos(actor, skill, call, rotation)
        gap, owner = obstacles.clearance(shape, pos, rotation)
        if gap > 0:
            return Place(pos, rotation)
        worst = worst or owner
    raise PlanningError(f"no room to release beside {worst}")


def release_pos(actor: Actor, skill: Skill, call: SkillCall, rotation: FloatArray) -> FloatArray:
    """Position of the hand at which the object's origin is over the target, just above it."""
    point, surface = actor.scenery.landing(call.target or "")
    gap = {**skill.params, **call.params}["gap"]
    back = rotation @ actor.hand.rotation.T
    origin, _ = actor.scenery.pose(call.object)
    offset = back @ (origin - actor.hand.pos)
    corners = (actor.scenery.boxes(call.object).corners - actor.hand.pos) @ back.T
    return np.array([*(point - offset[:2]), surface + gap - float(corners[:, 2].min())])


def touchable(actor: Actor, call: SkillCall) -> set[str]:
    """Return what a call may touch: its object, and its target or what the target belongs to."""
    return {call.object, *([actor.scenery.owner(call.target)] if call.target else [])}
