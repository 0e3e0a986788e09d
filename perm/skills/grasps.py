"""Where an object can be taken: candidates from its own shape, the most natural first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes
from perm.core.conventions import GRIPPER_MAX_WIDTH, SIDES
from perm.core.geometry import rotation_vector
from perm.core.shape import Footprint, find_handle, find_rim, footprint
from perm.skills.pose import Pose, turn_z
from perm.skills.style import PickStyle

FINGER_ROOM = 0.003
"""Free width that an object must leave between the open fingers [m]."""
LEANING = 0.1
"""Sine of a lean to a side from which on the hand comes from there."""
PAD_BELOW = 0.011
"""How much the fingers reach below the point between the tips, with some room [m]."""
PALM = 0.045
"""Deepest that the fingers reach before the hand touches what is between them [m]."""
STEEP = 0.95
"""Tilt from which the hand comes beside an object rather than over it [rad]."""
FAN = (0.0, 0.2, -0.2, 0.4, -0.4, 0.6, -0.6, 0.8, -0.8, 1.0, -1.0)
"""Angles off the asked place on a rim, or off the asked direction, in this order [rad]."""
SLANTS = (0.0, 0.3, -0.3, 0.5, -0.5)
"""Tilts of a hand that comes from above, where the upright one has no room [rad]."""
YAWS = (0.0, 0.3, -0.3, 0.6, -0.6)
"""Turns of the fingers off an object's faces, where square ones have no room [rad]."""
SHIFTS = (0.0, 0.2, -0.2, 0.35, -0.35)
"""Places off the middle of an object, as shares of its length, where the middle has no room."""
ASIDE = (0.0, 0.012, -0.012)
"""Where one finger comes first and pushes an object to the middle, the hand's way off it [m]."""
WAYS = (YAWS, SLANTS, SHIFTS, ASIDE)
UP = np.array([0.0, 0.0, 1.0])
TILT_STEP = 0.05
"""Distance between the tilts tried, from the wanted one to the least [rad]."""
ALIGNED = 0.6
"""Largest turn that lines the fingers up with an object's faces [rad]."""


@dataclass(frozen=True)
class Depths:
    """How deep the fingers go; lengths in m.

    Attributes:
        top: Under the top of what fits between the fingers.
        rim, rim_inset: Under a rim, and inside of its outermost point.
        handle: Under the top of a handle.
        edge: Of a flat thing, between the fingers.
    """

    top: float = 0.030
    rim: float = 0.018
    rim_inset: float = 0.003
    handle: float = 0.025
    edge: float = 0.016


@dataclass(frozen=True)
class Thing:
    """What is to be taken.

    Attributes:
        boxes: Its shape as it stands.
        support_z: Height that the finger pads must not reach [m].
        depths: How deep the fingers go.
    """

    boxes: Boxes
    support_z: float
    depths: Depths = Depths()

    @property
    def low(self) -> float:
        """Height of its lowest point [m]."""
        return float(self.boxes.corners[:, 2].min())

    @property
    def top(self) -> float:
        """Height of its highest point [m]."""
        return float(self.boxes.corners[:, 2].max())


def grasps(thing: Thing, style: PickStyle, reference: FloatArray) -> Iterator[Pose]:
    """Yield grasps as the style asks, each in both ways that two fingers can take it.

    Args:
        thing: What is to be taken.
        style: Where, from which side, how tilted.
        reference: Rotation that the hand has now, (3, 3); the way that turns it less comes first.
    """
    for grasp in _grasps(thing, style, reference):
        ways = [grasp, Pose(grasp.pos, grasp.rotation @ np.diag([-1.0, -1.0, 1.0]))]
        ways.sort(
            key=lambda way: float(np.linalg.norm(rotation_vector(way.rotation @ reference.T)))
        )
        yield from ways


def frame(fingers: FloatArray, approach: FloatArray) -> FloatArray:
    """Return the hand's rotation, (3, 3), from two directions in the world frame.

    Args:
        fingers: Along which the fingers open, shape (3,); made orthogonal to the approach.
        approach: Along which the hand comes, shape (3,).
    """
    z = approach / np.linalg.norm(approach)
    x = fingers - z * (fingers @ z)
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _grasps(thing: Thing, style: PickStyle, reference: FloatArray) -> Iterator[Pose]:
    outline = footprint(thing.boxes)
    fits = float(min(outline.sizes)) <= GRIPPER_MAX_WIDTH - FINGER_ROOM
    at = style.at or ("top" if fits else "rim" if find_rim(thing.boxes) else "handle")
    if at == "handle":
        yield from _by_handle(thing)
    elif at == "rim" and style.tilt > STEEP:
        yield from _by_edge(thing, style)
    elif at == "rim":
        yield from _by_rim(thing, style)
    elif style.tilt:
        yield from _tilted(thing, style, outline)
    else:
        yield from _across(thing, style, outline, reference)


def _across(
    thing: Thing, style: PickStyle, outline: Footprint, reference: FloatArray
) -> Iterator[Pose]:
    """From above, the shorter side first; what is as good as square, as the hand is.

    Slanted ways from a side to avoid come last.
    """
    last = list[Pose]()
    order = np.argsort(outline.sizes)
    if abs(outline.sizes[0] - outline.sizes[1]) < 0.008:
        order = np.argsort(-np.abs(outline.axes @ reference[:2, 0]))
    sides = [side for side in order if outline.sizes[side] <= GRIPPER_MAX_WIDTH - FINGER_ROOM]
    ways = sorted(product(*WAYS), key=_unusual)
    for (yaw, slant, shift, aside), side, depth in product(ways, sides, (1.0, 0.6)):
        fingers = turn_z(yaw) @ np.array([*outline.axes[side], 0.0])
        width = outline.sizes[side] if yaw == 0 else _width(thing.boxes, fingers)
        if width + 2 * abs(aside) > GRIPPER_MAX_WIDTH - FINGER_ROOM:
            continue
        along = turn_z(yaw) @ np.array([*outline.axes[1 - side], 0.0])
        lengthwise = np.array([*outline.axes[1 - side], 0.0])
        pos = np.array([*outline.centre, 0.0]) + shift * outline.sizes[1 - side] * lengthwise
        pos += aside * fingers
        pos[2] = _height(thing, thing.top - depth * thing.depths.top)
        pose = Pose(pos, frame(fingers, np.sin(slant) * along - np.cos(slant) * UP))
        if any(float(-np.sin(slant) * along @ SIDES[side]) > LEANING for side in style.avoid):
            last.append(pose)
        else:
            yield pose
    yield from last


def _unusual(way: tuple[float, float, float, float]) -> float:
    """Return how far a way to take something is from square over its middle, in small steps."""
    return sum(abs(off) / choices[1] for off, choices in zip(way, WAYS, strict=True))


def _height(thing: Thing, wanted: float) -> float:
    return max(wanted, thing.low + PAD_BELOW, thing.support_z + PAD_BELOW)


def _by_rim(thing: Thing, style: PickStyle) -> Iterator[Pose]:
    """From above, fingers inside and outside, tilted outwards if the style asks for it."""
    rim = find_rim(thing.boxes)
    if rim is None:
        return
    sides, fan = ((style.side,), FAN) if style.side else (style.usual_sides, FAN[:3])
    for name, slant, off in product(sides, SLANTS, fan):
        angle = np.arctan2(*SIDES[name][1::-1]) + style.side_angle + off
        outward = np.array([np.cos(angle), np.sin(angle), 0.0])
        pos = np.array([*rim.centre, 0.0]) + (rim.radius - thing.depths.rim_inset) * outward
        pos[2] = _height(thing, rim.height - thing.depths.rim)
        yield Pose(pos, frame(outward, np.sin(slant) * outward - np.cos(slant) * UP))


def _by_handle(thing: Thing) -> Iterator[Pose]:
    """From above, fingers on both sides of it, as squarely as there is room."""
    handle = find_handle(thing.boxes)
    if handle is None:
        return
    along = np.array([*handle.direction, 0.0])
    for slant, off, inset in product(SLANTS, FAN[:5], (0.0, 0.008, -0.008)):
        across = turn_z(off) @ np.cross(along, UP)
        pos = np.array([*handle.point[:2], 0.0]) - inset * along
        pos[2] = _height(thing, handle.height - thing.depths.handle)
        yield Pose(pos, frame(across, np.sin(slant) * np.cross(UP, across) - np.cos(slant) * UP))


def _by_edge(thing: Thing, style: PickStyle) -> Iterator[Pose]:
    """A flat thing by its rim from the side, one finger over it and one under it."""
    rim = find_rim(thing.boxes)
    if rim is None:
        return
    for tilt, (_, inward) in product(_tilts(style), _directions(style)):
        approach = inward * np.sin(tilt) - np.array([0.0, 0.0, np.cos(tilt)])
        rotation = frame(np.array([0.0, 0.0, 1.0]), approach)
        pos = np.array([*rim.centre, 0.0]) - (rim.radius - thing.depths.edge) * inward
        pos[2] = (thing.top + thing.low) / 2
        yield Pose(pos, rotation)


def _tilted(thing: Thing, style: PickStyle, outline: Footprint) -> Iterator[Pose]:
    """Beside or slanting over, fingers level on both sides; lined up with faces if they are near.

    A slanting hand reaches little under the top before its palm touches it, a level one much.
    """
    tall = thing.top - thing.low
    for tilt in _tilts(style):
        depths: Sequence[float] = [0.4 * tall, 0.3 * tall, 0.5 * tall, 0.2 * tall, 0.12 * tall]
        if tilt < STEEP:
            depths = [0.030, 0.024, 0.018, 0.013]
        for _, inward in _directions(style):
            aligned = _nearest_face(inward, outline)
            for along, depth, shift in product(
                [aligned] if aligned is not None else [inward], depths, (0.0, 0.008, 0.016)
            ):
                approach = along * np.sin(tilt) - np.array([0.0, 0.0, np.cos(tilt)])
                rotation = frame(np.cross(along, [0.0, 0.0, 1.0]), approach)
                pos = np.array([*outline.centre, 0.0]) - shift * along
                pos[2] = _height(thing, thing.top - depth)
                if _width(thing.boxes, rotation[:, 0]) < GRIPPER_MAX_WIDTH - FINGER_ROOM:
                    yield Pose(pos, rotation)


def _tilts(style: PickStyle) -> FloatArray:
    count = round((style.tilt - style.least_tilt) / TILT_STEP) + 1
    return np.linspace(style.tilt, style.least_tilt, max(1, count))


def _directions(style: PickStyle) -> Iterator[tuple[str, FloatArray]]:
    """Yield sides that the hand may come from, with the direction in which it then goes."""
    sides = sorted(SIDES, key=lambda side: side in style.avoid)
    for side in sides if style.come_from == "any" else [style.come_from]:
        yield side, -SIDES[side]


def _nearest_face(inward: FloatArray, outline: Footprint) -> FloatArray | None:
    """Return the normal of an object's face nearest to a direction, (3,), if it is near."""
    normals = np.concatenate([outline.axes, -outline.axes])
    best = normals[int(np.argmax(normals @ inward[:2]))]
    if float(best @ inward[:2]) < np.cos(ALIGNED):
        return None
    return np.array([*best, 0.0])


def _width(boxes: Boxes, direction: FloatArray) -> float:
    return float(np.ptp(boxes.corners @ direction))
