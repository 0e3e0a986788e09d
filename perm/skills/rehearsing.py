"""Goes through skill calls before anything moves, and chooses frames that will do."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from perm.core.arrays import FloatArray
from perm.core.mission import SkillCall
from perm.sim.load import Load
from perm.sim.rehearsal import Reach
from perm.skills.actor import Actor
from perm.skills.care import CAREFUL, CARES, PlanningError, why_not
from perm.skills.catalogue import skill_for
from perm.skills.moments import arrived, gripped, taken_along
from perm.skills.planning import plan
from perm.skills.pose import Path, Pose, join, line, round_corners
from perm.skills.skill import Frames, Moment, Motion, Skill, Waypoint
from perm.skills.straight import TOUCHING, straight
from perm.skills.ways import ways

MAX_CANDIDATES = 1000
MAX_DEAD_ENDS = 4
"""After so many grasps from which a placement cannot go on, the placement itself is the problem."""
MAX_TRIES = 12
"""So many ways to do a call are gone through in full."""
COARSE = 0.06
"""Distance between poses that is enough to see where the arm ends up [m]."""
CORNER = 0.03
"""How far a rounded corner begins before it [m]."""
TURNING, OFF_WAY = 0.3, 0.02
"""Turn on the way to a corner from which on a hand that does not rest there is off its way [rad],
and how far (measured) [m]."""


@dataclass(frozen=True)
class Leg:
    """A part of a skill: a motion from rest to rest, or the fingers.

    Attributes:
        waypoint: Where it ends.
        path: How the hand goes; None for the fingers.
    """

    waypoint: Waypoint
    path: Path | None


@dataclass(frozen=True)
class Rehearsed:
    """A skill call that will do.

    Attributes:
        frames: Where its waypoints are.
        legs: What to do.
        start: How things stood before.
        end: How things stand then.
    """

    frames: Frames
    legs: tuple[Leg, ...]
    start: Moment
    end: Moment


def choose(actor: Actor, calls: Sequence[SkillCall], moment: Moment) -> Rehearsed:
    """Return the first call gone through with frames that the next ones can go on from.

    Raises:
        PlanningError: With none of the frames; says what most often was in the way.
    """
    causes = Counter[str]()
    skill, params = skill_of(actor, calls[0])
    # What was chosen with care may come out a little worse and still be good enough.
    for actor.care in CARES:
        try:
            return _first_good(actor, skill, calls, moment, params, causes)
        except PlanningError as error:
            causes[str(error)] += 1
    raise PlanningError(causes.most_common(1)[0][0])


def _first_good(
    actor: Actor,
    skill: Skill,
    calls: Sequence[SkillCall],
    moment: Moment,
    params: Mapping[str, float],
    causes: Counter[str],
) -> Rehearsed:
    """Return the same with the care that the actor takes now; count what is in the way."""
    dead_ends = tries = 0
    for frames in islice(skill.frames(actor, calls[0], moment, params), MAX_CANDIDATES):
        if dead_ends == MAX_DEAD_ENDS or tries == MAX_TRIES:
            break
        try:
            end = glance(actor, skill, calls[0], frames, moment)
        except PlanningError as error:
            causes[str(error)] += 1
            continue
        try:
            if len(calls) > 1 and end.held is not None:
                look_ahead(actor, calls[1], end)
        except PlanningError as error:
            causes[str(error)] += 1
            dead_ends += 1
            continue
        try:
            tries += 1
            return rehearse(actor, skill, calls[0], frames, moment)
        except PlanningError as error:
            causes[str(error)] += 1
    raise PlanningError("offers no place for the hand")


def skill_of(actor: Actor, call: SkillCall) -> tuple[Skill, Mapping[str, float]]:
    """Return a call's skill, or the one that the style has in its place, with its parameters."""
    skill = skill_for(call, actor.style)
    return skill, skill.params_for(actor.scenery.category(actor.scenery.owner(call.object)))


def look_ahead(actor: Actor, call: SkillCall, moment: Moment) -> None:
    """Raise PlanningError unless a call could go on from a moment, as far as a glance tells."""
    skill, params = skill_of(actor, call)
    cause = "offers no place for the hand"
    for frames in islice(skill.frames(actor, call, moment, params), MAX_CANDIDATES):
        try:
            glance(actor, skill, call, frames, moment)
        except PlanningError as error:
            cause = f"{call.skill} then {error}"
        else:
            return
    raise PlanningError(cause)


def glance(actor: Actor, skill: Skill, call: SkillCall, frames: Frames, moment: Moment) -> Moment:
    """Return how things would stand after a call, looking at its waypoints only.

    Raises:
        PlanningError: One of them is out of reach or touches something.
    """
    for waypoint in skill.waypoints:
        if waypoint.motion is Motion.GRIP:
            moment = gripped(actor, waypoint, call, moment)
            if between := actor.rehearsal.caught(moment.joints, actor.load(moment, call)):
                raise PlanningError(f"{waypoint.frame} would take {between} along")
            continue
        moment = taken_along(actor, waypoint, call, moment)
        goal, load = waypoint.pose(frames), actor.load(moment, call)
        poses = line(moment.pose, goal, COARSE)
        way = actor.rehearsal.follow(poses, moment.joints, load, None)
        room = actor.care.room
        there = actor.rehearsal.follow([(goal.pos, goal.rotation)], way.joints[-1], load, room)
        if problem := why_not(there, actor.care):
            raise PlanningError(f"{waypoint.frame} {problem}")
        moment = replace(moment, pose=goal, joints=there.joints[-1])
        moment = arrived(actor, waypoint, call, moment)
    return moment


def rehearse(
    actor: Actor, skill: Skill, call: SkillCall, frames: Frames, moment: Moment
) -> Rehearsed:
    """Return a call with every motion in it planned and followed by the arm.

    Raises:
        PlanningError: One of them cannot be.
    """
    legs, begin = [], moment
    for stretch in _stretches(skill.waypoints, actor.style.motion.pause == 0):
        if stretch[0].motion is Motion.GRIP:
            moment = gripped(actor, stretch[0], call, moment)
            legs.append(Leg(stretch[0], None))
            continue
        moment = taken_along(actor, stretch[0], call, moment)
        found, moment = _legs(actor, stretch, call, frames, moment)
        legs += found
        moment = arrived(actor, stretch[0], call, moment)
    return Rehearsed(frames, tuple(legs), begin, moment)


def _legs(
    actor: Actor, stretch: Sequence[Waypoint], call: SkillCall, frames: Frames, moment: Moment
) -> tuple[list[Leg], Moment]:
    """Return the motions through a stretch: one, or one a waypoint where the hand needs a rest."""
    load, start, paths = actor.load(moment, call), moment, list[Path]()
    stretched = narrow = False
    for k, waypoint in enumerate(stretch):
        path, joints = _way(actor, waypoint, call, frames, moment)
        if k > 0 and not stretch[k - 1].joined and sum(paths[-1].turns) > TURNING:
            stretched |= bool(why_not(_along(actor, path, moment, load, None), CAREFUL))
            narrow |= bool(_along(actor, path, moment, load, OFF_WAY).problem)
        paths.append(path)
        moment = replace(moment, pose=path.end, joints=joints)
    # In haste, a stretched arm swings straight, and is lost.
    pace = 0.75 if stretched else 1.0
    calm = [replace(waypoint, speed=pace * waypoint.speed) for waypoint in stretch]
    if narrow:
        return [Leg(*leg) for leg in zip(calm, paths, strict=True)], moment
    return [Leg(calm[-1], _rounded(actor, join(paths), start, load))], moment


def _along(actor: Actor, path: Path, moment: Moment, load: Load, room: float | None) -> Reach:
    """Return how the arm follows a path, with so much room around it."""
    poses = zip(path.pos, path.rotation, strict=True)
    return actor.rehearsal.follow(poses, moment.joints, load, room)


def _stretches(waypoints: Sequence[Waypoint], restless: bool) -> Iterator[list[Waypoint]]:
    """Yield the waypoints that are passed without a rest together, fingers alone.

    The restless rest for the fingers only.
    """
    stretch: list[Waypoint] = []
    for waypoint, following in zip_longest(waypoints, waypoints[1:]):
        stretch.append(waypoint)
        moves = following is not None and Motion.GRIP not in (waypoint.motion, following.motion)
        if not waypoint.joined and not (restless and moves):
            yield stretch
            stretch = []


def _way(
    actor: Actor, waypoint: Waypoint, call: SkillCall, frames: Frames, moment: Moment
) -> tuple[Path, FloatArray]:
    """Return the path to a waypoint and the arm at its end."""
    goal, load = waypoint.pose(frames), actor.load(moment, call)
    if waypoint.motion is Motion.PLAN:
        return _planned(actor, moment, goal, replace(load, touchable=(), taken=""))
    path, reach = straight(actor, moment, goal, load)
    if problem := why_not(reach, actor.care):
        raise PlanningError(f"straight to {waypoint.frame} {problem}")
    return path, reach.joints[-1]


def _planned(actor: Actor, moment: Moment, goal: Pose, load: Load) -> tuple[Path, FloatArray]:
    """Return the way that the style has in mind, or a planned one as near to it as can be."""
    seed, cause = actor.next_seed("plan"), PlanningError("")
    for curve in ways(actor, moment, goal):
        try:
            path, reach = plan(actor.rehearsal, curve, moment.joints, load, actor.care, seed)
        except PlanningError as error:
            cause = error
        else:
            return path, reach.joints[-1]
    raise cause


def _rounded(actor: Actor, path: Path, start: Moment, load: Load) -> Path:
    """Return a path without sharp corners, where there is room for that."""
    smooth = round_corners(path, CORNER)
    reach = actor.rehearsal.follow(smooth, start.joints, load, -2 * TOUCHING)
    return path if why_not(reach, actor.care) else smooth
