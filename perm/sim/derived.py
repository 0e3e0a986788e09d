"""Categories of ours: LIBERO's objects in another colour or size, registered with LIBERO."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

from perm.core.errors import PermError, unknown_name
from perm.core.layout import DerivedCategory

_SCALED = ("pos", "size")
"""Attributes that are lengths, of geoms, sites and bodies [m]."""
_MARK = "perm_derived"


def register_derived(derived: Iterable[DerivedCategory]) -> None:
    """Make derived categories known to LIBERO in this process, if they are not yet.

    Raises:
        PermError: The base is unknown, or the name means something else already.
    """
    from libero.libero.envs.base_object import OBJECTS_DICT

    for one in derived:
        known = OBJECTS_DICT.get(one.category)
        if known is not None and getattr(known, _MARK, None) != one:
            raise PermError(f"The category {one.category!r} is taken: give yours another name.")
        if one.base not in OBJECTS_DICT:
            raise unknown_name("base category", one.base, OBJECTS_DICT)
        if known is None:
            OBJECTS_DICT[one.category] = _derive(OBJECTS_DICT[one.base], one)


def _derive(base: Any, derived: DerivedCategory) -> Any:
    """Return a class like LIBERO's own, whose objects are tinted and scaled once they are read."""

    def begin(self: Any, name: str = derived.category) -> None:
        base.__init__(self, name=name)
        self.category_name = derived.category
        if derived.tint is not None:
            _tint(self, derived.tint)
        if derived.scale != 1.0:
            _scale(self, derived.scale)

    name = derived.category.title().replace("_", "")
    return type(name, (base,), {"__init__": begin, _MARK: derived})


def _tint(thing: Any, tint: tuple[float, float, float]) -> None:
    """Multiply its colours: a material's with its texture, and those of geoms without one."""
    coloured = [*thing.asset.iter("material")]
    coloured += [geom for geom in thing.get_obj().iter("geom") if geom.get("material") is None]
    for element in coloured:
        *colour, alpha = _numbers(element.get("rgba", "1 1 1 1"))
        tinted = [a * b for a, b in zip(colour, tint, strict=True)]
        element.set("rgba", _text([*tinted, alpha]))


def _scale(thing: Any, scale: float) -> None:
    """Multiply its lengths: of meshes, shapes, sites and what says how LIBERO puts it down."""
    for mesh in thing.asset.iter("mesh"):
        _multiply(mesh, "scale", scale, "1 1 1")
    for tree in (thing.get_obj(), thing.worldbody):
        for element in tree.iter():
            if element.tag in ("geom", "site", "body"):
                for attribute in _SCALED:
                    _multiply(element, attribute, scale)


def _multiply(element: ET.Element, attribute: str, scale: float, default: str = "") -> None:
    text = element.get(attribute, default)
    if text:
        element.set(attribute, _text([scale * number for number in _numbers(text)]))


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def _text(numbers: Iterable[float]) -> str:
    return " ".join(repr(round(number, 9)) for number in numbers)
