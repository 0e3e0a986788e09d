"""A Layout to its canonical text, which LIBERO's own parser reads to the same content."""

import hashlib
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from perm.bddl.check import check_layout
from perm.core.layout import Atom, Entity, Layout, Region


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
    """Return the sha256 of the canonical text, in hex."""
    return hashlib.sha256(write_layout(layout).encode()).hexdigest()


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
