"""Where a held object would lie on its target, and how the hand may be turned then."""

from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes
from perm.core.shape import footprint
from perm.sim.load import Held, Load
from perm.skills.actor import Actor
from perm.skills.pose import Pose, turn_z

TURNS = np.deg2rad([30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0])
"""Turns of the hand that are tried for a release, where none will not do [rad]."""
UNDER_WALLS = 0.03
"""How far under the top of a container something has to be to fall into it [m]."""

MOST_OFF, MOST_OVER, LEVEL = 0.04, 0.015, 0.985
"""How far from the middle of its landing and over its surface something may come to rest [m], and
the cosine of its lean then."""


@dataclass(frozen=True)
class Landing:
    """What is put where.

    Attributes:
        held: The object in the hand.
        corners: Corners of its boxes in the hand's frame (N, 3) [m].
        point: Where its origin goes (2,) [m].
        surface: Height of the surface there [m].
        gap: Free height under it when the fingers open [m].
        within: Height of its lowest point under which it is well between walls [m].
    """

    held: Held
    corners: FloatArray
    point: FloatArray
    surface: float
    gap: float
    within: float

    def pose(self, rotation: FloatArray) -> Pose:
        """Return the hand, turned so, at which the object is over the point, just above it."""
        offset = rotation @ self.held.pos
        lowest = float((self.corners @ rotation.T)[:, 2].min())
        return Pose(
            np.array([*(self.point - offset[:2]), self.surface + self.gap - lowest]), rotation
        )


def landings_of(actor: Actor, target: str, held: Held, gap: float) -> list[Landing]:
    """Return what is held and where a target wants it, its middle first."""
    pos, rotation = actor.scenery.pose(held.name)
    local = (actor.scenery.boxes(held.name).corners - pos) @ rotation
    corners = held.pos + local @ held.rotation.T
    owner, within = actor.scenery.owner(target), -np.inf
    if owner in actor.scenery.movables:
        within = float(actor.scenery.boxes(owner).corners[:, 2].max()) - UNDER_WALLS
    return [
        Landing(held, corners, point, surface, gap, within)
        for point, surface in actor.scenery.landings(target)
    ]


def comes_to_lie(
    actor: Actor, pose: Pose, landing: Landing, load: Load, velocity: FloatArray | None = None
) -> bool:
    """Return whether what is let go comes to rest on its landing, and as level as it was held.

    Args:
        actor: Who lets go.
        pose: Of the hand then.
        landing: What goes where.
        load: What is held, and what has been moved.
        velocity: Of the hand then (3,) [m/s].
    """
    pos, rotation = landing.held.pose(pose.pos, pose.rotation)
    rest, turned = actor.falling.rest(pos, rotation, load, velocity)
    down = landing.pose(pose.rotation).up(-landing.gap)
    off = rest - landing.held.pose(down.pos, down.rotation)[0]
    level = float((turned @ rotation.T)[2, 2]) > LEVEL
    return bool(np.linalg.norm(off[:2]) < MOST_OFF and off[2] < MOST_OVER and level)


def turned(base: FloatArray, held: Boxes, target: Boxes | None) -> list[tuple[float, FloatArray]]:
    """Return turns of a hand about the world's z [rad], with its rotations.

    None first, then those that line the object up with the target, then others, small ones first.

    Args:
        base: The hand as it is (3, 3).
        held: The object as it would be in that hand.
        target: What it is put on or in; None for the open ground.
    """
    angles = [0.0]
    if target is not None:
        theirs, ours = (float(np.arctan2(*footprint(b).axes[0][::-1])) for b in (target, held))
        quarter = (theirs - ours + np.pi / 4) % (np.pi / 2) - np.pi / 4
        angles += sorted((_wrapped(quarter + k * np.pi / 2) for k in range(4)), key=abs)
    return [(float(angle), turn_z(angle) @ base) for angle in [*angles, *TURNS]]


def _wrapped(angle: float) -> float:
    """Return an angle in (-pi, pi]."""
    return float(np.pi - (np.pi - angle) % (2 * np.pi))
