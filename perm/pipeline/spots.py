"""Places on a work surface for what is added or moved, under the paper's constraints.

The words are the paper's; the directions are LIBERO's: left and right are along y, front and back
along x, where the paper's prompt has them the other way round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from perm.bddl.changes import Spot
from perm.bddl.predicates import WORK_SURFACES
from perm.core.arrays import FloatArray
from perm.core.catalogue import Catalogue
from perm.core.conventions import EDIT_CLEARANCE, SIDES
from perm.core.errors import PermError, unknown_name
from perm.core.layout import Atom, Layout

LIMIT = 0.25
"""Largest x and y of a place, relative to the middle of the work surface [m]."""
NEAR_MIDDLE = 0.10
"""Distance from the middle within which a place is "accessible" [m]."""
CLUSTERED = (0.03, 0.045)
"""Free width between what is "clustered with" something and it [m]."""
ASIDE = 0.05
"""Distance from the middle beyond which a place is left, right, front or back [m]."""
UNKNOWN = 0.06
"""Radius of what the catalogue does not know [m]."""
REACH = 0.79
"""Farthest from the robot's base that something is put [m]."""
BESIDE = (0.08, 0.20)
"""Distances from a straight way at which something is worth keeping away from [m]."""
DRAWS = 2000
BASES = {
    "LIBERO_Coffee_Table_Manipulation": -0.51,
    "LIBERO_Floor_Manipulation": -0.60,
    "LIBERO_Kitchen_Tabletop_Manipulation": -0.66,
    "LIBERO_Living_Room_Tabletop_Manipulation": -0.51,
    "LIBERO_Study_Tabletop_Manipulation": -0.55,
    "LIBERO_Tabletop_Manipulation": -0.66,
}
"""By scene class: x of the robot's base, relative to the middle of the work surface [m]."""
WORDS = ("anywhere", "accessible", "center", "reachable", "clustered with X", *SIDES)


@dataclass(frozen=True)
class Standing:
    """Something that stands on the surface, seen from above.

    Attributes:
        name: In the scene.
        middle: (2,) [m].
        half: Half of its sides (2,) [m]; none for what is round.
        yaw: Of its sides [rad].
        radius: Free width that it needs beside them, or its radius [m].
    """

    name: str
    middle: FloatArray
    half: FloatArray
    yaw: float
    radius: float

    def gap(self, place: FloatArray) -> float:
        """Return how far a place (2,) is outside of it [m]."""
        away = place - self.middle
        cosine, sine = np.cos(self.yaw), np.sin(self.yaw)
        local = np.abs([cosine * away[0] + sine * away[1], cosine * away[1] - sine * away[0]])
        return float(np.linalg.norm(np.maximum(local - self.half, 0.0))) - self.radius


def standing(layout: Layout, catalogue: Catalogue) -> Iterator[Standing]:
    """Yield what stands on the work surface: objects as circles, fixtures as rectangles."""
    regions = {region.full_name: region for region in layout.regions}
    surface = WORK_SURFACES[layout.problem].name
    fixtures = {entity.name for entity in layout.fixtures}
    categories = {e.name: e.category for e in (*layout.fixtures, *layout.objects)}
    for atom in layout.init:
        region = regions.get(atom[-1])
        if atom[0] != "on" or region is None or region.target != surface or not region.ranges:
            continue
        x0, y0, x1, y1 = region.ranges[0]
        middle, spread = np.array([(x0 + x1) / 2, (y0 + y1) / 2]), float(np.hypot(x1 - x0, y1 - y0))
        kind = catalogue.get(categories[atom[1]])
        if kind is not None and atom[1] in fixtures:
            half, yaw = np.array(kind.measured.size[:2]) / 2, float(np.mean(region.yaw or (0.0,)))
            yield Standing(atom[1], middle, half, yaw, spread / 2)
        else:
            radius = kind.measured.radius if kind else UNKNOWN
            yield Standing(atom[1], middle, np.zeros(2), 0.0, radius + spread / 2)


def draw_spot(
    radius: float,
    others: Sequence[Standing],
    constraint: str,
    base: FloatArray,
    rng: np.random.Generator,
) -> Spot:
    """Return a place for something round that keeps its distance to everything else.

    Args:
        radius: Of what is placed [m].
        others: What stands there already.
        base: Of the robot, relative to the middle of the surface (2,) [m].
        constraint: One of `WORDS`, with the name of something for X.
        rng: Draws it.

    Raises:
        PermError: The constraint is unknown, or there is no such place.
    """
    for _ in range(DRAWS):
        place = _draw(radius, others, constraint, rng)
        free = all(other.gap(place) >= radius + EDIT_CLEARANCE for other in others)
        near = np.linalg.norm(place - base) <= REACH
        if free and near and np.abs(place).max() <= LIMIT:
            return Spot(round(float(place[0]), 3), round(float(place[1]), 3))
    raise PermError(
        f"There is no place {constraint!r} for something of radius {radius:.3f} m beside "
        f"{', '.join(other.name for other in others)}."
    )


def _draw(
    radius: float, others: Sequence[Standing], constraint: str, rng: np.random.Generator
) -> FloatArray:
    """Return a place that fulfils a constraint, free or not, (2,) [m]."""
    if constraint.startswith("clustered with "):
        name = constraint.removeprefix("clustered with ")
        around = {other.name: other for other in others}
        if name not in around:
            raise unknown_name("thing to cluster with", name, around)
        away = radius + around[name].radius + float(np.max(around[name].half))
        away += rng.uniform(*CLUSTERED)
        angle = rng.uniform(0, 2 * np.pi)
        return np.asarray(around[name].middle + away * np.array([np.cos(angle), np.sin(angle)]))
    if constraint in ("accessible", "center", "reachable"):
        return np.asarray(rng.uniform(-NEAR_MIDDLE, NEAR_MIDDLE, size=2) / np.sqrt(2))
    place = rng.uniform(-LIMIT, LIMIT, size=2)
    if constraint in SIDES:
        side = SIDES[constraint][:2]
        axis = int(np.argmax(np.abs(side)))
        place[axis] = side[axis] * rng.uniform(ASIDE, LIMIT)
    elif constraint != "anywhere":
        raise unknown_name("constraint", constraint, WORDS)
    return np.asarray(place)


def beside_way(layout: Layout, atom: Atom, catalogue: Catalogue) -> str | None:
    """Return what stands nearest beside the way that an object goes, if anything does.

    Nearer than `BESIDE[0]` nobody could keep away from it, farther than `BESIDE[1]` everybody does.

    Args:
        layout: The scene.
        atom: Of the goal: what goes where.
        catalogue: Knows sizes.
    """
    things = {thing.name: thing for thing in standing(layout, catalogue)}
    owners = {region.full_name: region.target for region in layout.regions}
    target = owners.get(atom[2], atom[2])
    if atom[1] not in things or target not in things:
        return None
    start, end = things[atom[1]].middle, things[target].middle
    share = np.linspace(0.0, 1.0, 21)[:, None]
    points = start + share * (end - start)
    away = {
        name: float(np.linalg.norm(points - thing.middle, axis=1).min())
        for name, thing in things.items()
        if name not in (atom[1], target)
    }
    beside = [name for name, far in away.items() if BESIDE[0] <= far <= BESIDE[1]]
    return min(beside, key=lambda name: away[name], default=None)


def stays_on_surface(layout: Layout, atom: Atom) -> bool:
    """Return whether a goal's object goes from one place on the work surface to another."""
    surface = WORK_SURFACES[layout.problem].name
    regions = {region.full_name: region.target for region in layout.regions}
    begins = [fact[2] for fact in layout.init if fact[0] == "on" and fact[1] == atom[1]]
    return all(regions.get(place) == surface for place in (*begins, atom[2]))
