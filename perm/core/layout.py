"""A scene as text: one LIBERO problem file, taken apart."""

from dataclasses import dataclass

Atom = tuple[str, ...]
"""A predicate and its arguments, lower case: ("on", "akita_black_bowl_1", "plate_1")."""


@dataclass(frozen=True)
class Region:
    """A named place on an object or fixture; its full name is `<target>_<name>`.

    Attributes:
        name: Name as written in the file.
        target: Object or fixture that the region belongs to.
        ranges: Rectangles (x0, y0, x1, y1) relative to the target's surface centre [m].
        yaw: Range of the yaw of what is placed there [rad], or None if the file gives none.
    """

    name: str
    target: str
    ranges: tuple[tuple[float, float, float, float], ...] = ()
    yaw: tuple[float, float] | None = None

    @property
    def full_name(self) -> str:
        """The name by which `:init` and `:goal` refer to the region."""
        return f"{self.target}_{self.name}"


@dataclass(frozen=True)
class Entity:
    """An object or a fixture: its name in the scene and its category."""

    name: str
    category: str


@dataclass(frozen=True)
class DerivedCategory:
    """A category of ours: an installed one in another colour or size.

    Attributes:
        category: Its name.
        base: Category that it is made of.
        tint: What its colours are multiplied with, red, green, blue in [0, 1]; None for as it is.
        scale: How many times as large it is.
    """

    category: str
    base: str
    tint: tuple[float, float, float] | None = None
    scale: float = 1.0


@dataclass(frozen=True)
class Layout:
    """What is where at the start, with LIBERO's goal and sentence.

    Attributes:
        problem: Scene class, for example "LIBERO_Kitchen_Tabletop_Manipulation".
        language: The sentence exactly as written in the file.
        regions, fixtures, objects: In the order of the file (objects: state order).
        objects_of_interest: Names under `:obj_of_interest`.
        init: Atoms that hold at the start.
        goal: Atoms that must all hold; LIBERO's flat goal.
        digest: sha256 (hex) of the canonical text and of `derived`, see `perm.bddl.write`.
        derived: Those of its categories that are derived ones; the text does not hold them.
    """

    problem: str
    language: str
    regions: tuple[Region, ...]
    fixtures: tuple[Entity, ...]
    objects: tuple[Entity, ...]
    objects_of_interest: tuple[str, ...]
    init: tuple[Atom, ...]
    goal: tuple[Atom, ...]
    digest: str = ""
    derived: tuple[DerivedCategory, ...] = ()
