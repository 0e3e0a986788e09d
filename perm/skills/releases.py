"""Where a held object can be let go: candidates over a target, the most natural first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from perm.core.arrays import FloatArray
from perm.sim.load import Load
from perm.skills.actor import Actor
from perm.skills.care import BOLD, why_not
from perm.skills.landings import UNDER_WALLS, Landing, comes_to_lie
from perm.skills.planning import CLEARANCE
from perm.skills.pose import Pose, line
from perm.skills.skill import Moment

COARSE = 0.06
"""Distance between poses that is enough to see where the arm ends up [m]."""
HEIGHTS = (0.0, 0.01, 0.02, *np.arange(0.03, 0.30, 0.03))
"""How far over the lowest release others are tried [m]."""
ROOM_ABOVE, ROOM_LOW = 0.012, 0.004
"""Room all round where the descent begins [m]: usually, and for who stays low."""
HOVER = 0.05
"""How far over the release the descent begins at least [m]."""
MOST_RAISED, LOW_RAISED = 0.14, 0.06
"""Highest release over the surface that still counts as putting something there, and for who stays
low [m]."""
LOW_HOVER = 0.06
"""Farthest over the release that the descent begins for who stays low [m]."""
OVER_WALLS = 0.02
"""How far over a container's top the lowest point of what is carried passes [m]."""
NEAR = 5
"""So many landings are near the middle of a target; others are for the bold."""
MOST_TURNED = 1.6
"""Largest turn that is tried beside the middle of a target [rad]."""
BETWEEN_WALLS = 0.02
"""Height over the release at which the room between walls is measured [m]."""
SPREADING = 0.002
"""How deep open fingers may be in what stands beside them: they stop at it [m]."""
FALLS = (0.0, 0.02, 0.05)
"""Heights over the surface at which it is seen whether something fits between walls [m]."""
SHIFTS = sorted(
    (np.array([x, y, 0.0]) for x, y in product(np.linspace(-0.012, 0.012, 5), repeat=2)),
    key=lambda shift: float(np.linalg.norm(shift)),
)
"""How far from the middle of a landing something may be put where it fits only there [m]."""
MOST_FALLS = 6
"""So many high releases are looked at, the lowest, for how things would fall from them."""
FALL_ROOM = 0.003
"""Distance to everything else that something should have on its way down [m]."""
LOW_ENOUGH = 0.02
"""A release no higher over the surface than this is as good as any [m]."""


@dataclass(frozen=True)
class Release:
    """A way to let go.

    Attributes:
        pose: Of the hand when the fingers open.
        hover: How far over it the descent begins [m].
        turn: Of the hand, against how it took the object [rad].
        raised: How much higher than it need be [m].
    """

    pose: Pose
    hover: float
    turn: float
    raised: float


def releases(
    actor: Actor,
    landings: Sequence[Landing],
    rotations: Sequence[tuple[float, FloatArray]],
    moment: Moment,
    load: Load,
) -> Iterator[Release]:
    """Yield the ways to let go, those near the surface first, the others the lowest first.

    Of the others, first those from where the object would fall and lie as it was held; who takes
    care lets go nowhere else over what stands fast.

    Args:
        actor: Who does it.
        landings: What goes where, the best first.
        rotations: Turns [rad] and rotations (3, 3) of the hand to try, in this order.
        moment: How things stand when the object is in the hand.
        load: The same, and what may be touched.
    """
    bold = actor.care == BOLD
    for nearness in (slice(0, NEAR), slice(NEAR, None))[: 1 + bold]:
        later = []
        for landing, (turn, rotation) in product(landings[nearness], rotations):
            if landing is not landings[0] and abs(turn) > MOST_TURNED:
                continue
            over = landing.within + UNDER_WALLS + OVER_WALLS - landing.surface
            # What falls into a loose thing finds its place, as in a bowl.
            careful = not bold and landing.within == -np.inf
            joints = _reached(actor, landing.pose(rotation), moment, load)
            if joints is None:
                continue
            lowest = _between_walls(actor, landing.pose(rotation), load)
            found = _climb(actor, lowest or landing.pose(rotation), turn, joints, load, over)
            if found is None:
                continue
            release, joints = found
            between = landing.surface + release.raised < landing.within
            if not between and release.raised > LOW_ENOUGH:
                later.append((landing, release, joints))
                continue
            best = _best(actor, release, joints, load)
            doubtful = not between and lowest is None and careful
            if best and not (doubtful and not _falls_well(actor, best.pose, landing, load)):
                yield best
        hard = []
        later.sort(key=lambda one: one[1].raised)
        for landing, release, joints in later[:MOST_FALLS]:
            best = _best(actor, release, joints, load)
            if best and _falls_well(actor, best.pose, landing, load):
                yield best
            elif best:
                hard.append(best)
        if bold or any(landing.within > -np.inf for landing in landings):
            yield from hard


def _climb(
    actor: Actor,
    lowest: Pose,
    turn: float,
    joints: FloatArray,
    load: Load,
    over: float,
) -> tuple[Release, FloatArray] | None:
    """Return the lowest release from which the way up is free, to where there is room all round.

    That is not under `over` above the lowest [m]. With it come the arm's joints up there (7,)
    [rad].
    """
    raised = None
    untouched = replace(load, touchable=())
    low = actor.style.carry.low
    enough = ROOM_LOW if low else ROOM_ABOVE
    most = LOW_RAISED if low else MOST_RAISED
    for height in HEIGHTS:
        pose = lowest.up(float(height))
        reach = actor.rehearsal.follow([(pose.pos, pose.rotation)], joints, load)
        joints = reach.joints[-1]
        if why_not(reach, actor.care) or not _opens(actor, pose, joints, load):
            raised = None
            if height > most:
                return None
            continue
        raised = float(height) if raised is None else raised
        if raised > most:
            return None
        room = actor.rehearsal.room(joints, untouched, enough).distance
        hover = max(float(height) - raised, HOVER)
        if low and hover > LOW_HOVER:
            return None
        if room >= enough and height >= over:
            return Release(lowest.up(raised), hover, turn, raised), joints
    return None


def _reached(actor: Actor, lowest: Pose, moment: Moment, load: Load) -> FloatArray | None:
    """Return the arm at a release (7,) [rad]; None if it cannot be there nor over it.

    What it touches there does not matter.
    """
    way = actor.rehearsal.follow(line(moment.pose, lowest, COARSE), moment.joints, load, None)
    end: FloatArray = way.joints[-1]
    joints = end
    for height in HEIGHTS:
        pose = lowest.up(float(height))
        reach = actor.rehearsal.follow([(pose.pos, pose.rotation)], joints, load, None)
        joints = reach.joints[-1]
        if not why_not(reach, actor.care):
            return end
    return None


def _best(actor: Actor, release: Release, joints: FloatArray, load: Load) -> Release | None:
    """Return a release between the walls beside it, or as it is; None if the hand gets not there.

    Args:
        actor: Who does it.
        release: What is meant.
        joints: Of the arm where the descent begins (7,) [rad].
        load: What is in the hand.
    """
    for pose in (_centred(actor, release.pose, joints, load), release.pose):
        if _comes_and_goes(actor, pose, release.hover, joints, load):
            return replace(release, pose=pose)
    return None


def _comes_and_goes(actor: Actor, pose: Pose, hover: float, joints: FloatArray, load: Load) -> bool:
    """Return whether the hand can come down to a release and, open, leave it as it came."""
    down, up = line(pose.up(hover), pose), line(pose, pose.up(hover))
    reach = actor.rehearsal.follow(down, joints, load)
    if why_not(reach, actor.care):
        return False
    left = actor.rehearsal.follow(up, reach.joints[-1], _emptied(load, pose), -2 * SPREADING)
    return not why_not(left, actor.care)


def _emptied(load: Load, pose: Pose) -> Load:
    """Return the load when what was held is let go with the hand at a pose."""
    held = load.held
    assert held is not None
    put = (held.name, *held.pose(pose.pos, pose.rotation))
    return replace(load, held=None, moved=(*load.moved, put))


def _opens(actor: Actor, pose: Pose, joints: FloatArray, load: Load) -> bool:
    """Return whether the fingers have room to let go."""
    return actor.rehearsal.room(joints, _emptied(load, pose), 0.0).distance > -SPREADING


def _between_walls(actor: Actor, lowest: Pose, load: Load) -> Pose | None:
    """Return a release moved sideways to where the object fits on its last way down, if it does."""
    tight = None
    for shift in SHIFTS:
        pose = lowest.moved(shift)
        if _passes(actor, pose, load, 0.0):
            if _passes(actor, pose, load, FALL_ROOM):
                return pose
            tight = tight or pose
    return tight


def _passes(
    actor: Actor, pose: Pose, load: Load, room: float, heights: Sequence[float] = FALLS
) -> bool:
    """Return whether what is held fits at some heights over a release, with so much room."""
    return all(_fits(actor, pose.up(height), load, room) for height in heights)


def _falls_well(actor: Actor, pose: Pose, landing: Landing, load: Load) -> bool:
    """Return whether what is let go lies well, and passes everything on its way down to there."""
    falls = _passes(actor, pose, load, 0.0, FALLS[1:])
    return falls and comes_to_lie(actor, pose, landing, load)


def _fits(actor: Actor, pose: Pose, load: Load, room: float) -> bool:
    """Return whether what is held could be where it is with the hand there, with so much room."""
    assert load.held is not None
    return actor.rehearsal.fits(*load.held.pose(pose.pos, pose.rotation), load, room)


def _centred(actor: Actor, release: Pose, joints: FloatArray, load: Load) -> Pose:
    """Return a release moved sideways to where walls beside it are farthest away."""
    untouched = replace(load, touchable=())

    def room(shift: FloatArray) -> float:
        pose = release.moved(shift).up(BETWEEN_WALLS)
        way = actor.rehearsal.follow([(pose.pos, pose.rotation)], joints, untouched, None)
        return actor.rehearsal.room(way.joints[-1], untouched, CLEARANCE).distance

    if room(np.zeros(3)) >= CLEARANCE:
        return release
    ticks = np.array([0.0, 0.005, -0.005, 0.010, -0.010])
    shifts = [np.array([x, y, 0.0]) for x, y in product(ticks, ticks)]
    return release.moved(max(shifts, key=room))
