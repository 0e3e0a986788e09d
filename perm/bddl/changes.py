"""The steps that edits of a layout are made of; what comes out may still be incomplete."""

from dataclasses import dataclass, replace

from perm.bddl.errors import EditError
from perm.bddl.predicates import WORK_SURFACES
from perm.core.errors import unknown_name
from perm.core.layout import Atom, Entity, Layout, Region


@dataclass(frozen=True)
class Spot:
    """A small square on the work surface.

    Attributes:
        x, y: Its middle, relative to the middle of the surface [m].
        half: Half of its side [m].
        yaw: Range of the yaw of what stands there [rad], or None for what LIBERO does.
    """

    x: float
    y: float
    half: float = 0.01
    yaw: tuple[float, float] | None = (0.0, 0.0)

    def region(self, name: str, surface: str) -> Region:
        """Return the region of that name on a work surface."""
        corners = (self.x - self.half, self.y - self.half, self.x + self.half, self.y + self.half)
        x0, y0, x1, y1 = (round(corner, 6) for corner in corners)  # people read these files
        return Region(name, surface, ((x0, y0, x1, y1),), self.yaw)


def free_name(layout: Layout, category: str) -> str:
    """Return the first name of the form `category_1` that is free."""
    taken, number = set(_names(layout)), 1
    while f"{category}_{number}" in taken:
        number += 1
    return f"{category}_{number}"


def _names(layout: Layout) -> list[str]:
    return [entity.name for entity in (*layout.fixtures, *layout.objects)]


def refuse_taken(layout: Layout, name: str) -> None:
    """Raise EditError if something has a name already."""
    if name in _names(layout):
        raise EditError(f"The name {name!r} is taken already.")


def find_entity(layout: Layout, name: str) -> Entity:
    """Return an object or a fixture by name, but not the work surface, or raise EditError."""
    for entity in (*layout.objects, *layout.fixtures):
        if entity.name == name:
            if entity == WORK_SURFACES.get(layout.problem):
                raise EditError(f"{name!r} is the work surface of the scene: it stays.")
            return entity
    raise EditError(str(unknown_name("object or fixture", name, _names(layout))))


def find_object(layout: Layout, name: str) -> Entity:
    """Return an object by name, or raise EditError."""
    for entity in layout.objects:
        if entity.name == name:
            return entity
    raise EditError(str(unknown_name("object", name, [e.name for e in layout.objects])))


def with_entity(layout: Layout, entity: Entity) -> Layout:
    """Return the layout with one more object: behind its category's last, or behind all."""
    same = [i for i, known in enumerate(layout.objects) if known.category == entity.category]
    at = same[-1] + 1 if same else len(layout.objects)
    return replace(layout, objects=(*layout.objects[:at], entity, *layout.objects[at:]))


def placed(layout: Layout, name: str, where: Spot | tuple[str, str]) -> Layout:
    """Return the layout with something put at a spot, or as an atom's end says."""
    if isinstance(where, tuple):
        return replace(layout, init=(*layout.init, (where[0], name, where[1])))
    surface = WORK_SURFACES[layout.problem].name
    region = where.region(_free_region(layout, f"{name}_init_region", surface), surface)
    init = (*layout.init, ("on", name, region.full_name))
    return replace(layout, regions=(*layout.regions, region), init=init)


def _free_region(layout: Layout, name: str, surface: str) -> str:
    taken, number, free = {region.full_name for region in layout.regions}, 2, name
    while f"{surface}_{free}" in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def unplaced(layout: Layout, name: str) -> Layout:
    """Return the layout without the place of something, and without a region only it needed."""
    gone = next((a for a in layout.init if a[0] in ("on", "in") and a[1] == name), None)
    if gone is None:
        return layout
    init = tuple(atom for atom in layout.init if atom != gone)
    needed = {n for atom in (*init, *layout.goal) for n in atom[1:]} | set(
        layout.objects_of_interest
    )
    surface = WORK_SURFACES[layout.problem].name
    regions = tuple(
        region
        for region in layout.regions
        if region.full_name != gone[2] or region.full_name in needed or region.target != surface
    )
    return replace(layout, init=init, regions=regions)


def renamed(layout: Layout, old: str, new: str) -> Layout:
    """Return the layout with an object's name, and those of its regions, changed everywhere."""
    names = {old: new}
    names |= {r.full_name: f"{new}_{r.name}" for r in layout.regions if r.target == old}

    def atoms(found: tuple[Atom, ...]) -> tuple[Atom, ...]:
        return tuple((atom[0], *(names.get(name, name) for name in atom[1:])) for atom in found)

    return replace(
        layout,
        regions=tuple(replace(r, target=names.get(r.target, r.target)) for r in layout.regions),
        objects_of_interest=tuple(names.get(n, n) for n in layout.objects_of_interest),
        init=atoms(layout.init),
        goal=atoms(layout.goal),
    )
