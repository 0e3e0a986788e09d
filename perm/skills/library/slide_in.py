"""Slide in: carry what is held in front of an opening, go in level, let go, come back out level."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.task import SkillCall
from perm.skills.actor import Actor
from perm.skills.care import PlanningError, why_not
from perm.skills.landings import landings_of
from perm.skills.lifting import check_lift, lifted
from perm.skills.pose import Pose, line
from perm.skills.releases import COARSE
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint

GRID = 9
"""Places along each side of the area that the landings of a target span."""
STEEPEST = 0.6
"""Share of the approach that has to be level for a hand to go in sideways."""


def slide_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield "lifted", "front" (before the opening) and "release"."""
    level = moment.pose.approach * [1.0, 1.0, 0.0]
    share = float(np.linalg.norm(level))
    if share < STEEPEST:
        raise PlanningError("the hand is too steep to slide anything in")
    load = actor.load(moment, call)
    check_lift(actor, moment, load)
    for release in _releases(actor, call, moment, params):
        front = release.moved(-params["way"] / share * level)
        yield {
            "lifted": lifted(actor, moment, load, front),
            "front": front,
            "release": release,
        }


def _releases(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Pose]:
    """Yield where the hand can be with what it holds in the target, near its middle and low."""
    assert moment.held is not None
    assert call.target is not None
    load, rotation = actor.load(moment, call), moment.pose.rotation
    landings = landings_of(actor, call.target, moment.held, params["gap"])
    middle, spread = landings[0], np.ptp([landing.point for landing in landings], axis=0) / 2
    gaps = np.arange(params["gap"], params["most_gap"], params["gap"])
    spots = sorted(product(_grid(spread), gaps), key=lambda spot: np.hypot(*spot[0]) + spot[1])
    there = line(moment.pose, middle.pose(rotation), COARSE)
    joints = actor.rehearsal.follow(there, moment.joints, load, None).joints[-1]
    for offset, gap in spots:
        pose = replace(middle, point=middle.point + offset, gap=float(gap)).pose(rotation)
        if not why_not(actor.rehearsal.follow([(pose.pos, rotation)], joints, load), actor.care):
            yield pose


def _grid(spread: FloatArray) -> list[FloatArray]:
    """Return offsets (2,) round a middle whose landings are so far off it, (2,) [m]."""
    shares = np.linspace(-1.0, 1.0, GRID)
    return [spread * offset for offset in product(shares, shares)]


SLIDE_IN = Skill(
    name="slide_in",
    waypoints=(
        Waypoint(Motion.LINE, "lifted", joined=True),
        Waypoint(Motion.PLAN, "front"),
        Waypoint(Motion.LINE, "release", speed=0.6, aimed=True),
        Waypoint(Motion.GRIP, "release"),
        Waypoint(Motion.LINE, "front", speed=0.6),
    ),
    frames=slide_frames,
    params={"way": 0.16, "gap": 0.01, "most_gap": 0.07},
)
"""way: how far from the release the level way in begins; gap, most_gap: free height under the
object when the fingers open, at least and at most [m]."""
