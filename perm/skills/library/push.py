"""Push: slide an object over the ground with open finger tips, as with two points."""

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.mission import SkillCall
from perm.skills.actor import Actor
from perm.skills.grasps import frame
from perm.skills.pose import Pose
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint

UP = np.array([0.0, 0.0, 1.0])


def push_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield "over", "contact", "end", "off" and "away"."""
    assert call.target is not None
    boxes = actor.scenery.boxes(call.object)
    way = (actor.scenery.point(call.target) - actor.scenery.point(call.object)) * [1, 1, 0]
    distance = float(np.linalg.norm(way))
    along = way / distance
    corners = boxes.corners
    centre = (corners.min(axis=0) + corners.max(axis=0)) / 2
    low = float(corners[:, 2].min())
    for height, tilt in product((0.06, 0.045, 0.08), (0.3, 0.45, 0.15, 0.6)):
        near = corners[np.abs(corners[:, 2] - low - height) < 0.03]
        behind = float((((near if len(near) else corners) - centre) @ along).min())
        wall = np.array([*(centre + behind * along)[:2], low + height])
        yield from touch_frames(wall, along, distance - params["short"], tilt, params["off"])


def touch_frames(
    wall: FloatArray, along: FloatArray, distance: float, tilt: float, off: float
) -> Iterator[Frames]:
    """Yield the frames of a push against a wall, with the fingers in both ways.

    Args:
        wall: Point that is pushed (3,) [m].
        along: Where to, unit vector (3,).
        distance: How far [m].
        tilt: Of the hand, finger tips first [rad].
        off: Distance of the finger tips from the wall before [m].
    """
    approach = along * np.sin(tilt) - UP * np.cos(tilt)
    for fingers in (np.cross(along, UP), np.cross(UP, along)):
        contact = Pose(wall - off * along, frame(fingers, approach))
        end = contact.moved((distance + off) * along)
        yield {
            "over": contact.moved(-0.04 * along + 0.08 * UP),
            "contact": contact,
            "end": end,
            "off": end.moved(-0.04 * along),
            "away": end.moved(-0.06 * along + 0.10 * UP),
        }


PUSH = Skill(
    name="push",
    waypoints=(
        Waypoint(Motion.PLAN, "over"),
        Waypoint(Motion.LINE, "contact", speed=0.6),
        Waypoint(Motion.LINE, "end", speed=0.5, moves=True),
        Waypoint(Motion.LINE, "off"),
        Waypoint(Motion.LINE, "away"),
    ),
    frames=push_frames,
    params={"off": 0.012, "short": 0.006},
)
"""off: distance of the finger tips from the object before the push; short: how much less far than
the object the finger tips go, whose pads are that thick [m]."""
