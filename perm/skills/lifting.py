"""How what is held is lifted off: where the first, straight part of a carry ends."""

from dataclasses import replace

import numpy as np

from perm.core.arrays import FloatArray
from perm.sim.load import Load
from perm.skills.actor import Actor
from perm.skills.care import PlanningError, why_not
from perm.skills.planning import CLEARANCE
from perm.skills.pose import Pose, line
from perm.skills.skill import Moment
from perm.skills.straight import straight

STRIDE = 0.02
"""Distance between the poses of a straight way that are looked at [m]."""
MOST_LIFT, LIFT_STEP = 0.25, 0.03
"""Highest that anything is lifted straight up, and distance between the heights tried [m]."""
ASIDE = [np.zeros(3)] + [
    0.03 * np.array([np.cos(angle), np.sin(angle), 0.0]) for angle in np.arange(8) * np.pi / 4
]
"""How far to the side what is held may be lifted where something overhangs it [m]."""


def check_lift(actor: Actor, moment: Moment, load: Load) -> None:
    """Raise PlanningError if what is held cannot be lifted: then no release needs a look."""
    lifted = moment.pose.up(actor.style.carry.lift)
    reach = actor.rehearsal.follow([(lifted.pos, lifted.rotation)], moment.joints, load, None)
    if problem := why_not(reach, actor.care):
        raise PlanningError(f"lifted {problem}")


def lifted(actor: Actor, moment: Moment, load: Load, hover: Pose) -> Pose:
    """Return where to lift what is held, before it is carried over to a pose.

    Straight up, as far as there is room all round; aside where something is over it.
    """
    up = moment.pose.up(_lift_of(actor, moment, load, hover))
    for aside in ASIDE:
        pose = up.moved(aside)
        _, reach = straight(actor, moment, pose, load)
        if not why_not(reach, actor.care):
            return pose
    return up


def _lift_of(actor: Actor, moment: Moment, load: Load, hover: Pose) -> float:
    """Return how far to lift straight up [m]: to where there is room all round.

    What is to be kept away from may ask for more, something overhead for less; who stays low looks
    for no room.
    """
    style = actor.style.carry
    if style.low:
        return style.lift
    if not style.arc:
        lift = _straight_on(actor, moment, load, hover)
        if lift is not None:
            return lift
    least = _lift_away(actor, moment, hover)
    lift = _roomiest(actor, moment, load, np.arange(least, max(least, MOST_LIFT) + 1e-9, LIFT_STEP))
    if lift is None:
        lift = _roomiest(actor, moment, load, least / np.array([4.0, 2.0]))
    return least if lift is None else lift


def _straight_on(actor: Actor, moment: Moment, load: Load, hover: Pose) -> float | None:
    """Return the least lift from which a straight way leads on with room all round, if one does."""
    joints, untouched = moment.joints, replace(load, touchable=())
    for lift in np.arange(actor.style.carry.lift, MOST_LIFT, LIFT_STEP / 2):
        lifted = moment.pose.up(float(lift))
        reach = actor.rehearsal.follow(line(moment.pose, lifted), joints, load, None)
        way = line(lifted, hover, STRIDE)
        reach = actor.rehearsal.follow(way, reach.joints[-1], untouched, CLEARANCE)
        if not why_not(reach, actor.care):
            return float(lift)
    return None


def _lift_away(actor: Actor, moment: Moment, hover: Pose) -> float:
    """Return how far to lift [m] to be so far from what is to be kept away from, if it can be."""
    style = actor.style.carry
    if style.away_from is None:
        return style.lift
    name, wanted = style.away_from
    centre = actor.scenery.point(name)
    wanted = min(wanted, float(np.linalg.norm(hover.pos - centre)))
    for lift in np.arange(style.lift, MOST_LIFT, LIFT_STEP):
        if np.linalg.norm(moment.pose.up(float(lift)).pos - centre) > wanted:
            return float(lift)
    return MOST_LIFT


def _roomiest(actor: Actor, moment: Moment, load: Load, lifts: FloatArray) -> float | None:
    """Return the first lift with room all round, or the one with most before something hits."""
    joints, untouched = moment.joints, replace(load, touchable=())
    best, most = None, 0.0
    for lift in lifts:
        lifted = moment.pose.up(float(lift))
        reach = actor.rehearsal.follow([(lifted.pos, lifted.rotation)], joints, load, None)
        joints = reach.joints[-1]
        room = actor.rehearsal.room(joints, untouched, CLEARANCE).distance
        if why_not(reach, actor.care) or room < 0:
            break
        if best is None or room > most:
            best, most = float(lift), room
        if room >= CLEARANCE:
            break
    return best
