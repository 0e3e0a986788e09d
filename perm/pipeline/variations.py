"""What a preference needs of a scene: something to choose from, something to keep away from, room.

A variation is what the rules ask for; where it goes is a proposer's business (`proposals.py`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from perm.bddl.changes import free_name
from perm.core.catalogue import Catalogue, ObjectKind
from perm.core.errors import PermError
from perm.core.layout import Atom, Layout
from perm.core.mission import Goal, Mission
from perm.core.task import Level, Preference
from perm.pipeline.spots import beside_way, stays_on_surface

GROUPS = ("drink", "sauce", "food", "kitchenware", "book")
"""Tags that name a kind of thing, the narrow ones first: "a drink" is said of what has the tag."""
KEPT_AWAY_FROM = "wine_bottle"
"""What is added where there is nothing to keep away from."""
GRASPED = 0.075
"""Widest that a hand grasps [m]; what is wider has to have a rim, as a bowl or a plate has."""
RIMMED = ("bowl", "plate", "mug", "ramekin", "frypan")
TALL = 0.08
"""Least height of what a hand comes to from the side [m]."""
DRAWERS = ("top", "middle", "bottom")
ALONG_SURFACE = ("pushed_share", "dragged_share")
"""Measurements of preferences for moving something without lifting it."""
MIN_RATIO = 1.15
"""Least ratio of volumes of a bigger and a smaller thing of one kind."""


@dataclass(frozen=True)
class Wanted:
    """Something that needs a place.

    Attributes:
        name: Of the object.
        category: Of an object to add; None for one that is there and is moved.
        constraint: Where, in the words of `perm.pipeline.spots`.
    """

    name: str
    category: str | None
    constraint: str = "anywhere"


@dataclass(frozen=True)
class Variation:
    """What becomes of a mission for a preference.

    Attributes:
        wanted: What needs a place.
        language: The sentence, said so that every choice fits.
        goal: With all choices.
        avoided: Object or fixture to keep away from, where that is what is asked.
    """

    wanted: tuple[Wanted, ...]
    language: str
    goal: Goal
    avoided: str | None = None


def vary(mission: Mission, preference: Preference, catalogue: Catalogue) -> Variation:
    """Return the variation of a mission that a preference needs.

    Raises:
        PermError: The preference cannot be shown in this mission; says why.
    """
    moves = [a for a in mission.layout.goal if a[0] in ("on", "in")]
    if not moves:
        raise PermError(f"Mission {mission.id} moves nothing.")
    if preference.level is Level.PROFILE:
        return _choice(mission, moves, preference, catalogue)
    name = moves[0][1]
    kind = _kind(mission.layout, name, catalogue)
    _check_suits(preference, kind)
    if preference.metric.name in ALONG_SURFACE and not stays_on_surface(mission.layout, moves[0]):
        raise PermError(f"{name} is not moved along the surface it stands on.")
    wanted = Wanted(name, None)
    if preference.metric.name != "target_distance":
        return Variation((wanted,), mission.language, mission.goal)
    avoided = beside_way(mission.layout, moves[0], catalogue)
    if avoided is not None:
        return Variation((), mission.language, mission.goal, avoided)
    avoided = free_name(mission.layout, KEPT_AWAY_FROM)
    wanted = Wanted(avoided, KEPT_AWAY_FROM, f"clustered with {name}")
    return Variation((wanted,), mission.language, mission.goal, avoided)


def _check_suits(preference: Preference, kind: ObjectKind) -> None:
    """Refuse a motion or skill preference that an object's shape does not allow."""
    pick = preference.expert.get("pick", {})
    height = kind.measured.size[2]
    if "side" in pick and kind.noun not in RIMMED:
        raise PermError(f"A {kind.noun} has no rim to be taken by.")
    if pick.get("at") == "handle" and kind.noun not in ("mug", "pot", "frypan"):
        raise PermError(f"A {kind.noun} has no handle.")
    if "tilt" in pick and (height < TALL or kind.measured.min_width > GRASPED):
        raise PermError(f"A {kind.noun} is too low or too wide to be taken from aside.")


def _choice(
    mission: Mission, moves: list[Atom], preference: Preference, catalogue: Catalogue
) -> Variation:
    """Return the variation in which there is something to choose from."""
    choice, layout = preference.choice, mission.layout
    if "drawer" in choice:
        return _drawers(mission, moves, str(choice["drawer"]), str(choice["tag"]), catalogue)
    if "portions" in choice:
        name = moves[0][1]
        category = _kind(layout, name, catalogue).category
        second = free_name(layout, category)
        both = (*layout.goal, (moves[0][0], second, moves[0][2]))
        goal = Goal((layout.goal, both))
        return Variation((Wanted(second, category),), mission.language, goal)
    for position in (1, 2):
        for atom in moves:
            if atom[position] not in {entity.name for entity in layout.objects}:
                continue
            kind = _kind(layout, atom[position], catalogue)
            for other, said in _rivals(kind, preference, catalogue):
                name = free_name(layout, other.category)
                swapped = tuple(
                    tuple(name if word == atom[position] else word for word in one)
                    for one in layout.goal
                )
                language = abstracted(mission.language, kind, said)
                return Variation(
                    (Wanted(name, other.category),), language, Goal((layout.goal, swapped))
                )
    raise PermError(
        f"There is nothing to choose from for {preference.name!r}: no installed object goes with "
        f"{', '.join(atom[1] for atom in moves)}."
    )


def _rivals(
    kind: ObjectKind, preference: Preference, catalogue: Catalogue
) -> Iterator[tuple[ObjectKind, str]]:
    """Yield what can be added so that one of both is preferred, with a word for both."""
    for other in catalogue.values():
        if other.category == kind.category or not _graspable(other):
            continue
        group = next((tag for tag in GROUPS if tag in kind.tags & other.tags), None)
        alike = _alike(kind, other)
        if {"colour", "size"} & set(preference.choice):
            if alike and _differ(kind, other, preference):
                yield other, kind.noun
        elif group and _differ(kind, other, preference):
            yield other, kind.noun if alike else group


def _alike(kind: ObjectKind, other: ObjectKind) -> bool:
    """Return whether two kinds are variants of one: of a food its whole name tells, else a noun."""
    if "food" in kind.tags:
        return other.base.endswith(kind.base) or kind.base.endswith(other.base)
    return other.noun == kind.noun


def _differ(kind: ObjectKind, other: ObjectKind, preference: Preference) -> bool:
    """Return whether a preference likes one of two kinds of things and not the other."""
    choice = preference.choice
    if "size" in choice:
        small, large = sorted((kind.measured.volume, other.measured.volume))
        return large > MIN_RATIO * small
    if "colour" in choice:
        liked = [one.measured.colour == choice["colour"] for one in (kind, other)]
    elif "container" in choice:
        liked = [one.container == choice["container"] for one in (kind, other)]
    else:
        tags = set(str(choice["tag"]).split())
        liked = [bool(tags & one.tags) for one in (kind, other)]
    return bool(liked[0] != liked[1])


def _graspable(kind: ObjectKind) -> bool:
    return kind.measured.movable and (kind.measured.min_width <= GRASPED or kind.noun in RIMMED)


def _drawers(
    mission: Mission, moves: list[Atom], drawer: str, tags: str, catalogue: Catalogue
) -> Variation:
    """Return the variation in which another drawer of the same cabinet may be taken, too."""
    layout = mission.layout
    regions = {region.full_name: region for region in layout.regions}
    for atom in moves:
        region = regions.get(atom[2])
        if region is None or region.name not in [f"{one}_region" for one in DRAWERS]:
            continue
        if not set(tags.split()) & _kind(layout, atom[1], catalogue).tags:
            raise PermError(f"{atom[1]} is nothing that the preference is about.")
        there = region.name.removesuffix("_region")
        other = drawer if there != drawer else next(d for d in DRAWERS[::-1] if d != drawer)
        target = f"{region.target}_{other}_region"
        if target not in regions:
            raise PermError(f"The layout has no region {target}.")
        swapped = tuple(
            tuple(target if word == atom[2] else word for word in one) for one in layout.goal
        )
        language = mission.language.replace(f"the {there} drawer", "a drawer")
        return Variation((), language, Goal((layout.goal, swapped)))
    raise PermError(f"Mission {mission.id} puts nothing into a drawer.")


def abstracted(sentence: str, kind: ObjectKind, word: str) -> str:
    """Return a sentence in which a thing is called by a word that fits others, too.

    "pick up the orange juice ..." becomes "pick up a drink ...": the longest part of its name that
    the sentence holds is replaced, with an adjective before it.
    """
    words = kind.category.split("_")
    parts = [" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    for part in sorted(parts, key=len, reverse=True):
        for article in ("the ", "The "):
            if f"{article}{part}" in sentence:
                said = (
                    f"{article}{part} box" if f"{article}{part} box" in sentence else article + part
                )
                return sentence.replace(said, f"a {word}", 1)
    return sentence


def vary_mission(mission: Mission, layout: Layout, variation: Variation) -> Mission:
    """Return the mission in a changed layout, with its sentence and its goal."""
    return replace(
        mission,
        layout=layout,
        language=variation.language,
        goal=variation.goal,
        init_states=None,
        starts=None,
    )


def _kind(layout: Layout, name: str, catalogue: Catalogue) -> ObjectKind:
    categories = {entity.name: entity.category for entity in (*layout.fixtures, *layout.objects)}
    category = categories.get(name, "")
    if category not in catalogue:
        raise PermError(f"Nothing is known of {name}: its category is not in the catalogue.")
    return catalogue[category]
