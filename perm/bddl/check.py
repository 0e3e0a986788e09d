"""What a layout has to fulfil before a simulator sees it.

LIBERO refuses some faults with a bare KeyError, and loads others: a goal that is true at step
0, a goal that never can be, an object that starts at the world's origin under the floor.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from perm.bddl.errors import BddlError
from perm.bddl.predicates import GOAL_FORMS, INIT_FORMS, WORK_SURFACES, fault, kinds_of
from perm.bddl.sections import Section
from perm.core.errors import unknown_name
from perm.core.layout import Entity, Layout, Region

__all__ = ["BddlError", "check_layout"]

_NAME = re.compile(r"[^\s();]+")
_SENTENCE = re.compile(r"[^\s();]+( [^\s();]+)*")


class _Finding(NamedTuple):
    section: str
    token: str
    message: str
    item: int | None = None


def check_layout(layout: Layout, text: Mapping[str, Section] = MappingProxyType({})) -> None:
    """Refuse a layout that LIBERO would refuse or misread.

    That a goal is not already true shows only after settling, in the simulator.

    Args:
        layout: A layout, read from a file or edited.
        text: The sections that it was read from, so that the error can name the line; the atoms
            are the items of `:init` and `:goal`.

    Raises:
        BddlError: The first fault found.
    """
    for rule in _RULES:
        for section, token, message, item in rule(layout):
            if section in text:
                raise text[section].error_at(token, message, item)
            raise BddlError.at(message, "<layout>", None, section, token)


def _words(layout: Layout) -> Iterator[_Finding]:
    """Everything can be written as words that read back the same."""
    if not _SENTENCE.fullmatch(layout.language):
        message = "A sentence is words with single blanks between them, without brackets or ';'."
        yield _Finding(":language", layout.language, message)
    names = {
        ":regions": [word for r in layout.regions for word in (r.name, r.target)],
        ":fixtures": [word for e in layout.fixtures for word in (e.name, e.category)],
        ":objects": [word for e in layout.objects for word in (e.name, e.category)],
        ":obj_of_interest": list(layout.objects_of_interest),
        ":init": [word for atom in layout.init for word in atom],
        ":goal": [word for atom in layout.goal for word in atom],
    }
    message = "A name is one word in lower case, without brackets or ';'."
    for section, words in names.items():
        for word in words:
            if not _NAME.fullmatch(word) or word != word.lower() or word == "-":
                yield _Finding(section, word, message)


def _scene(layout: Layout) -> Iterator[_Finding]:
    """The scene class is one of LIBERO's, and its work surface has the name it expects."""
    surface = WORK_SURFACES.get(layout.problem)
    if surface is None:
        message = str(unknown_name("scene class", layout.problem, WORK_SURFACES))
        yield _Finding("problem", layout.problem, message)
    elif surface not in layout.fixtures:
        wanted = f"{surface.name} - {surface.category}"
        yield _Finding(":fixtures", surface.name, f"{layout.problem} needs '{wanted}'.")


def _entities(layout: Layout) -> Iterator[_Finding]:
    """No name twice, and the entities of one category together."""
    taken: set[str] = set()
    for section, entities in ((":fixtures", layout.fixtures), (":objects", layout.objects)):
        categories: list[str] = []
        for entity in entities:
            if entity.name in taken:
                yield _Finding(section, entity.name, "The name is taken already.")
            taken.add(entity.name)
            # LIBERO keeps one list a category: of two groups, it drops the first without a word.
            if entity.category in categories[:-1]:
                message = (
                    f"Write all of category {entity.category!r} together, or LIBERO drops some."
                )
                yield _Finding(section, entity.name, message)
            if entity.category not in categories[-1:]:
                categories.append(entity.category)


def _regions(layout: Layout) -> Iterator[_Finding]:
    """Regions have a target, a name of their own, and rectangles that are some."""
    kinds = kinds_of(layout)
    entities = {entity.name for entity in (*layout.fixtures, *layout.objects)}
    used = {name for atom in (*layout.init, *layout.goal) for name in atom[1:]}
    taken = set(entities)
    for item, region in enumerate(layout.regions):
        # LIBERO's own files hold regions of fixtures that are not there: harmless while unused.
        if region.target not in entities and (region.ranges or region.full_name in used):
            message = str(unknown_name("target", region.target, entities))
            yield _Finding(":regions", region.target, message, item)
        if region.full_name in taken:
            message = f"The name {region.full_name!r} is taken already."
            yield _Finding(":regions", region.name, message, item)
        taken.add(region.full_name)
        if kinds.get(region.full_name) == "zone" and not region.ranges:
            message = f"A region of {region.target!r} needs (:ranges ((x0 y0 x1 y1)))."
            yield _Finding(":regions", region.name, message, item)
        yield from _rectangles(region, item)


def _rectangles(region: Region, item: int) -> Iterator[_Finding]:
    for x0, y0, x1, y1 in region.ranges:
        if x0 > x1 or y0 > y1 or not all(map(math.isfinite, (x0, y0, x1, y1))):
            message = f"({x0} {y0} {x1} {y1}) is no rectangle (x0 <= x1 and y0 <= y1, in metres)."
            yield _Finding(":regions", region.name, message, item)
    if region.yaw is not None and not all(map(math.isfinite, region.yaw)):
        yield _Finding(":regions", region.name, f"{region.yaw} is no range of yaw.", item)


def _atoms(layout: Layout) -> Iterator[_Finding]:
    """Predicates and their arguments are of a kind that LIBERO can place, or check."""
    kinds = kinds_of(layout)
    for section, atoms, forms in (
        (":init", layout.init, INIT_FORMS),
        (":goal", layout.goal, GOAL_FORMS),
    ):
        for item, atom in enumerate(atoms):
            found = fault(atom, forms, kinds)
            if found:
                yield _Finding(section, *found, item)
    if not layout.goal:
        message = "The goal is empty: LIBERO would call it solved at step 0."
        yield _Finding(":goal", ":goal", message)
    for name in layout.objects_of_interest:
        if name not in kinds:
            message = str(unknown_name("object, fixture or region", name, kinds))
            yield _Finding(":obj_of_interest", name, message)


def _placing(layout: Layout) -> Iterator[_Finding]:
    """Everything but the work surface is placed once, no more and no less."""
    placed: set[str] = {WORK_SURFACES[layout.problem].name}
    for item, atom in enumerate(layout.init):
        if atom[0] in ("on", "in"):
            if atom[1] in placed:
                yield _Finding(":init", atom[1], "It is placed a second time.", item)
            placed.add(atom[1])
    for section, entities in ((":fixtures", layout.fixtures), (":objects", layout.objects)):
        for entity in entities:
            if entity.name not in placed:
                yield _Finding(section, entity.name, _unplaced(entity))


def _unplaced(entity: Entity) -> str:
    return f":init does not place it: add '(On {entity.name} <region>)'."


_RULES: tuple[Callable[[Layout], Iterator[_Finding]], ...] = (
    _words,
    _scene,
    _entities,
    _regions,
    _atoms,
    _placing,
)
