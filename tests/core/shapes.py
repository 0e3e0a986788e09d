"""Things made of boxes, as LIBERO's collision shapes are; all stand on a table at height 0.9."""

import numpy as np

from perm.core.boxes import Boxes, join_boxes
from perm.core.geometry import rotation_from_vector

TABLE = 0.9
"""Height of the table [m]."""


def block(
    size: tuple[float, float, float],
    at: tuple[float, float] = (0.0, 0.0),
    low: float = TABLE,
    yaw: float = 0.0,
) -> Boxes:
    """One box, seen from its middle, its lowest point so high."""
    centre = np.array([*at, low + size[2] / 2])
    rotation = rotation_from_vector(np.array([0.0, 0.0, yaw]))
    return Boxes(centre[None], rotation[None], np.array(size)[None] / 2)


def ring(radius: float, height: float, at: tuple[float, float] = (0.0, 0.0)) -> Boxes:
    """A wall of 24 boxes, 6 mm thick, whose outside is so far from the middle."""
    thick, parts = 0.006, []
    for angle in np.linspace(0.0, 2 * np.pi, 24, endpoint=False):
        distance = radius - thick / 2
        centre = (at[0] + distance * np.cos(angle), at[1] + distance * np.sin(angle))
        parts.append(block((thick, 0.24 * radius, height), centre, yaw=float(angle)))
    return join_boxes(parts)


def bowl(radius: float = 0.055, at: tuple[float, float] = (0.0, 0.0)) -> Boxes:
    """5 cm high, with a floor of 1 cm."""
    floor = block((1.2 * radius, 1.2 * radius, 0.01), at)
    return join_boxes([ring(radius, 0.05, at), floor])


def mug(yaw: float = 0.0) -> Boxes:
    """A bowl of 9 cm across, and a handle of 1 cm that reaches 3 cm beyond it, 1 to 4 cm high."""
    angle = np.array([np.cos(yaw), np.sin(yaw)])
    handle = block((0.03, 0.01, 0.03), tuple(0.06 * angle), low=TABLE + 0.01, yaw=yaw)
    return join_boxes([bowl(0.045), handle])


def can() -> Boxes:
    """Solid, about 6 cm across and 10 cm high."""
    return join_boxes([block((0.06, 0.022, 0.1), yaw=k * np.pi / 8) for k in range(8)])


def plate() -> Boxes:
    """Solid and flat: 15 cm across and 1 cm high."""
    return join_boxes([block((0.15, 0.03, 0.01), yaw=k * np.pi / 8) for k in range(8)])


def book(yaw: float = 0.0) -> Boxes:
    """Stands on its edge: 3 cm thick, 16 cm wide, 22 cm high."""
    return block((0.03, 0.16, 0.22), yaw=yaw)
