"""Whether what is held fits where it is let go, and on its way down to there."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from perm.core.arrays import FloatArray
from perm.sim.load import Load
from perm.skills.actor import Actor
from perm.skills.landings import Landing, comes_to_lie
from perm.skills.planning import CLEARANCE
from perm.skills.pose import Pose

BETWEEN_WALLS = 0.02
"""Height over the release at which the room between walls is measured [m]."""
FALLS = (0.0, 0.02, 0.05)
"""Heights over the surface at which it is seen whether something fits between walls [m]."""
SHIFTS = sorted(
    (np.array([x, y, 0.0]) for x, y in product(np.linspace(-0.012, 0.012, 5), repeat=2)),
    key=lambda shift: float(np.linalg.norm(shift)),
)
"""How far from the middle of a landing something may be put where it fits only there [m]."""
FALL_ROOM = 0.003
"""Distance to everything else that something should have on its way down [m]."""


def between_walls(actor: Actor, lowest: Pose, load: Load) -> Pose | None:
    """Return a release moved sideways to where the object fits on its last way down, if it does."""
    tight = None
    for shift in SHIFTS:
        pose = lowest.moved(shift)
        if _passes(actor, pose, load, 0.0):
            if _passes(actor, pose, load, FALL_ROOM):
                return pose
            tight = tight or pose
    return tight


def falls_well(actor: Actor, pose: Pose, landing: Landing, load: Load) -> bool:
    """Return whether what is let go lies well, and passes everything on its way down to there."""
    falls = _passes(actor, pose, load, 0.0, FALLS[1:])
    return falls and comes_to_lie(actor, pose, landing, load)


def centred(actor: Actor, release: Pose, joints: FloatArray, load: Load) -> Pose:
    """Return a release moved sideways to where walls beside it are farthest away."""
    untouched = replace(load, touchable=())

    def room(shift: FloatArray) -> float:
        pose = release.moved(shift).up(BETWEEN_WALLS)
        way = actor.rehearsal.follow([(pose.pos, pose.rotation)], joints, untouched, None)
        return actor.rehearsal.room(way.joints[-1], untouched, CLEARANCE).distance

    best, most = np.zeros(3), -np.inf
    for x, y in product((0.0, 0.005, -0.005, 0.010, -0.010), repeat=2):
        shift = np.array([x, y, 0.0])
        if (found := room(shift)) > most:
            best, most = shift, found
        if most >= CLEARANCE:
            break
    return release.moved(best)


def _passes(
    actor: Actor, pose: Pose, load: Load, room: float, heights: Sequence[float] = FALLS
) -> bool:
    """Return whether what is held fits at some heights over a release, with so much room."""
    return all(_fits(actor, pose.up(height), load, room) for height in heights)


def _fits(actor: Actor, pose: Pose, load: Load, room: float) -> bool:
    """Return whether what is held could be where it is with the hand there, with so much room."""
    assert load.held is not None
    return actor.rehearsal.fits(*load.held.pose(pose.pos, pose.rotation), load, room)
