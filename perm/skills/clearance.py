"""How much room the hand and what it holds have among the things in the scene."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes

HAND = np.array(
    [
        # x (finger axis), y, z (approach; 0 between the tips), radius; all in metres
        [-0.045, 0.0, 0.0, 0.010],
        [0.045, 0.0, 0.0, 0.010],
        *[[x, 0.0, z, 0.034] for z in (-0.06, -0.09) for x in (-0.07, -0.035, 0.0, 0.035, 0.07)],
        [0.0, 0.0, -0.16, 0.06],
    ]
)
"""Spheres that cover the open fingers, the 21 cm wide hand and the wrist, in the hand's frame."""

HELD_RADIUS = 0.004
"""Radius of the spheres at the corners of a held object's hull [m]."""
TABLE_GAP = 0.002


@dataclass(frozen=True)
class Shape:
    """What moves: spheres in the hand's frame, (N, 4) as x, y, z, radius [m]."""

    spheres: FloatArray

    @staticmethod
    def empty_hand() -> "Shape":
        """The hand with open fingers."""
        return Shape(HAND)

    @staticmethod
    def holding(corners: FloatArray) -> "Shape":
        """The hand with an object, given the corners of its boxes in the hand's frame (N, 3)."""
        points = corners[ConvexHull(corners).vertices]
        spheres = np.column_stack([points, np.full(len(points), HELD_RADIUS)])
        return Shape(np.concatenate([HAND, spheres]))


@dataclass(frozen=True)
class Obstacles:
    """What stands in the way, with names for messages.

    Attributes:
        boxes: Oriented boxes in the world frame.
        names: Owner of each box.
        support_z: Height of the work surface [m].
    """

    boxes: Boxes
    names: tuple[str, ...]
    support_z: float

    def clearance(self, shape: Shape, pos: FloatArray, rotation: FloatArray) -> tuple[float, str]:
        """Return the smallest distance of the shape at a hand pose to a box, and whose it is [m].

        The work surface is flat and is not kept at a distance; being under it is negative.
        """
        points = shape.spheres[:, :3] @ rotation.T + pos
        radius = shape.spheres[:, 3]
        height = float((points[:, 2] - radius).min()) - self.support_z
        if height < TABLE_GAP:
            return height - TABLE_GAP, "the work surface"
        if not self.names:
            return float("inf"), "nothing"
        distance = box_distance(points, self.boxes) - radius[:, None]
        nearest = int(distance.argmin())
        return float(distance.flat[nearest]), self.names[nearest % len(self.names)]


def box_distance(points: FloatArray, boxes: Boxes) -> FloatArray:
    """Return signed distances, negative inside.

    Args:
        points: (N, 3) [m].
        boxes: M boxes.

    Returns:
        (N, M) [m].
    """
    centre = boxes.centre[:, None]
    outside = np.abs((points - centre) @ boxes.rotation) - boxes.half[:, None]
    apart = np.maximum(outside, 0)
    apart *= apart
    x, y, z = np.moveaxis(apart, -1, 0)
    deepest = np.maximum(np.maximum(outside[..., 0], outside[..., 1]), outside[..., 2])
    distance: FloatArray = np.sqrt(x + y + z) + np.minimum(deepest, 0)
    return distance.T
