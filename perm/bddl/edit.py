"""Changes of a scene as text: each is a value, and a list of them turns one Layout into another.

An edit says what it needs and fails where the scene does not have it; one that changes nothing is
an error, since somebody meant something by it. What comes out is a scene that LIBERO reads.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from perm.bddl.changes import (
    Spot,
    find_entity,
    find_object,
    placed,
    refuse_taken,
    renamed,
    unplaced,
    with_entity,
)
from perm.bddl.check import check_layout
from perm.bddl.errors import EditError
from perm.bddl.write import layout_digest
from perm.core.errors import unknown_name
from perm.core.layout import Atom, Entity, Layout, Region


class Edit(Protocol):
    """One change of a layout."""

    def apply(self, layout: Layout) -> Layout:
        """Return the changed layout, neither checked nor with its digest yet."""
        ...


@dataclass(frozen=True)
class AddObject:
    """Put another object on the work surface, or on or in something that is there.

    Attributes:
        name, category: Of the object.
        where: A spot on the work surface, or an atom's end: ("on", "plate_1").
    """

    name: str
    category: str
    where: Spot | tuple[str, str]

    def apply(self, layout: Layout) -> Layout:
        """Put it behind the others of its category: LIBERO wants these together."""
        refuse_taken(layout, self.name)
        layout = with_entity(layout, Entity(self.name, self.category))
        return placed(layout, self.name, self.where)


@dataclass(frozen=True)
class MoveObject:
    """Put an object or a fixture somewhere else."""

    name: str
    where: Spot | tuple[str, str]

    def apply(self, layout: Layout) -> Layout:
        """Drop where it was, and a region that nothing else needs."""
        find_entity(layout, self.name)
        return placed(unplaced(layout, self.name), self.name, self.where)


@dataclass(frozen=True)
class ReplaceObject:
    """Put an object of another category in the place of one; the goal follows.

    Attributes:
        name: Of what is replaced.
        new_name, category: Of what comes in its place.
    """

    name: str
    new_name: str
    category: str

    def apply(self, layout: Layout) -> Layout:
        """Rename it wherever it is named."""
        old = find_object(layout, self.name)
        if self.new_name != old.name:
            refuse_taken(layout, self.new_name)
        kept = tuple(entity for entity in layout.objects if entity != old)
        layout = with_entity(replace(layout, objects=kept), Entity(self.new_name, self.category))
        return renamed(layout, old.name, self.new_name)


@dataclass(frozen=True)
class RemoveObject:
    """Take an object or a fixture away, with its regions."""

    name: str

    def apply(self, layout: Layout) -> Layout:
        """Refuse where the goal needs it, or something stands on it."""
        gone = find_entity(layout, self.name)
        parts = {r.full_name for r in layout.regions if r.target == gone.name} | {gone.name}
        layout = unplaced(layout, gone.name)
        for section, atoms in ((":goal", layout.goal), (":init", layout.init)):
            for atom in atoms:
                if parts & set(atom[1:]):
                    raise EditError(
                        f"{gone.name!r} cannot go: ({' '.join(atom)}) in {section} needs it."
                    )
        return replace(
            layout,
            fixtures=tuple(entity for entity in layout.fixtures if entity != gone),
            objects=tuple(entity for entity in layout.objects if entity != gone),
            regions=tuple(r for r in layout.regions if r.target != gone.name),
            objects_of_interest=tuple(n for n in layout.objects_of_interest if n not in parts),
        )


@dataclass(frozen=True)
class AddRegion:
    """Name another place."""

    region: Region

    def apply(self, layout: Layout) -> Layout:
        """Put it behind the others."""
        return replace(layout, regions=(*layout.regions, self.region))


@dataclass(frozen=True)
class RemoveRegion:
    """Take away a place that nothing is in and no goal names; by its full name."""

    name: str

    def apply(self, layout: Layout) -> Layout:
        """Refuse where it is used."""
        known = [region.full_name for region in layout.regions]
        if self.name not in known:
            raise EditError(str(unknown_name("region", self.name, known)))
        for atom in (*layout.init, *layout.goal):
            if self.name in atom[1:]:
                raise EditError(f"{self.name!r} cannot go: ({' '.join(atom)}) needs it.")
        kept = tuple(region for region in layout.regions if region.full_name != self.name)
        return replace(layout, regions=kept)


@dataclass(frozen=True)
class AddInit:
    """Say one more thing of the start that is no place: a drawer that is open."""

    atom: Atom

    def apply(self, layout: Layout) -> Layout:
        """Put it behind the others, unless it is said already."""
        if self.atom in layout.init:
            return layout
        return replace(layout, init=(*layout.init, self.atom))


@dataclass(frozen=True)
class SetLanguage:
    """Say the task in other words."""

    language: str

    def apply(self, layout: Layout) -> Layout:
        """Take the sentence as it is."""
        return replace(layout, language=self.language)


@dataclass(frozen=True)
class SetGoal:
    """Ask for something else, and name what it is about."""

    goal: tuple[Atom, ...]

    def apply(self, layout: Layout) -> Layout:
        """Take the goal; the objects of interest are what it names."""
        named = tuple(dict.fromkeys(name for atom in self.goal for name in atom[1:]))
        return replace(layout, goal=self.goal, objects_of_interest=named)


def edit_layout(layout: Layout, edits: Iterable[Edit]) -> Layout:
    """Return the layout with all edits made, checked and with its digest.

    Raises:
        EditError: An edit cannot be made, or changes nothing.
        BddlError: LIBERO would refuse or misread what comes out.
    """
    for edit in edits:
        changed = edit.apply(layout)
        if changed == layout:
            raise EditError(f"{edit} changes nothing.")
        layout = replace(changed, digest="")
    check_layout(layout)
    return replace(layout, digest=layout_digest(layout))
