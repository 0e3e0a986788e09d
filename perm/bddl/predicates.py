"""What LIBERO can place and what it can check: predicates and the kinds of their arguments.

Kinds of names: an *object* has a free joint, a *fixture* none; the *surface* is what the scene
class builds around (a table, the floor); a *zone* is a region of the surface, a *part* a region
of an object or a fixture.
"""

from collections.abc import Mapping
from types import MappingProxyType

from perm.core.errors import unknown_name
from perm.core.layout import Atom, Entity, Layout

WORK_SURFACES: Mapping[str, Entity] = MappingProxyType(
    {
        "LIBERO_Coffee_Table_Manipulation": Entity("coffee_table", "coffee_table"),
        "LIBERO_Floor_Manipulation": Entity("floor", "floor"),
        "LIBERO_Kitchen_Tabletop_Manipulation": Entity("kitchen_table", "kitchen_table"),
        "LIBERO_Living_Room_Tabletop_Manipulation": Entity(
            "living_room_table", "living_room_table"
        ),
        "LIBERO_Study_Tabletop_Manipulation": Entity("study_table", "study_table"),
        "LIBERO_Tabletop_Manipulation": Entity("main_table", "table"),
    }
)
"""LIBERO's scene classes, each with the fixture that its regions have to name."""

_KINDS = "(zone: region of the work surface; part: region of an object or fixture)"
_Forms = Mapping[str, tuple[tuple[str, ...], ...]]
_JOINTED = (("fixture",), ("part",), ("object",))
_SWITCHED = (("fixture",), ("object",))

INIT_FORMS: _Forms = MappingProxyType(
    {
        "on": (("object", "object"), ("object", "zone"), ("object", "part"), ("fixture", "zone")),
        "in": (("object", "part"),),
        "open": _JOINTED,
        "close": _JOINTED,
        "turnon": _SWITCHED,
        "turnoff": _SWITCHED,
    }
)
"""What sets something up. LIBERO passes over most other forms: the object starts at the origin."""

GOAL_FORMS: _Forms = MappingProxyType(
    {
        "on": tuple(
            (above, below)
            for above in ("object", "fixture")
            for below in ("object", "fixture", "zone", "part")
        ),
        "in": tuple(
            (inner, outer) for inner in ("object", "fixture") for outer in ("part", "zone")
        ),
        "open": _JOINTED,
        "close": _JOINTED,
        "turnon": _SWITCHED,
        "turnoff": _SWITCHED,
        "up": (("object",), ("fixture",)),
    }
)
"""What can be checked. LIBERO raises on any other form, at the first step."""


def kinds_of(layout: Layout) -> dict[str, str]:
    """Return the kind of each name that atoms may use; regions of unknown targets have none."""
    surface = WORK_SURFACES[layout.problem].name
    kinds = {entity.name: "fixture" for entity in layout.fixtures}
    kinds |= {entity.name: "object" for entity in layout.objects}
    kinds[surface] = "surface"
    regions = {
        region.full_name: "zone" if region.target == surface else "part"
        for region in layout.regions
        if region.target in kinds
    }
    return kinds | regions


def fault(atom: Atom, forms: _Forms, kinds: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the word of an atom that is wrong and why, or None if all is well."""
    predicate, *names = atom
    if predicate not in forms:
        return predicate, str(unknown_name("predicate", predicate, forms))
    arity = len(forms[predicate][0])
    if len(names) != arity:
        return predicate, f"{predicate!r} takes {arity} argument(s), not {len(names)}."
    for name in names:
        if name not in kinds:
            return name, str(unknown_name("object, fixture or region", name, kinds))
        if kinds[name] == "surface":
            return name, f"LIBERO knows no place {name!r}: name one of its regions."
    form = tuple(kinds[name] for name in names)
    if form not in forms[predicate]:
        known = ", ".join(f"({predicate} {' '.join(f)})" for f in forms[predicate])
        message = f"LIBERO knows no ({predicate} {' '.join(form)}) here, only {known}. {_KINDS}"
        return names[-1], message
    return None
