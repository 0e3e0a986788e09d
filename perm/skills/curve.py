"""How a motion is meant to go: an arc, a straight line, low over the ground, round a place."""

from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.geometry import interpolate_rotation
from perm.skills.pose import SPACING, Path, Pose, turn_z

UP_ROOM = 0.25
"""How far a path may swing from the curve upwards [m]."""


@dataclass(frozen=True)
class Zone:
    """Somewhere to keep away from: centre (3,) [m] and distance [m]."""

    centre: FloatArray
    distance: float


@dataclass(frozen=True)
class Curve:
    """How a motion is meant to go.

    Attributes:
        start, goal: From where to where.
        arc: How far its middle is above the straight line [m].
        late: Share of the way after which it rises; 0 to rise evenly.
        turn: Turn about the world's z on the way, and back [rad].
        zone: What to keep away from.
        up_room: How far above it the way may swing [m].
    """

    start: Pose
    goal: Pose
    arc: float = 0.0
    late: float = 0.0
    turn: float = 0.0
    zone: Zone | None = None
    up_room: float = UP_ROOM

    def share(self, pos: FloatArray) -> float:
        """Return how much of the way is done at a position, 0 to 1; sideways if it goes so."""
        way = self.goal.pos - self.start.pos
        if np.hypot(*way[:2]) > 0.02:
            way = np.array([way[0], way[1], 0.0])
        share = float((pos - self.start.pos) @ way) / max(float(way @ way), 1e-12)
        return min(1.0, max(0.0, share))

    def pose(self, pos: FloatArray) -> Pose:
        """Return the hand for a point of the planning space, (3,)."""
        return self._poses(pos[None]).end

    def path(self, points: FloatArray) -> Path:
        """Return the poses along a polyline of the planning space, (K, 3)."""
        lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
        way = np.concatenate([[0.0], np.cumsum(lengths)])
        n = max(int((way[-1] + abs(self.turn) * 0.3 + self.arc) / SPACING), 6) + 1
        fine = np.linspace(0.0, way[-1], n)
        dense = np.column_stack([np.interp(fine, way, points[:, i]) for i in range(3)])
        return self._poses(dense)

    def _poses(self, points: FloatArray) -> Path:
        """Return the hand for points of the planning space, (N, 3)."""
        shares = np.array([self.share(point) for point in points])
        bends = np.array([[0.0, 0.0, self._bend(share)] for share in shares])
        rotations = interpolate_rotation(self.start.rotation, self.goal.rotation, shares)
        if self.turn:
            turns = self.turn * np.sin(np.pi * shares)
            rotations = np.array([turn_z(t) @ r for t, r in zip(turns, rotations, strict=True)])
        return Path(points + bends, rotations)

    def _bend(self, share: float) -> float:
        bend = self.arc * float(np.sin(np.pi * share))
        if self.late:
            rise = float(self.goal.pos[2] - self.start.pos[2])
            risen = np.clip((share - self.late) / max(0.9 - self.late, 0.05), 0.0, 1.0)
            bend += rise * float(risen - share)
        return bend
