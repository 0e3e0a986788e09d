"""Where a held object can be let go: candidates over a target, the most natural first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from perm.core.arrays import FloatArray
from perm.sim.load import Load
from perm.skills.actor import Actor
from perm.skills.care import CAREFUL, why_not
from perm.skills.landings import UNDER_WALLS, Landing
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
MOST_RAISED = 0.14
"""Highest release over the surface that still counts as putting something there [m]."""
OVER_WALLS = 0.02
"""How far over a container's top the lowest point of what is carried passes [m]."""
NEAR = 5
"""So many landings are near the middle of a target; others are for when none of these will do."""
MOST_TURNED = 1.6
"""Largest turn that is tried beside the middle of a target [rad]."""
BETWEEN_WALLS = 0.02
"""Height over the release at which the room between walls is measured [m]."""
SPREADING = 0.004
"""How deep open fingers may be in what stands beside them: they stop at it [m]."""
FALLS = (0.0, 0.02, 0.05)
"""Heights over the surface at which it is seen whether something fits between walls [m]."""
SHIFTS = sorted(
    (np.array([x, y, 0.0]) for x, y in product(np.linspace(-0.012, 0.012, 7), repeat=2)),
    key=lambda shift: float(np.linalg.norm(shift)),
)
"""How far from the middle of a landing something may be put where it fits only there [m]."""
FALL_ROOM = 0.0
"""Distance to everything else that something needs on its way down [m]."""
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
        falls: Whether nothing is in the object's way down.
    """

    pose: Pose
    hover: float
    turn: float
    raised: float
    falls: bool


def releases(
    actor: Actor,
    landings: Sequence[Landing],
    rotations: Sequence[tuple[float, FloatArray]],
    moment: Moment,
    load: Load,
) -> Iterator[Release]:
    """Yield the ways to let go, those near the surface first, the others the lowest first.

    Of the others, first those from where the object falls to the surface without hitting anything;
    who takes care lets go nowhere else over what stands fast.

    Args:
        actor: Who does it.
        landings: What goes where, the best first.
        rotations: Turns [rad] and rotations (3, 3) of the hand to try, in this order.
        moment: How things stand when the object is in the hand.
        load: The same, and what may be touched.
    """
    for nearness in (slice(0, NEAR), slice(NEAR, None)):
        later = []
        for landing, (turn, rotation) in product(landings[nearness], rotations):
            if landing is not landings[0] and abs(turn) > MOST_TURNED:
                continue
            over = landing.within + UNDER_WALLS + OVER_WALLS - landing.surface
            # What falls into a loose thing finds its place, as in a bowl.
            careful = actor.care == CAREFUL and landing.within == -np.inf
            lowest = _between_walls(actor, landing.pose(rotation), load)
            if lowest is None and careful:
                continue
            lowest = lowest or landing.pose(rotation)
            release = _climb(actor, lowest, turn, moment, load, over)
            if release is None:
                continue
            if release.raised <= LOW_ENOUGH or landing.surface + release.raised < landing.within:
                yield release
            elif release.falls or not careful:
                later.append(release)
        yield from sorted(later, key=lambda release: (not release.falls, release.raised))


def _climb(
    actor: Actor,
    lowest: Pose,
    turn: float,
    moment: Moment,
    load: Load,
    over: float,
) -> Release | None:
    """Return the lowest release from which the way up is free, to where there is room all round.

    That is not under `over` above the lowest [m].
    """
    way = actor.rehearsal.follow(line(moment.pose, lowest, COARSE), moment.joints, load, None)
    joints, raised = way.joints[-1], None
    untouched = replace(load, touchable=())
    enough = ROOM_LOW if actor.style.carry.low else ROOM_ABOVE
    for height in HEIGHTS:
        pose = lowest.up(float(height))
        reach = actor.rehearsal.follow([(pose.pos, pose.rotation)], joints, load)
        joints = reach.joints[-1]
        if why_not(reach, actor.care) or not _opens(actor, pose, joints, load):
            raised = None
            if height > MOST_RAISED:
                return None
            continue
        raised = float(height) if raised is None else raised
        if raised > MOST_RAISED:
            return None
        room = actor.rehearsal.room(joints, untouched, enough).distance
        if room >= enough and height >= over:
            hover = max(float(height) - raised, HOVER)
            release = _centred(actor, lowest.up(raised), joints, load)
            falls = all(_fits(actor, release.up(h - raised), load) for h in HEIGHTS if h < raised)
            return Release(release, hover, turn, raised, falls)
    return None


def _opens(actor: Actor, pose: Pose, joints: FloatArray, load: Load) -> bool:
    """Return whether the fingers have room to let go."""
    held = load.held
    assert held is not None
    put = (held.name, *held.pose(pose.pos, pose.rotation))
    empty = replace(load, held=None, moved=(*load.moved, put))
    return actor.rehearsal.room(joints, empty, 0.0).distance > -SPREADING


def _between_walls(actor: Actor, lowest: Pose, load: Load) -> Pose | None:
    """Return a release moved sideways to where the object fits on its last way down, if it does."""
    for shift in SHIFTS:
        pose = lowest.moved(shift)
        if all(_fits(actor, pose.up(height), load) for height in FALLS):
            return pose
    return None


def _fits(actor: Actor, pose: Pose, load: Load) -> bool:
    """Return whether what is held could be where it is with the hand there."""
    assert load.held is not None
    return actor.rehearsal.fits(*load.held.pose(pose.pos, pose.rotation), load, FALL_ROOM)


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
