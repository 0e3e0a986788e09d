"""Text to tree: brackets, words and comments, each word with its line."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from perm.bddl.errors import BddlError

_TOKEN = re.compile(r"[()]|[^\s()]+")
_NO_START = "A problem opens with '(define'."


@dataclass(frozen=True)
class Word:
    """A word as written, with its line counted from 1."""

    text: str
    line: int

    @property
    def key(self) -> str:
        """The word as LIBERO reads it: in lower case."""
        return self.text.lower()


@dataclass(frozen=True)
class Group:
    """Whatever stands between two brackets; `line` is the opening one's."""

    items: "tuple[Node, ...]"
    line: int

    @property
    def head(self) -> str:
        """The first word as written, or "(" where the group does not open with one."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else "("


Node = Word | Group


_Open = tuple[int, list[Node]]


def read_tree(text: str, source: str, landmarks: Collection[str] = ()) -> Group:
    """Return the one bracketed expression that the text consists of.

    Args:
        text: The whole file; `;` opens a comment until the end of the line.
        source: Name for error messages.
        landmarks: Words in lower case that may open a group only directly inside the outermost
            one; they tell where a closing bracket is missing.

    Raises:
        BddlError: No expression, an unbalanced bracket, or text outside the expression.
    """
    parents: list[_Open] = []
    tokens = _tokens(text)
    for token in tokens:
        if token.text == "(":
            parents.append((token.line, []))
        elif not parents:
            raise BddlError.at(_NO_START, source, token.line, None, token.text)
        elif token.text != ")":
            parents[-1][1].append(token)
            if token.key in landmarks and len(parents[-1][1]) == 1 and len(parents) > 2:
                raise _unclosed(parents[-2], token, source)
        else:
            line, items = parents.pop()
            group = Group(tuple(items), line)
            if not parents:
                _check_end(group, token, next(tokens, None), source)
                return group
            parents[-1][1].append(group)
    if not parents:
        raise BddlError.at(_NO_START, source, 1)
    raise _unclosed(parents[-1], _last(parents[-1]), source)


def _tokens(text: str) -> Iterator[Word]:
    for number, line in enumerate(text.split("\n"), start=1):
        for token in _TOKEN.findall(line.partition(";")[0]):
            yield Word(token, number)


def _check_end(group: Group, closing: Word, following: Word | None, source: str) -> None:
    if following is not None:
        message = (
            f"This ends {group.head!r} of line {group.line}, yet {following.text!r} follows on "
            f"line {following.line}: there is a ')' too many, here or before."
        )
        raise BddlError.at(message, source, closing.line, None, closing.text)


def _unclosed(parent: _Open, near: Word, source: str) -> BddlError:
    line, items = parent
    head = Group(tuple(items), line).head
    message = f"A ')' is missing: the bracket of {head!r} on line {line} is still open."
    return BddlError.at(message, source, near.line, None, near.text)


def _last(parent: _Open) -> Word:
    """Return the word that opens the last group of a parent: what is missing is near there."""
    line, items = parent
    node = next((n for n in reversed(items) if isinstance(n, Group)), Group(tuple(items), line))
    return Word(node.head, node.line)
