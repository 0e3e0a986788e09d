"""A pose of the hand, and paths of poses."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from perm.core.arrays import FloatArray
from perm.core.geometry import interpolate_rotation, rotation_from_vector, rotation_vector

ARM_LENGTH = 0.15
"""What a turn of the hand counts on a path [m/rad]."""
SPACING = 0.015
"""Distance between the poses of a path [m], turns counted."""


@dataclass(frozen=True)
class Pose:
    """Where the hand is: x is the direction in which the fingers open, z the approach.

    Attributes:
        pos: Point between the finger tips, world frame [m], shape (3,).
        rotation: (3, 3).
    """

    pos: FloatArray
    rotation: FloatArray

    @property
    def approach(self) -> FloatArray:
        """Direction of the approach, shape (3,)."""
        return self.rotation[:, 2]

    def back(self, distance: float) -> "Pose":
        """Return it so far against the approach [m]."""
        return Pose(self.pos - distance * self.approach, self.rotation)

    def up(self, distance: float) -> "Pose":
        """Return it so far upwards [m]."""
        return self.moved(np.array([0.0, 0.0, distance]))

    def moved(self, offset: FloatArray) -> "Pose":
        """Return it moved in the world frame, (3,) [m]."""
        return Pose(self.pos + offset, self.rotation)

    def turned(self, angle: float) -> "Pose":
        """Return it turned in place about the world's z [rad]."""
        return Pose(self.pos, turn_z(angle) @ self.rotation)


@dataclass(frozen=True)
class Path:
    """Poses near each other.

    Attributes:
        pos: (N, 3) [m].
        rotation: (N, 3, 3).
    """

    pos: FloatArray
    rotation: FloatArray

    def __iter__(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield positions and rotations."""
        return zip(self.pos, self.rotation, strict=True)

    @property
    def end(self) -> Pose:
        """Where it ends."""
        return Pose(self.pos[-1], self.rotation[-1])

    @property
    def way(self) -> FloatArray:
        """Way done at each pose, turns counted, shape (N,) [m]."""
        steps = np.linalg.norm(np.diff(self.pos, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(np.hypot(steps, ARM_LENGTH * self.turns))])

    @property
    def turns(self) -> FloatArray:
        """Angle between each pose and the next, shape (N - 1,) [rad]."""
        turned = Rotation.from_matrix(self.rotation)
        angles: FloatArray = (turned[1:] * turned[:-1].inv()).magnitude()
        return angles


def turn_z(angle: float) -> FloatArray:
    """Return the rotation about the world's z, (3, 3)."""
    return rotation_from_vector(np.array([0.0, 0.0, angle]))


def line(start: Pose, stop: Pose, spacing: float = SPACING) -> Path:
    """Return the straight path, turning evenly, its poses so far from each other [m]."""
    angle = float(np.linalg.norm(rotation_vector(stop.rotation @ start.rotation.T)))
    length = float(np.linalg.norm(stop.pos - start.pos))
    n = max(2, int(np.hypot(length, ARM_LENGTH * angle) / spacing) + 2)
    share = np.linspace(0.0, 1.0, n)
    rotation = interpolate_rotation(start.rotation, stop.rotation, share)
    return Path(start.pos + share[:, None] * (stop.pos - start.pos), rotation)


def join(paths: list[Path]) -> Path:
    """Return paths, each beginning where the one before ends, as one."""
    pos = [paths[0].pos, *(path.pos[1:] for path in paths[1:])]
    rotation = [paths[0].rotation, *(path.rotation[1:] for path in paths[1:])]
    return Path(np.concatenate(pos), np.concatenate(rotation))


def round_corners(path: Path, radius: float) -> Path:
    """Return a path whose corners are cut off, no farther from them than the radius [m].

    Each position becomes the mean over the way from `radius` before it to `radius` behind it; near
    the ends over less, so that they stay.
    """
    way = path.way
    if way[-1] < 1e-6:
        return path
    fine = np.linspace(0.0, way[-1], max(2, int(way[-1] / (SPACING / 2)) + 2))
    rows = np.column_stack([np.interp(fine, way, path.pos[:, i]) for i in range(3)])
    total = np.concatenate([np.zeros((1, 3)), np.cumsum((rows[1:] + rows[:-1]) / 2, axis=0)])
    reach = np.minimum(radius, np.minimum(fine, fine[-1] - fine))
    spacing = fine[1]
    low, high = (fine - reach) / spacing, (fine + reach) / spacing
    index = np.arange(len(fine))
    pos = rows.copy()
    wide = reach > spacing / 2
    for i in range(3):
        area = np.interp(high, index, total[:, i]) - np.interp(low, index, total[:, i])
        pos[wide, i] = (area / np.maximum(high - low, 1e-9))[wide]
    return Path(pos, rotations_at(path, fine))


def rotations_at(path: Path, way: FloatArray) -> FloatArray:
    """Return the rotations of a path at ways done, shape (M, 3, 3)."""
    known = path.way
    new = np.concatenate([[True], np.diff(known) > 1e-12])
    turn = Slerp(known[new], Rotation.from_matrix(path.rotation[new]))
    matrices: FloatArray = turn(np.clip(way, 0.0, known[-1])).as_matrix()
    return matrices
