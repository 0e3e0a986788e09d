"""Close: push a drawer home with the finger tips."""

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from perm.core.mission import SkillCall
from perm.skills.actor import Actor
from perm.skills.library.push import PUSH, touch_frames
from perm.skills.skill import Frames, Moment, Skill


def close_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield the frames of a push against what sticks out most at the front of the drawer."""
    slide = actor.scenery.slide(call.object)
    along = -slide.outward
    corners = slide.boxes.corners
    depth = corners @ slide.outward
    front = corners[depth > depth.max() - 0.004]
    low, high = front.min(axis=0), front.max(axis=0)
    middle = (low + high) / 2
    distance = abs(slide.shut - slide.position) + params["beyond"]
    for tilt, height, side in product(
        (0.6, 0.45, 0.75, 0.3, 0.9), (0.0, 0.015), (0.0, 0.03, -0.03)
    ):
        wall = middle + np.array([0.0, 0.0, height]) + side * np.cross(along, [0.0, 0.0, 1.0])
        yield from touch_frames(wall, along, distance, tilt, params["off"])


CLOSE = Skill("close", PUSH.waypoints, close_frames, params={"off": 0.015, "beyond": 0.0})
"""off: distance of the finger tips from the drawer before; beyond: how much farther than the drawer
the finger tips go [m]."""
