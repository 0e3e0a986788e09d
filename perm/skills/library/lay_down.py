"""Lay down: as placing, but the hand turns about its fingers' axis until it points down.

An object that was taken from the side comes to lie that way.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from perm.core.geometry import rotation_from_vector
from perm.core.mission import SkillCall
from perm.skills.actor import Actor
from perm.skills.care import PlanningError
from perm.skills.library.place_on import PLACE_ON, frames_over
from perm.skills.lifting import check_lift
from perm.skills.pose import Pose
from perm.skills.skill import Frames, Moment, Skill

LEAST_TILT = 0.7
"""A hand that comes more steeply than this cannot lay anything down [rad]."""


def lay_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield the frames of a placement with the hand turned downwards."""
    pose = moment.pose
    tilt = float(np.arccos(np.clip(-pose.approach[2], -1.0, 1.0)))
    if tilt < LEAST_TILT:
        raise PlanningError("the hand is too steep to lay anything down")
    check_lift(actor, moment, actor.load(moment, call))
    fingers = pose.rotation[:, 0]
    sign = np.sign(float(np.cross(pose.approach, [0.0, 0.0, -1.0]) @ fingers))
    down = rotation_from_vector(sign * tilt * fingers) @ pose.rotation
    for frames in frames_over(actor, call, replace(moment, pose=Pose(pose.pos, down)), params):
        yield {**frames, "lifted": Pose(frames["lifted"].pos, pose.rotation)}


LAY_DOWN = Skill("lay_down", PLACE_ON.waypoints, lay_frames, params={"gap": 0.006})
"""gap: free height under the object when the fingers open [m]."""
