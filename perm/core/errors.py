"""Errors that say what was wrong, the value, and what would have worked."""

import difflib
from collections.abc import Iterable


class PermError(Exception):
    """Something the caller can put right; the command line prints it and exits with 2."""


class GiveUp(Exception):  # noqa: N818 - an end, not an error
    """A policy stops by itself, before the step limit; the episode ends as it stands.

    Attributes:
        cause: Short machine-readable cause, for example "plan: goal in collision".
    """

    def __init__(self, cause: str) -> None:
        """Take the cause; it is counted, so let it be one of few."""
        super().__init__(cause)
        self.cause = cause


def pass_on_interrupt(error: Exception) -> None:
    """Raise the Ctrl-C that an error hides: numba turns it into a SystemError on the way."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        cause = cause.__cause__ or cause.__context__


def unknown_name(kind: str, name: str, known: Iterable[str]) -> PermError:
    """Return the error for a name that is not known, with the nearest known ones.

    Args:
        kind: What the name stands for, for example "task".
        name: The name that was not found.
        known: All names that would have worked.
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        hint = f"Did you mean {' or '.join(near)}?"
    elif names:
        shown = ", ".join(names[:12])
        hint = f"Known: {shown}{', ...' if len(names) > 12 else ''}."
    else:
        hint = f"No {kind} is known."
    return PermError(f"Unknown {kind} {name!r}. {hint}")
