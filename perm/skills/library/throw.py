"""Throw: let go over a target while moving on, from higher than one puts things down."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from perm.core.mission import SkillCall
from perm.sim.load import Load
from perm.skills.actor import Actor
from perm.skills.care import why_not
from perm.skills.landings import comes_to_lie, landings_of, turned
from perm.skills.library.place_on import in_hand
from perm.skills.lifting import lifted
from perm.skills.planning import CLEARANCE
from perm.skills.pose import Path, Pose, line
from perm.skills.releases import COARSE, NEAR
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint

GRAVITY = 9.81
RUN_UP, RUN_OUT = 0.10, 0.08
"""Way of the hand before and after the release [m]."""
STEP = 0.03
"""Distance between the poses of a run that are looked at [m]."""


def throw_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield "lifted", "windup" and "beyond", low throws first."""
    held, style = moment.held, actor.style
    assert held is not None
    assert call.target is not None
    owner, load = actor.scenery.owner(call.target), actor.load(moment, call)
    target = actor.scenery.boxes(owner) if owner in actor.scenery.names else None
    falls = np.arange(params["fall"], params["most_fall"], 0.02)
    for fall, spot in product(falls, range(NEAR)):
        landing = landings_of(actor, call.target, held, float(fall))[spot]
        way = landing.point - (moment.pose.pos + moment.pose.rotation @ held.pos)[:2]
        along = np.array([*(way / np.linalg.norm(way)), 0.0])
        flight = np.sqrt(2 * fall / GRAVITY) + params["lag"]
        early = style.motion.speed * flight * along
        for _, rotation in turned(moment.pose.rotation, in_hand(actor, moment), target)[:5]:
            release = landing.pose(rotation).moved(-early)
            windup, beyond = release.moved(-RUN_UP * along), release.moved(RUN_OUT * along)
            if not _is_clear(actor, moment, load, line(windup, beyond, STEP)):
                continue
            lost = release.moved(style.motion.speed * params["lag"] * along)
            thrown = style.motion.speed * along
            # What stands fast does not give way: there it matters how something comes to lie.
            fast = landing.within == -np.inf and not actor.care.bold
            if fast and not comes_to_lie(actor, lost, landing, load, thrown):
                continue
            yield {
                "lifted": lifted(actor, moment, load, windup),
                "windup": windup,
                "beyond": beyond,
            }


def _is_clear(actor: Actor, moment: Moment, load: Load, run: Path) -> bool:
    """Return whether a run keeps well over the walls that what is thrown is to fall behind."""
    way = line(moment.pose, Pose(run.pos[0], run.rotation[0]), COARSE)
    joints = actor.rehearsal.follow(way, moment.joints, load, None).joints[-1]
    reach = actor.rehearsal.follow(run, joints, replace(load, touchable=()), CLEARANCE)
    return not why_not(reach, actor.care)


THROW = Skill(
    name="throw",
    waypoints=(
        Waypoint(Motion.LINE, "lifted", joined=True),
        Waypoint(Motion.PLAN, "windup"),
        Waypoint(Motion.LINE, "beyond", opens=RUN_OUT),
        Waypoint(Motion.GRIP, "beyond"),
        Waypoint(Motion.LINE, "beyond", back=0.05),
    ),
    frames=throw_frames,
    params={"fall": 0.06, "most_fall": 0.2, "lag": 0.26},
)
"""fall, most_fall: free height under the object when the fingers open, at least and at most [m];
lag: time from when the fingers are told to open until they have let go (measured) [s]."""
