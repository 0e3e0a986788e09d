"""Where to grasp an object, from its own shape."""

from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes
from perm.core.conventions import GRIPPER_MAX_WIDTH, SIDES
from perm.core.geometry import rotation_from_vector, rotation_vector

DOWN = np.array([0.0, 0.0, -1.0])
FINGER_ROOM = 0.008
"""Free width that an object must leave between the open fingers [m]."""
TOP_BAND = 0.008
"""Points this far under the top belong to the rim [m]."""
FINGER_LENGTH = 0.045
"""Deepest that the fingers reach before the hand touches what is between them [m]."""
PAD_BELOW = 0.007
"""How much the finger pads reach below the point between the tips, with some room [m]."""


@dataclass(frozen=True)
class Grasp:
    """A pose of the hand at which the fingers close.

    Attributes:
        pos: Point between the finger tips [m], shape (3,).
        rotation: (3, 3): x is the direction in which the fingers open, z the approach.
    """

    pos: FloatArray
    rotation: FloatArray

    @property
    def approach(self) -> FloatArray:
        """Direction of the approach, shape (3,)."""
        return self.rotation[:, 2]


def grasp_frame(fingers: FloatArray, approach: FloatArray) -> FloatArray:
    """Return the hand's rotation, (3, 3), from two directions in the world frame.

    Args:
        fingers: Along which the fingers open, shape (3,); made orthogonal to the approach.
        approach: Along which the hand comes, shape (3,).
    """
    z = approach / np.linalg.norm(approach)
    x = fingers - z * (fingers @ z)
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def nearest_symmetric(rotation: FloatArray, reference: FloatArray) -> FloatArray:
    """Return the rotation or the one with the fingers swapped, whichever turns less.

    Args:
        rotation: A grasp, (3, 3).
        reference: The hand as it is now, (3, 3).
    """
    swapped = rotation @ np.diag([-1.0, -1.0, 1.0])
    angles = [float(np.linalg.norm(rotation_vector(r @ reference.T))) for r in (rotation, swapped)]
    return rotation if angles[0] <= angles[1] else swapped


def is_graspable_across(boxes: Boxes) -> bool:
    """Return whether an object fits between the open fingers from above."""
    return float(min(_footprint(boxes)[1])) <= GRIPPER_MAX_WIDTH - FINGER_ROOM


def body_depth(boxes: Boxes) -> float:
    """Return how far under the top the middle of an object is, as far as fingers reach [m]."""
    height = boxes.corners[:, 2]
    return min(float(np.ptp(height)) / 2, FINGER_LENGTH)


def top_grasp(boxes: Boxes, reference: FloatArray, depth: float, support_z: float) -> Grasp:
    """Return the grasp from above across the shorter side of an object.

    Args:
        boxes: Its shape.
        reference: Rotation that the hand has now, (3, 3); of equal grasps the nearer is taken.
        depth: Finger tips under the top of the object [m].
        support_z: Height that the finger pads must not reach [m].
    """
    corners = boxes.corners
    low, high = float(corners[:, 2].min()), float(corners[:, 2].max())
    centre, sizes, axes = _footprint(boxes)
    shorter = int(np.argmin(sizes))
    if abs(sizes[0] - sizes[1]) < 0.008:
        # As good as round or square: the axis that turns the wrist less.
        shorter = int(np.argmax(np.abs(axes @ reference[:2, 0])))
    fingers = np.array([*axes[shorter], 0.0])
    z = max(high - depth, low + PAD_BELOW, support_z + PAD_BELOW)
    rotation = nearest_symmetric(grasp_frame(fingers, DOWN), reference)
    return Grasp(np.array([centre[0], centre[1], z]), rotation)


def rim_grasp(
    boxes: Boxes,
    reference: FloatArray,
    side: str,
    angle: float,
    depth: float,
    inset: float,
    support_z: float,
) -> Grasp:
    """Return the grasp of an open rim on one side, fingers inside and outside.

    Args:
        boxes: Shape of the object.
        reference: Rotation that the hand has now, (3, 3).
        side: "left", "right", "front" or "back".
        angle: Turns the side about the world's z [rad].
        depth: Finger tips under the rim [m].
        inset: Finger tips inside of the outermost point of the rim [m].
        support_z: Height that the finger pads must not reach [m].
    """
    corners = boxes.corners
    top = float(corners[:, 2].max())
    rim = corners[corners[:, 2] > top - TOP_BAND, :2]
    centre = (rim.min(axis=0) + rim.max(axis=0)) / 2
    outward = rotation_from_vector(np.array([0.0, 0.0, angle])) @ SIDES[side]
    reach = float(((rim - centre) @ outward[:2]).max()) - inset
    z = max(top - depth, support_z + PAD_BELOW)
    pos = np.array([*(centre + reach * outward[:2]), z])
    return Grasp(pos, nearest_symmetric(grasp_frame(outward, DOWN), reference))


def _footprint(boxes: Boxes) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Smallest rectangle round the shape seen from above: centre (2,), sizes (2,), axes (2, 2)."""
    points = boxes.corners[:, :2]
    best: tuple[float, FloatArray, FloatArray, FloatArray] | None = None
    for angle in np.linspace(0.0, np.pi / 2, 46)[:-1]:
        axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        along = points @ axes.T
        low, high = along.min(axis=0), along.max(axis=0)
        area = float(np.prod(high - low))
        if best is None or area < best[0] - 1e-9:
            best = (area, (low + high) / 2 @ axes, high - low, axes)
    assert best is not None
    return best[1], best[2], best[3]
