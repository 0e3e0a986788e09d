"""The `:init` and `:goal` sections: predicates and their arguments."""

from dataclasses import replace

from perm.bddl.sections import Section
from perm.bddl.tokens import Group, Word
from perm.core.layout import Atom

_CONNECTIVES = ("and", "or", "not", "imply", "forall", "exists", "forn", "forpairs", "fornpairs")
_FLAT = "LIBERO checks only a flat '(And (On a b) ...)' of positive predicates"


def read_atoms(section: Section) -> tuple[Atom, ...]:
    """Return one atom for each group of the section, in lower case.

    Raises:
        BddlError: Something that is not a predicate with names; a connective.
    """
    return tuple(_atom(section, group) for group in section.groups())


def flat_goal(section: Section) -> Section:
    """Return the goal section with the atoms as its items, out of their `(And ...)`.

    A single bare atom needs no `And`, as in LIBERO.

    Raises:
        BddlError: No expression or several; LIBERO calls the first solved at once, and of the
            second it drops all but one.
    """
    if len(section.items) != 1:
        node = section.items[1] if section.items else Word(section.name, section.line)
        message = f"{len(section.items)} expressions stand here instead of one"
        raise section.error(node, f"{message}: write '(And (On a b) (On c d))'.")
    goal = section.group(section.items[0])
    if goal.head.lower() != "and":
        return section
    if len(goal.items) == 1:
        raise section.error(goal, "The goal is empty: LIBERO would call it solved at step 0.")
    return replace(section, items=goal.items[1:])


def _atom(section: Section, group: Group) -> Atom:
    if group.head.lower() in _CONNECTIVES:
        raise section.error(group, f"{_FLAT}, not {group.head!r} here.")
    for node in group.items:
        if isinstance(node, Group):
            raise section.error(node, f"{_FLAT}: a predicate takes names, not brackets.")
    if not group.items:
        raise section.error(group, "An empty bracket; a predicate reads '(On plate_1 table_left)'.")
    return tuple(section.word(node).key for node in group.items)
