"""What a camera cannot see need not be drawn: geoms outside the picture, and outside its mirror.

MuJoCo draws every triangle of a scene; without a graphics card that is where the time goes. A geom
is left out if it lies beyond one side of the picture as a whole, so that no pixel can change. One
geom may mirror, the first that can (MuJoCo allows no more); what shows in it is kept, too.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from scipy.spatial import ConvexHull, QhullError

from perm.core.arrays import BoolArray, FloatArray, IntArray

MARGIN = 0.005
"""Part of the half picture by which it is taken larger: far more than single precision is off."""

_CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
_TOP = _CORNERS[_CORNERS[:, 2] > 0]
_PLANE, _BOX, _MESH = (
    mujoco.mjtGeom.mjGEOM_PLANE,
    mujoco.mjtGeom.mjGEOM_BOX,
    mujoco.mjtGeom.mjGEOM_MESH,
)


@dataclass(frozen=True)
class Poses:
    """Where geoms are: positions (G, 3) and matrices (G, 3, 3)."""

    pos: FloatArray
    mat: FloatArray

    def mirrored(self, point: FloatArray, normal: FloatArray) -> "Poses":
        """Return the poses of the images in a plane through a point (3,) with a normal (3,)."""
        flip = np.eye(3) - 2 * np.outer(normal, normal)
        return Poses(point + (self.pos - point) @ flip, flip @ self.mat)


@dataclass(frozen=True)
class View:
    """What a camera sees.

    Attributes:
        eye: Its position (3,).
        axes: Columns point right, up and back, (3, 3).
        low, high: Left and bottom, right and top edge of the picture at distance 1, (2,).
    """

    eye: FloatArray
    axes: FloatArray
    low: FloatArray
    high: FloatArray

    @property
    def sides(self) -> FloatArray:
        """Directions out of the five sides, (3, 5): left, bottom, right, top, behind the eye."""
        (left, bottom), (right, top) = self.low, self.high
        normals = [(-1, 0, -left), (0, -1, -bottom), (1, 0, right), (0, 1, top), (0, 0, 1)]
        return self.axes @ np.array(normals, dtype=np.float64).T

    def through(self, window: FloatArray) -> "View":
        """Return what is seen through the least window that holds some points (N, 3)."""
        local = (window - self.eye) @ self.axes
        across, depth = local[:, :2], -local[:, 2:]
        if depth.min() <= 0:  # it reaches behind the eye
            return self
        place = across / depth
        low, high = place.min(axis=0) - MARGIN, place.max(axis=0) + MARGIN
        return View(self.eye, self.axes, np.maximum(low, self.low), np.minimum(high, self.high))


class Culling:
    """The shapes of the geoms that are drawn, to be held against what a camera sees.

    Infinite geoms are never left out, and none is where something casts shadows: a shadow may fall
    into the picture from outside.
    """

    def __init__(self, model: Any, groups: Sequence[int]) -> None:
        """Take a mujoco.MjModel and the geom groups that are drawn."""
        self._model = model
        drawn = np.isin(model.geom_group, groups)
        finite = drawn & (model.geom_type != _PLANE) & (not model.light_castshadow.any())
        self._geoms: IntArray = np.flatnonzero(finite)
        centre, half = np.split(model.geom_aabb[self._geoms, np.newaxis], 2, axis=-1)
        self._boxes: FloatArray = centre + _CORNERS * half
        self._hulls: dict[int, FloatArray] = {}
        self._mirrors: IntArray = np.flatnonzero(drawn & _can_mirror(model))

    def seen(self, data: Any, camera: int) -> BoolArray:
        """Return which geoms have to be drawn, (ngeom,); all others change no pixel.

        Args:
            data: A mujoco.MjData with the poses of geoms and cameras.
            camera: Its id.
        """
        view = self._view(data, camera)
        poses = Poses(data.geom_xpos[self._geoms], data.geom_xmat[self._geoms].reshape(-1, 3, 3))
        seen = np.ones(self._model.ngeom, dtype=bool)
        seen[self._geoms] = self._reaching(view, poses)
        for mirror in self._mirrors[seen[self._mirrors]]:
            seen[self._geoms] |= self._reflected(data, mirror, view, poses)
        if len(self._mirrors) > 1:  # without the one that mirrors, another one would
            seen[self._mirrors] = True
        return seen

    def _view(self, data: Any, camera: int) -> View:
        reach = np.tan(np.deg2rad(self._model.cam_fovy[camera]) / 2) * (1 + MARGIN)
        edge = np.full(2, reach)
        return View(data.cam_xpos[camera], data.cam_xmat[camera].reshape(3, 3), -edge, edge)

    def _reaching(self, view: View, poses: Poses) -> BoolArray:
        """Return for each geom that may be left out whether it reaches into a view."""
        ahead = (poses.pos - view.eye) @ view.sides
        sides = np.swapaxes(poses.mat, 1, 2) @ view.sides
        beyond = self._boxes @ sides + ahead[:, np.newaxis]  # how far each corner is, (G, 8, 5)
        reaching: BoolArray = beyond.min(axis=1).max(axis=1) <= 0
        for i in np.flatnonzero(reaching & (beyond.max(axis=(1, 2)) > 0)).tolist():
            reaching[i] = (self._hull(i) @ sides[i] + ahead[i]).min(axis=0).max() <= 0
        return reaching

    def _reflected(self, data: Any, mirror: int, view: View, poses: Poses) -> BoolArray:
        """Return for each geom that may be left out whether its image shows in a mirror."""
        pos, mat = data.geom_xpos[mirror], data.geom_xmat[mirror].reshape(3, 3)
        normal, top = mat[:, 2], pos
        if self._model.geom_type[mirror] == _BOX:
            corners = pos + _TOP * self._model.geom_size[mirror] @ mat.T
            top, window = corners[0], view.through(corners)
        else:
            window = view
        if (view.eye - top) @ normal <= 0:  # its back mirrors nothing
            return np.zeros(len(self._geoms), dtype=bool)
        return self._reaching(window, poses.mirrored(top, normal))

    def _hull(self, index: int) -> FloatArray:
        """Return points (P, 3) whose convex hull holds a geom, tighter than its box."""
        if index not in self._hulls:
            self._hulls[index] = _hull(self._model, self._geoms[index], self._boxes[index])
        return self._hulls[index]


def _hull(model: Any, geom: int, box: FloatArray) -> FloatArray:
    if model.geom_type[geom] != _MESH:
        return box
    mesh = model.mesh(model.geom_dataid[geom])
    first, count = int(mesh.vertadr[0]), int(mesh.vertnum[0])
    vertices = model.mesh_vert[first : first + count].astype(np.float64)
    try:
        return np.asarray(vertices[ConvexHull(vertices).vertices])
    except QhullError:  # it is flat
        return box


def _can_mirror(model: Any) -> BoolArray:
    """Return which geoms can mirror, (ngeom,): planes and tops of boxes of a shiny material."""
    shiny = np.append(model.mat_reflectance, 0.0)[model.geom_matid] > 0  # -1: no material
    return np.asarray(shiny & np.isin(model.geom_type, (_PLANE, _BOX)))
