"""Slide in: carry what is held in front of an opening, go in level, let go, come out again."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.mission import SkillCall
from perm.skills.actor import Actor
from perm.skills.care import PlanningError, why_not
from perm.skills.landings import landings_of
from perm.skills.library.place_on import in_hand
from perm.skills.lifting import check_lift, lifted
from perm.skills.pose import Pose, line
from perm.skills.releases import COARSE
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint

OUT = 0.10
"""Way of a steep hand against its approach after it has let go [m]."""
GRID = 9
"""Places along each side of the area that the landings of a target span."""
STEEPEST = 0.6
"""Share of the approach that has to be level for a hand to go in sideways."""


def slide_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield "lifted", "front" (before the opening), "release" and "out"."""
    load, (level, points) = actor.load(moment, call), _level(actor, moment)
    check_lift(actor, moment, load)
    for release in _releases(actor, call, moment, params):
        front = release.moved(-params["way"] * level)
        yield {
            "lifted": lifted(actor, moment, load, front),
            "front": front,
            "release": release,
            "out": front if points else release.back(OUT),
        }


def _level(actor: Actor, moment: Moment) -> tuple[FloatArray, bool]:
    """Return the direction of the way in, (3,), and whether it is where the hand points.

    Else the object sticks out from the hand that way, as a pan that is held by its handle.

    Raises:
        PlanningError: The hand is steep, and what it holds is under it.
    """
    pointing, held = moment.pose.approach, in_hand(actor, moment).corners
    sticks_out = (held.min(axis=0) + held.max(axis=0)) / 2 - moment.pose.pos
    for forward in (pointing, sticks_out):
        level = forward * [1.0, 1.0, 0.0]
        share = float(np.linalg.norm(level))
        if share >= STEEPEST * float(np.linalg.norm(forward)):
            return np.asarray(level / share), forward is pointing
    raise PlanningError("the hand is too steep to slide anything in")


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
        Waypoint(Motion.LINE, "out", speed=0.6),
    ),
    frames=slide_frames,
    params={"way": 0.16, "gap": 0.01, "most_gap": 0.07},
)
"""way: how far from the release the level way in begins; gap, most_gap: free height under the
object when the fingers open, at least and at most [m]."""
