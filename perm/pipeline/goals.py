"""The plain plan of a goal: from what has to hold in the end to what is done, in a sound order."""

from collections.abc import Iterable, Iterator

from perm.bddl.predicates import kinds_of
from perm.core.catalogue import Catalogue, Inside
from perm.core.errors import PermError
from perm.core.layout import Atom, Layout
from perm.core.mission import SkillCall, SubtaskPlan
from perm.core.plan import SWITCHES

STANDS = 0.08
"""What is taller than this does not stand in a drawer, it lies [m]."""
LAY_TILT = 1.45
"""Tilt of the hand with which something is taken that is laid down [rad]."""
SLIDE_TILT = 1.2
"""Tilt of the hand with which something is taken that slides in [rad]."""
SLID_BY = {"frypan": "handle", "plate": "rim", "bowl": "rim"}
"""Where flat things are taken to be slid in."""
BY_PREDICATE = {predicate: skill for skill, predicate in SWITCHES.items()}


def plan_goal(layout: Layout, goal: Iterable[Atom], catalogue: Catalogue) -> SubtaskPlan:
    """Return a plan after which a goal holds: open, switch, move what is under first, close.

    Args:
        layout: The scene.
        goal: Atoms that all have to hold.
        catalogue: What is known of the objects.

    Raises:
        PermError: An atom that no skill brings about.
    """
    goal = [atom for atom in goal if atom not in layout.init]
    moves = _supports_first([atom for atom in goal if atom[0] in ("on", "in")])
    switches = [atom for atom in goal if atom[0] in BY_PREDICATE]
    for atom in goal:
        if atom not in moves and atom not in switches:
            raise PermError(f"No skill brings about ({' '.join(atom)}).")
    scene = _Scene(layout, catalogue)
    opened = [atom[1] for atom in switches if atom[0] == "open"]
    needed = [door for atom in moves for door in scene.doors(atom) if door not in opened]
    calls = [SkillCall("open", name) for name in dict.fromkeys([*opened, *needed])]
    calls += [_switch(atom) for atom in switches if atom[0].startswith("turn")]
    for atom in moves:
        calls += scene.move(atom)
    calls += [_switch(atom) for atom in switches if atom[0] == "close"]
    return SubtaskPlan(tuple(calls))


def _switch(atom: Atom) -> SkillCall:
    return SkillCall(BY_PREDICATE[atom[0]], atom[1])


def _supports_first(moves: list[Atom]) -> list[Atom]:
    """Return moves so that what something is put on is there already."""
    ordered: list[Atom] = []
    waiting = list(moves)
    while waiting:
        names = {atom[1] for atom in waiting}
        ready = [atom for atom in waiting if not _rests_on(atom, names - {atom[1]})]
        if not ready:
            raise PermError(f"{' and '.join(sorted(names))} cannot all lie on each other.")
        ordered += ready
        waiting = [atom for atom in waiting if atom not in ready]
    return ordered


def _rests_on(atom: Atom, names: set[str]) -> bool:
    return any(atom[2] == name or atom[2].startswith(f"{name}_") for name in names)


class _Scene:
    """A layout, with what is known of the things in it."""

    def __init__(self, layout: Layout, catalogue: Catalogue) -> None:
        self._layout, self._catalogue = layout, catalogue
        entities = (*layout.fixtures, *layout.objects)
        self._categories = {entity.name: entity.category for entity in entities}
        self._owners = {region.full_name: region for region in layout.regions}
        self._kinds = kinds_of(layout)

    def doors(self, move: Atom) -> Iterator[str]:
        """Yield what is closed and has to be open for a move: where it goes, and where it is."""
        at = [atom[2] for atom in self._layout.init if atom[:2] == ("in", move[1])]
        for place in (move[2], *at):
            door = self.inside(place).door
            if door is None:
                continue
            owner = self._owners[place].target
            name = owner if door == "self" else f"{owner}_{door}"
            if ("open", name) not in self._layout.init:
                yield name

    def inside(self, place: str) -> Inside:
        """Return what is known of a place; most are open to above."""
        region = self._owners.get(place)
        kind = self._catalogue.get(self._categories.get(region.target, "")) if region else None
        return kind.inside.get(region.name, Inside()) if kind and region else Inside()

    def move(self, atom: Atom) -> list[SkillCall]:
        """Return the calls that take an object to where it has to be.

        Raises:
            PermError: It is a fixture, which stays where it is.
        """
        predicate, name, place = atom
        if self._kinds[name] != "object":
            raise PermError(f"{name} cannot be moved: it is a fixture.")
        inside, tall = self.inside(place), self._height(name) > STANDS
        if inside.roof:
            noun = self._categories[name].split("_")[-1]
            by = {"at": SLID_BY[noun]} if noun in SLID_BY else {"tilt": SLIDE_TILT}
            return [SkillCall("pick", name, params=by), SkillCall("slide_in", name, place)]
        if inside.door and tall:
            return [
                SkillCall("pick", name, params={"tilt": LAY_TILT}),
                SkillCall("lay_down", name, place),
            ]
        skill = "place_in" if predicate == "in" else "place_on"
        return [SkillCall("pick", name), SkillCall(skill, name, place)]

    def _height(self, name: str) -> float:
        kind = self._catalogue.get(self._categories[name])
        return kind.measured.size[2] if kind else 0.0
