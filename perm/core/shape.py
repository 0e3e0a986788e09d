"""What an object's collision boxes say of its form: outline, open rim, handle.

All in the frame in which the boxes are given, z up. The rules know geometry only: the shape is cut
level at many heights, and a cut that is round but for a few directions belongs to a cup, a pan, a
can. Round and hollow at the top is a rim; what reaches beyond the round is a handle.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes

SLICE = 0.01
"""Distance between level cuts [m]."""
FITS, FITTED = 6, 1e-4
"""Rounds of fitting a circle, and the step of its centre at which it is found [m]."""
BARE = 0.8
"""Share of directions in which something round has to show its own wall, not a handle."""
ROUND = 1.2
"""Largest ratio of radii of something round: a hexagon is (1.15), a square is not (1.24)."""
HOLLOW = 0.006
"""How far under a rim it has to be open to the middle [m]."""
STICKS_OUT = 0.012
"""How far beyond the round a handle begins [m]."""
SPREAD = 0.6
"""Largest angle off its outermost point at which a part belongs to a handle [rad]."""
ONE_SIDED = 0.5
"""What sticks out elsewhere, like a spout, is less than this share of the handle's length."""
GRAIN = 0.004
"""Largest distance between points of a handle [m]."""

_ANGLES = np.linspace(0.0, 2 * np.pi, 36, endpoint=False)
_AROUND = np.stack([np.cos(_ANGLES), np.sin(_ANGLES), np.zeros_like(_ANGLES)], axis=-1)


@dataclass(frozen=True)
class Footprint:
    """The smallest rectangle round a shape seen from above.

    Attributes:
        centre: (2,) [m].
        sizes: Along its axes (2,) [m].
        axes: Rows are unit vectors, (2, 2).
    """

    centre: FloatArray
    sizes: FloatArray
    axes: FloatArray


@dataclass(frozen=True)
class Rim:
    """The round edge of something open at the top; a plate's is its outer edge.

    Attributes:
        centre: (2,) [m].
        radius: Of its outside, the mean over all directions [m].
        height: Of its top [m].
        floor: Height of what is inside [m]; a plate's is less than 2 cm under the rim.
    """

    centre: FloatArray
    radius: float
    height: float
    floor: float


@dataclass(frozen=True)
class Handle:
    """A part that sticks out sideways of something round.

    Attributes:
        point: Middle of its outer part (3,) [m].
        direction: From the axis of the round to it, unit vector (2,).
        width: Across it, sideways [m]; fingers close on this.
        height: Of its top at the point [m].
    """

    point: FloatArray
    direction: FloatArray
    width: float
    height: float


@dataclass(frozen=True)
class _Ring:
    """A round level cut: mean and largest radius of its wall, and how high the wall goes [m]."""

    centre: FloatArray
    radius: float
    outermost: float
    top: float


def footprint(boxes: Boxes) -> Footprint:
    """Return the smallest rectangle round a shape seen from above."""
    points = boxes.corners[:, :2]
    angles = np.linspace(0.0, np.pi / 2, 46)[:-1]
    first = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    axes = np.stack([first, np.stack([-first[:, 1], first[:, 0]], axis=-1)], axis=1)
    along = np.einsum("pi,aji->apj", points, axes)
    low, high = along.min(axis=1), along.max(axis=1)
    best = int(np.argmin(np.prod(high - low, axis=1).round(9)))
    centre = (low[best] + high[best]) / 2 @ axes[best]
    return Footprint(centre, high[best] - low[best], axes[best])


def find_rim(boxes: Boxes) -> Rim | None:
    """Return the rim of what is round and open at the top, or None."""
    ring = next(_rings(boxes), None)
    if ring is None:
        return None
    enter, _ = _cross(boxes, np.array([*ring.centre, ring.top - HOLLOW]), _AROUND)
    if float(enter.min()) < ring.radius / 2:
        return None
    return Rim(ring.centre, ring.radius, ring.top, _floor(boxes, ring))


def find_handle(boxes: Boxes) -> Handle | None:
    """Return what sticks out farthest of something round, or None."""
    ring = max(_rings(boxes), key=lambda ring: ring.radius, default=None)
    if ring is None:
        return None
    points = _points(boxes)
    away = points[:, :2] - ring.centre
    beyond = np.linalg.norm(away, axis=1) - ring.outermost
    tip = away[int(np.argmax(beyond))]
    angle = np.arctan2(_side(tip) @ away.T, away @ tip)
    elsewhere = beyond[np.abs(angle) > SPREAD].max()
    if beyond.max() <= STICKS_OUT or elsewhere > ONE_SIDED * beyond.max():
        return None
    out = (beyond > STICKS_OUT) & (np.abs(angle) < SPREAD)
    turn = (angle[out].min() + angle[out].max()) / 2
    direction = (np.cos(turn) * tip + np.sin(turn) * _side(tip)) / np.linalg.norm(tip)
    return _handle(ring, points[out], direction)


def _handle(ring: _Ring, points: FloatArray, direction: FloatArray) -> Handle:
    """Measure a handle, given by its points (N, 3), two thirds of the way out.

    There it has room for fingers between it and the wall, and they do not slip off its end.
    """
    away = points[:, :2] - ring.centre
    along, across = away @ direction, away @ _side(direction)
    reach = (ring.outermost + 2 * float(along.max())) / 3
    off = np.abs(along - reach)
    part = off <= off.min() + STICKS_OUT / 2
    low = np.array([across[part].min(), points[part, 2].min()])
    high = np.array([across[part].max(), points[part, 2].max()])
    sideways, height = (low + high) / 2
    place = ring.centre + reach * direction + sideways * _side(direction)
    width, top = float(high[0] - low[0]), float(high[1])
    return Handle(np.array([*place, height]), direction, width, top)


def _side(direction: FloatArray) -> FloatArray:
    """Return a direction (2,) turned a quarter to the left."""
    return np.array([-direction[1], direction[0]])


def _rings(boxes: Boxes) -> Iterator[_Ring]:
    """Yield the round level cuts from the top down."""
    corners = boxes.corners
    for height in np.arange(corners[:, 2].max() - SLICE / 2, corners[:, 2].min(), -SLICE):
        ring = _ring(boxes, float(height))
        if ring is not None:
            yield ring


def _ring(boxes: Boxes, height: float) -> _Ring | None:
    """Fit a circle to the outside of the cut, and return it if the cut is round."""
    tall = (np.abs(boxes.rotation[:, 2, :]) * boxes.half).sum(axis=1)
    cut = np.abs(boxes.centre[:, 2] - height) < tall
    part = Boxes(boxes.centre[cut], boxes.rotation[cut], boxes.half[cut])
    if not cut.any():
        return None
    centre: FloatArray = np.median(part.centre[:, :2], axis=0)
    for _ in range(FITS):
        _, leave = _cross(part, np.array([*centre, height]), _AROUND)
        far = leave.max(axis=1)
        kept = np.argsort(np.where(far > 0, far, np.inf))[: round(BARE * len(far))]
        edge = centre + far[kept, None] * _AROUND[kept, :2]
        system = np.column_stack([2 * edge, np.ones(len(edge))])
        before, centre = centre, np.linalg.lstsq(system, (edge**2).sum(axis=1), rcond=None)[0][:2]
        if float(np.abs(centre - before).max()) < FITTED:
            break
    radii = np.linalg.norm(edge - centre, axis=1)
    if (far[kept] == 0).any() or radii.max() > ROUND * radii.min():
        return None
    top = float(np.median((part.centre[:, 2] + tall[cut])[leave[kept].argmax(axis=1)]))
    return _Ring(centre, float(radii.mean()), float(radii.max()), top)


def _floor(boxes: Boxes, ring: _Ring) -> float:
    """Return the height of the highest thing under the middle of a rim [m]."""
    spots = [np.zeros(2), *(ring.radius / 4 * _AROUND[::6, :2])]
    down = np.array([[0.0, 0.0, -1.0]])
    depths = [_cross(boxes, np.array([*ring.centre + spot, ring.top]), down)[0] for spot in spots]
    deep = min(float(depth.min()) for depth in depths)
    return max(ring.top - deep, float(boxes.corners[:, 2].min()))


def _cross(boxes: Boxes, origin: FloatArray, ways: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how far off M rays from a point enter and leave N boxes.

    Returns:
        Two arrays (M, N) [m]; inf and 0 where a ray misses a box.
    """
    start = np.einsum("nji,nj->ni", boxes.rotation, origin - boxes.centre)
    way = np.einsum("nji,mj->mni", boxes.rotation, ways)
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    first, second = (-boxes.half - start) / way, (boxes.half - start) / way
    enter, leave = np.minimum(first, second).max(axis=-1), np.maximum(first, second).min(axis=-1)
    missed = (enter > leave) | (leave < 0)
    return np.where(missed, np.inf, enter.clip(0)), np.where(missed, 0.0, leave)


def _points(boxes: Boxes) -> FloatArray:
    """Return points all over the boxes, (N, 3) [m]."""
    parts = []
    for centre, rotation, half in zip(boxes.centre, boxes.rotation, boxes.half, strict=True):
        ticks = [np.linspace(-size, size, 2 + int(2 * size / GRAIN)) for size in half]
        grid = np.stack(np.meshgrid(*ticks), axis=-1).reshape(-1, 3)
        parts.append(centre + grid @ rotation.T)
    return np.concatenate(parts)
