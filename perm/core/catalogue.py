"""What is known of a category of objects: what it is, and what was measured of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from perm.core.layout import DerivedCategory

NEUTRAL = ("black", "grey", "white")
"""Colours that no preference names."""
SHOWS = 0.3
"""Share of what is seen of an object from which on it is called by a colour."""


@dataclass(frozen=True)
class Measures:
    """What was measured of one object of a category, standing as LIBERO puts it down.

    Attributes:
        movable: Whether it can be moved; a fixture cannot.
        size: Along x, y and z, of what can be seen of it (3,) [m].
        min_width: Its smallest level width [m].
        radius: Of the upright cylinder round it [m].
        mass: [kg].
        colours: Share of each colour in what is seen of it from all round, the largest first.
    """

    movable: bool
    size: tuple[float, float, float]
    min_width: float
    radius: float
    mass: float
    colours: Mapping[str, float]

    @property
    def colour(self) -> str | None:
        """The colour that it is called by; None for black, grey, white and what is of all."""
        bright = {name: share for name, share in self.colours.items() if name not in NEUTRAL}
        most = max(bright, key=lambda name: bright[name], default=None)
        return most if most is not None and bright[most] >= SHOWS else None

    @property
    def volume(self) -> float:
        """Of the box round it [m^3]."""
        x, y, z = self.size
        return x * y * z


@dataclass(frozen=True)
class Inside:
    """A region in an object.

    Attributes:
        door: Region that has to be open to reach it, "self" for the object as a whole; None where
            there is no door.
        roof: Whether something is over it, so that things slide in from the front.
    """

    door: str | None = None
    roof: bool = False


@dataclass(frozen=True)
class ObjectKind:
    """One category of objects.

    Attributes:
        category: Its name.
        tags: What it is: food, drink, dairy, sauce, kitchenware, ...
        container: What it comes in, "boxed", "bottled" or "canned"; None for what has none.
        measured: See there.
        derived: How it is made, for a category of ours.
        inside: Its regions that are not open to above.
    """

    category: str
    tags: frozenset[str]
    container: str | None
    measured: Measures
    derived: DerivedCategory | None = None
    inside: Mapping[str, Inside] = field(default_factory=dict)

    @property
    def base(self) -> str:
        """The category that it is a variant of, or itself."""
        return self.derived.base if self.derived else self.category

    @property
    def noun(self) -> str:
        """The last word of its name: what one calls it where nothing more is said."""
        return self.category.split("_")[-1]


Catalogue = Mapping[str, ObjectKind]
"""By category."""


def derived_in(catalogue: Catalogue) -> tuple[DerivedCategory, ...]:
    """Return the categories of ours in a catalogue."""
    return tuple(kind.derived for kind in catalogue.values() if kind.derived is not None)
