"""A Layout to its canonical text, which LIBERO's own parser reads to the same content."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from perm.bddl.check import check_layout
from perm.core.layout import Atom, DerivedCategory, Entity, Layout, Region


def write_layout(layout: Layout) -> str:
    """Return the canonical text: `parse_layout` of it gives the layout back, floats to the bit.

    Raises:
        BddlError: The layout is one that LIBERO would refuse or misread.
    """
    check_layout(layout)
    goal = " ".join(map(_atom, layout.goal))
    lines = [
        f"(define (problem {layout.problem})",
        "  (:domain robosuite)",
        f"  (:language {layout.language})",
        *_section(":regions", map(_region, layout.regions)),
        *_section(":fixtures", _entities(layout.fixtures)),
        *_section(":objects", _entities(layout.objects)),
        *_section(":obj_of_interest", layout.objects_of_interest),
        *_section(":init", map(_atom, layout.init)),
        *_section(":goal", [f"(And {goal})"]),
        ")",
    ]
    return "\n".join(lines) + "\n"


def layout_digest(layout: Layout) -> str:
    """Return the sha256 of the canonical text and of the derived categories, in hex."""
    derived = "".join(f"{one}\n" for one in layout.derived)
    return hashlib.sha256((write_layout(layout) + derived).encode()).hexdigest()


def with_derived(layout: Layout, known: Iterable[DerivedCategory]) -> Layout:
    """Return the layout with those of the known derived categories that are in it."""
    used = {entity.category for entity in (*layout.fixtures, *layout.objects)}
    derived = tuple(
        sorted((one for one in known if one.category in used), key=attrgetter("category"))
    )
    if derived == layout.derived:
        return layout
    layout = replace(layout, derived=derived)
    return replace(layout, digest=layout_digest(layout))


def _section(name: str, lines: Iterable[str]) -> list[str]:
    return [f"  ({name}", *(f"    {line}" for line in lines), "  )"]


def _region(region: Region) -> str:
    text = f"({region.name} (:target {region.target})"
    if region.ranges:
        text += f" (:ranges ({' '.join(map(_numbers, region.ranges))}))"
    if region.yaw is not None:
        text += f" (:yaw_rotation ({_numbers(region.yaw)}))"
    return text + ")"


def _numbers(numbers: Iterable[float]) -> str:
    return f"({' '.join(repr(float(number)) for number in numbers)})"


def _entities(entities: Iterable[Entity]) -> list[str]:
    return [
        f"{' '.join(entity.name for entity in group)} - {category}"
        for category, group in groupby(entities, key=attrgetter("category"))
    ]


def _atom(atom: Atom) -> str:
    predicate, *names = atom
    return f"({' '.join([predicate.capitalize(), *names])})"
