"""Open: take the handle of a drawer and pull."""

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from perm.core.mission import SkillCall
from perm.skills.actor import Actor
from perm.skills.grasps import frame
from perm.skills.pose import Pose, turn_z
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint

UP = np.array([0.0, 0.0, 1.0])
YAWS = (0.0, 0.35, -0.35, 0.7, -0.7)
"""Turns off the way in which it opens, where something stands before it [rad]."""
SHIFTS = (0.0, 0.6, -0.6)
"""Places on the handle off its middle, as shares of half its length."""
TILTS = (1.57, 1.3, 1.1)
"""From the vertical [rad]."""
DEPTHS = (0.0, 0.006)
"""How far before the middle of the handle the fingers close [m]."""


def open_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield "grasp" on the handle, fingers over and under it, and "end"."""
    slide = actor.scenery.slide(call.object)
    boxes, outward = slide.boxes, slide.outward
    bar = int(np.argmax(boxes.centre @ outward))
    along = np.cross(UP, outward)
    length = float(np.abs(boxes.rotation[bar].T @ along) @ boxes.half[bar])
    way = abs(slide.wide - slide.position) + params["beyond"]
    for yaw, shift, tilt, depth, swap in product(YAWS, SHIFTS, TILTS, DEPTHS, (1.0, -1.0)):
        approach = -turn_z(yaw) @ outward * np.sin(tilt) - UP * np.cos(tilt)
        middle = boxes.centre[bar] + shift * length * along
        grasp = Pose(middle - depth * approach, frame(swap * UP, approach))
        yield {"grasp": grasp, "end": grasp.moved(way * outward)}


OPEN = Skill(
    name="open",
    waypoints=(
        Waypoint(Motion.PLAN, "grasp", back=0.10),
        Waypoint(Motion.LINE, "grasp", speed=0.6),
        Waypoint(Motion.GRIP, "grasp", closed=True),
        Waypoint(Motion.LINE, "end", speed=0.6, moves=True),
        Waypoint(Motion.GRIP, "end"),
        Waypoint(Motion.LINE, "end", back=0.08),
    ),
    frames=open_frames,
    params={"beyond": 0.0},
)
"""beyond: how much farther than the drawer goes the hand pulls [m]."""
