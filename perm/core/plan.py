"""What a plan comes to: which atoms hold after it, and which of its own rules it breaks."""

from collections.abc import Iterator

from perm.core.layout import Atom
from perm.core.mission import SkillCall, SubtaskPlan

ALL = "_ALL"
"""Wildcard: any skill, or any object."""
BRINGS = {
    "place_on": "on",
    "throw": "on",
    "lay_down": "in",
    "push": "on",
    "drag": "on",
    "place_in": "in",
    "slide_in": "in",
}
"""The predicate that holds for a skill's object and its target once it is done."""
SWITCHES = {"open": "open", "close": "close", "turn_on": "turnon", "turn_off": "turnoff"}
"""The predicate that holds for what a skill opens, closes or turns."""
OPPOSITES = {"open": "close", "close": "open", "turnon": "turnoff", "turnoff": "turnon"}
IN_HAND = ("place_on", "place_in", "slide_in", "throw", "lay_down")
"""Skills that need their object in the hand, and leave it."""


def end_state(plan: SubtaskPlan, start: tuple[Atom, ...]) -> set[Atom]:
    """Return the atoms that hold after a plan, from those that hold before it.

    What is put into something may be said to be on it as well, and the other way round: which of
    both LIBERO finds, its own predicates tell.
    """
    holds = set(start)
    for call in plan.calls:
        if call.skill in SWITCHES:
            predicate = SWITCHES[call.skill]
            holds.discard((OPPOSITES[predicate], call.object))
            holds.add((predicate, call.object))
        elif call.target is not None:
            gone = {a for a in holds if a[0] in ("on", "in") and a[1] == call.object}
            holds = holds - gone | {(BRINGS[call.skill], call.object, call.target)}
    return holds


def entails(plan: SubtaskPlan, start: tuple[Atom, ...], goal: tuple[Atom, ...]) -> bool:
    """Return whether every atom of a goal holds after a plan."""
    holds = end_state(plan, start)
    return all(atom in holds or ("in", *atom[1:]) in holds for atom in goal)


def faults(plan: SubtaskPlan) -> Iterator[str]:
    """Yield what a plan does that no hand can do, and which of its own rules it breaks."""
    held: str | None = None
    for call in plan.calls:
        said = f"{call.skill} {call.object}"
        if call.skill == "pick":
            if held is not None:
                yield f"{said}: the hand still holds {held}"
            held = call.object
        elif call.skill in IN_HAND:
            if held != call.object:
                yield f"{said}: it is not in the hand; pick it first"
            held = None
        elif held is not None:
            yield f"{said}: the hand holds {held}; put it down first"
    if held is not None:
        yield f"{held} is still in the hand at the end"
    yield from _breaches(plan)


def _breaches(plan: SubtaskPlan) -> Iterator[str]:
    for pattern in plan.required:
        if not any(_fits(pattern, call) for call in plan.calls):
            yield f"required {_said(pattern)} is not done"
    for pattern in plan.prohibited:
        for call in plan.calls:
            if _fits(pattern, call):
                yield f"prohibited {_said(pattern)} is done: {call.skill} {call.object}"
    for before, after in plan.order:
        first = next((i for i, call in enumerate(plan.calls) if _fits(before, call)), None)
        second = next((i for i, call in enumerate(plan.calls) if _fits(after, call)), None)
        if second is not None and (first is None or first > second):
            yield f"order: {_said(before)} has to come before {_said(after)}"


def _fits(pattern: tuple[str, str], call: SkillCall) -> bool:
    skill, name = pattern
    return skill in (ALL, call.skill) and name in (ALL, call.object)


def _said(pattern: tuple[str, str]) -> str:
    return f"({pattern[0]}, {pattern[1]})"
