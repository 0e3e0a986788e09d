"""Tree to sections: what stands under `:objects`, `:init`, `:goal` and the others."""

from collections.abc import Iterator
from dataclasses import dataclass

from perm.bddl.errors import BddlError
from perm.bddl.tokens import Group, Node, Word
from perm.core.errors import unknown_name

SECTIONS = (
    "problem",
    ":domain",
    ":requirements",
    ":language",
    ":regions",
    ":fixtures",
    ":objects",
    ":obj_of_interest",
    ":init",
    ":goal",
)
_REQUIRED = ("problem", ":language", ":goal")


@dataclass(frozen=True)
class Section:
    """What stands in one section, and where.

    Attributes:
        source: Name of the file.
        name: One of SECTIONS.
        line: Line of its opening bracket.
        items: Words and groups after the section's name.
    """

    source: str
    name: str
    line: int
    items: tuple[Node, ...] = ()

    def error(self, node: Node, message: str) -> BddlError:
        """Return the error that points at a word, or at the first word of a group."""
        token = node.head if isinstance(node, Group) else node.text
        return BddlError.at(message, self.source, node.line, self.name, token)

    def error_at(self, token: str, message: str, item: int | None = None) -> BddlError:
        """Return the error that points at a word known by its text only.

        Args:
            token: The word, in any case.
            message: What is wrong.
            item: Which item of the section it stands in; None takes the last of the section
                (where a name stands twice, the second one is the wrong one).
        """
        if item is None:
            found = list(_words(self.items))[::-1]
            line = self.line
        else:
            found = list(_words(self.items[item : item + 1]))
            line = self.items[item].line
        word = next((w for w in found if w.key == token.lower()), Word(token, line))
        return BddlError.at(message, self.source, word.line, self.name, word.text)

    def words(self) -> tuple[Word, ...]:
        """Return the items; a bracket among them is an error."""
        return tuple(self.word(node) for node in self.items)

    def groups(self) -> tuple[Group, ...]:
        """Return the items; a word outside brackets among them is an error."""
        return tuple(self.group(node) for node in self.items)

    def word(self, node: Node) -> Word:
        """Return the node, which has to be a word."""
        if isinstance(node, Group):
            raise self.error(node, "A word is expected here, not a bracket.")
        return node

    def group(self, node: Node) -> Group:
        """Return the node, which has to be a group."""
        if isinstance(node, Word):
            raise self.error(node, f"A bracket is expected here: '({node.text} ...)'.")
        return node


def split_sections(tree: Group, source: str) -> dict[str, Section]:
    """Return all sections by name; those that a file may leave out are empty.

    Raises:
        BddlError: No `define`, or a section that is unknown, repeated or missing.
    """
    if tree.head.lower() != "define":
        raise BddlError.at("A problem opens with '(define'.", source, tree.line, None, tree.head)
    found: dict[str, Section] = {}
    for node in tree.items[1:]:
        section = _section(node, source)
        if section.name in found:
            message = f"The section stands on line {found[section.name].line} already."
            raise section.error(node, message)
        found[section.name] = section
    for name in _REQUIRED:
        if name not in found:
            message = f"The section is missing: add '({name} ...)'."
            raise BddlError.at(message, source, tree.line, name, name)
    empty = {name: Section(source, name, tree.line) for name in SECTIONS}
    return empty | found


def _section(node: Node, source: str) -> Section:
    name = node.head.lower() if isinstance(node, Group) else node.key
    if isinstance(node, Group) and name in SECTIONS:
        return Section(source, name, node.line, node.items[1:])
    message = str(unknown_name("section", name, SECTIONS))
    if name == ":scene_properties":
        message = "LIBERO's own parser fails on this section; remove it."
    raise Section(source, "define", node.line).error(node, message)


def _words(nodes: tuple[Node, ...]) -> Iterator[Word]:
    for node in nodes:
        if isinstance(node, Word):
            yield node
        else:
            yield from _words(node.items)
