"""Where a held object can be let go: candidates over a target, the most natural first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from perm.core.arrays import FloatArray
from perm.sim.load import Load
from perm.skills.actor import Actor
from perm.skills.care import why_not
from perm.skills.fitting import between_walls, centred, falls_well
from perm.skills.landings import UNDER_WALLS, Landing
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
SPREADING = 0.002
"""How deep open fingers may be in what stands beside them: they stop at it [m]."""
MOST_FALLS = 6
"""So many high releases are looked at, the lowest, for how things would fall from them."""
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
    bold = actor.care.bold
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
            lowest = between_walls(actor, landing.pose(rotation), load)
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
            if best and not (doubtful and not falls_well(actor, best.pose, landing, load)):
                yield best
        hard = []
        later.sort(key=lambda one: one[1].raised)
        for landing, release, joints in later[:MOST_FALLS]:
            best = _best(actor, release, joints, load)
            if best and falls_well(actor, best.pose, landing, load):
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
    enough = ROOM_LOW if actor.style.carry.low else ROOM_ABOVE
    # Over a wall nobody stays low.
    low = actor.style.carry.low and over <= LOW_RAISED + LOW_HOVER
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
    for pose in (centred(actor, release.pose, joints, load), release.pose):
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
