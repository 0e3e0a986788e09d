"""Drag: take an object by its wall on the side where it is to go, and pull it over the ground."""

from collections.abc import Iterator, Mapping

import numpy as np

from perm.core.mission import SkillCall
from perm.skills.actor import Actor
from perm.skills.grasps import frame
from perm.skills.pose import Pose
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint

DOWN = np.array([0.0, 0.0, -1.0])
WALL_BAND = 0.012
"""Points this far under the top belong to the edge of a wall [m]."""


def drag_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield "grasp" and "end"."""
    assert call.target is not None
    corners = actor.scenery.boxes(call.object).corners
    way = (actor.scenery.point(call.target) - actor.scenery.point(call.object)) * [1, 1, 0]
    along = way / np.linalg.norm(way)
    edge = corners[corners[:, 2] > corners[:, 2].max() - WALL_BAND]
    centre = (edge.min(axis=0) + edge.max(axis=0)) / 2
    front = float(((edge - centre) @ along).max()) - params["inset"]
    pos = np.array([*(centre + front * along)[:2], corners[:, 2].max() - params["depth"]])
    for fingers in (along, -along):
        grasp = Pose(pos, frame(fingers, DOWN))
        yield {"grasp": grasp, "end": grasp.moved(way + params["beyond"] * along)}


DRAG = Skill(
    name="drag",
    waypoints=(
        Waypoint(Motion.PLAN, "grasp", back=0.10),
        Waypoint(Motion.LINE, "grasp", speed=0.6),
        Waypoint(Motion.GRIP, "grasp", closed=True),
        Waypoint(Motion.LINE, "end", speed=0.5),
        Waypoint(Motion.GRIP, "end"),
        Waypoint(Motion.LINE, "end", back=0.10),
    ),
    frames=drag_frames,
    params={"depth": 0.018, "inset": 0.007, "beyond": 0.003},
)
"""depth, inset: finger tips under the top of the wall, and inside of its outside; beyond: how much
farther than the object the hand goes [m]."""
