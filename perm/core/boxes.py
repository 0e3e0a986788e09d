"""Shapes as sets of oriented boxes: all collision geometry in LIBERO is made of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray

_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)


@dataclass(frozen=True)
class Boxes:
    """Oriented boxes in the world frame.

    Attributes:
        centre: (N, 3) [m].
        rotation: (N, 3, 3).
        half: Half extents (N, 3) [m].
    """

    centre: FloatArray
    rotation: FloatArray
    half: FloatArray

    @property
    def corners(self) -> FloatArray:
        """All corners, (8 N, 3) [m]."""
        offsets = self.half[:, None, :] * _CORNERS[None]
        turned: FloatArray = np.einsum("nij,nkj->nki", self.rotation, offsets)
        return (self.centre[:, None] + turned).reshape(-1, 3)


def join_boxes(parts: Sequence[Boxes]) -> Boxes:
    """Return all boxes of several sets as one set."""
    if not parts:
        return Boxes(np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros((0, 3)))
    return Boxes(
        np.concatenate([p.centre for p in parts]),
        np.concatenate([p.rotation for p in parts]),
        np.concatenate([p.half for p in parts]),
    )
