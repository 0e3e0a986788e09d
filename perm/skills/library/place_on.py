"""Place on: carry what is held over a target, let it down and let go."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes
from perm.core.task import SkillCall
from perm.sim.load import Load
from perm.skills.actor import Actor
from perm.skills.care import PlanningError, why_not
from perm.skills.landings import landings_of, turned
from perm.skills.planning import CLEARANCE
from perm.skills.pose import Pose, line
from perm.skills.releases import Release, releases
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint


def release_frames(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield "lifted", "hover", "above" (turned as for the release) and "release"."""
    check_lift(actor, moment, actor.load(moment, call))
    yield from frames_over(actor, call, moment, params)


def frames_over(
    actor: Actor, call: SkillCall, moment: Moment, params: Mapping[str, float]
) -> Iterator[Frames]:
    """Yield the same without looking whether the object can be lifted."""
    held, scenery = moment.held, actor.scenery
    assert held is not None
    assert call.target is not None
    landings = landings_of(actor, call.target, held, params["gap"])
    if actor.style.carry.away_from is not None:
        centre = scenery.point(actor.style.carry.away_from[0])[:2]
        landings.sort(key=lambda landing: -float(np.linalg.norm(landing.point - centre)))
    load = actor.load(moment, call)
    owner = scenery.owner(call.target)
    target = scenery.boxes(owner) if owner in scenery.names else None
    rotations = turned(moment.pose.rotation, in_hand(actor, moment), target)
    for release in releases(actor, landings, rotations, moment, load):
        for hover in _hovers(actor, release):
            yield {
                "lifted": moment.pose.up(lift_of(actor, moment, load, hover)),
                "hover": hover,
                "above": release.pose.up(release.hover),
                "release": release.pose,
            }


def check_lift(actor: Actor, moment: Moment, load: Load) -> None:
    """Raise PlanningError if what is held cannot be lifted: then no release needs a look."""
    lifted = moment.pose.up(actor.style.carry.lift)
    reach = actor.rehearsal.follow([(lifted.pos, lifted.rotation)], moment.joints, load, None)
    if problem := why_not(reach, actor.care):
        raise PlanningError(f"lifted {problem}")


def in_hand(actor: Actor, moment: Moment) -> Boxes:
    """Return the shape of what is held, where it is at a moment."""
    held = moment.held
    assert held is not None
    pos, rotation = actor.scenery.pose(held.name)
    boxes = actor.scenery.boxes(held.name)
    turn = moment.pose.rotation @ held.rotation @ rotation.T
    there = moment.pose.pos + moment.pose.rotation @ held.pos
    return Boxes(there + (boxes.centre - pos) @ turn.T, turn @ boxes.rotation, boxes.half)


def _hovers(actor: Actor, release: Release) -> Iterator[Pose]:
    """Yield where the descent begins: turned against the release if the style turns there."""
    above, turn = release.pose.up(release.hover), actor.style.place.turn
    if not turn:
        yield above
        return
    for sign in sorted((1.0, -1.0), key=lambda sign: abs(release.turn - sign * turn)):
        yield above.turned(-sign * turn)


def lift_of(actor: Actor, moment: Moment, load: Load, hover: Pose) -> float:
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


STRIDE = 0.02
"""Distance between the poses of a straight way that are looked at [m]."""
MOST_LIFT, LIFT_STEP = 0.25, 0.03
"""Highest that anything is lifted straight up, and distance between the heights tried [m]."""

PLACE_ON = Skill(
    name="place_on",
    waypoints=(
        Waypoint(Motion.LINE, "lifted", joined=True),
        Waypoint(Motion.PLAN, "hover"),
        Waypoint(Motion.LINE, "above", joined=True),
        Waypoint(Motion.LINE, "release", speed=0.8, aimed=True),
        Waypoint(Motion.GRIP, "release"),
        Waypoint(Motion.LINE, "release", back=0.10),
    ),
    frames=release_frames,
    params={"gap": 0.004},
)
"""gap: free height under the object when the fingers open [m]."""
