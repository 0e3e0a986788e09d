"""A problem file to a Layout; whatever LIBERO would misread is refused here."""

import functools
from dataclasses import replace
from pathlib import Path

from perm.bddl.atoms import flat_goal, read_atoms
from perm.bddl.check import check_layout
from perm.bddl.errors import BddlError
from perm.bddl.predicates import WORK_SURFACES
from perm.bddl.regions import read_regions
from perm.bddl.sections import SECTIONS, Section, split_sections
from perm.bddl.tokens import Word, read_tree
from perm.bddl.write import layout_digest
from perm.core.layout import Entity, Layout

_DOMAIN = "robosuite"


def read_layout(path: Path) -> Layout:
    """Return the layout of a problem file, see `parse_layout`.

    Raises:
        BddlError: The file cannot be read, or says something that LIBERO would misread.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BddlError.at(f"The file cannot be read: {error}", str(path)) from error
    return parse_layout(text, str(path))


@functools.lru_cache(maxsize=512)
def parse_layout(text: str, source: str = "<text>") -> Layout:
    """Return the layout that a problem text describes, checked and with its digest.

    Names and predicates are in lower case, as LIBERO reads them; the sentence keeps its case,
    with single blanks between its words.

    Args:
        text: One `(define (problem ...) ...)`.
        source: Name of the file for error messages.

    Raises:
        BddlError: Anything that LIBERO would refuse, or load and misread.
    """
    sections = split_sections(read_tree(text, source, SECTIONS), source)
    sections[":goal"] = flat_goal(sections[":goal"])
    _check_domain(sections[":domain"])
    layout = Layout(
        problem=_problem(sections["problem"]),
        language=_language(sections[":language"]),
        regions=read_regions(sections[":regions"]),
        fixtures=_entities(sections[":fixtures"]),
        objects=_entities(sections[":objects"]),
        objects_of_interest=tuple(word.key for word in sections[":obj_of_interest"].words()),
        init=read_atoms(sections[":init"]),
        goal=read_atoms(sections[":goal"]),
    )
    check_layout(layout, sections)
    return replace(layout, digest=layout_digest(layout))


def _check_domain(section: Section) -> None:
    for word in section.words():
        if word.key != _DOMAIN:
            raise section.error(word, f"LIBERO's domain is {_DOMAIN!r}.")


def _problem(section: Section) -> str:
    names = section.words()
    if len(names) != 1:
        raise section.error_at("problem", "One scene class stands here: '(problem NAME)'.")
    spellings = {known.lower(): known for known in WORK_SURFACES}
    return spellings.get(names[0].key, names[0].text)


def _language(section: Section) -> str:
    sentence = " ".join(word.text for word in section.words())
    if not sentence:
        raise section.error_at(section.name, "The sentence is missing.")
    return sentence


def _entities(section: Section) -> tuple[Entity, ...]:
    """Return the entities of `plate_1 plate_2 - plate  bowl_1 - bowl`."""
    found: list[Entity] = []
    waiting: list[Word] = []
    words = iter(section.words())
    for word in words:
        if word.text != "-":
            waiting.append(word)
            continue
        category = next(words, None)
        if category is None or category.text == "-" or not waiting:
            raise section.error(word, "A '-' stands between names and their category.")
        found += [Entity(name.key, category.key) for name in waiting]
        waiting.clear()
    if waiting:
        name = waiting[0]
        raise section.error(name, f"No category: write '{name.text} - category'.")
    return tuple(found)
