"""The errors of scenes as text: of a problem file, with its place, and of an edit."""

from perm.core.errors import PermError


class EditError(PermError):
    """A change of a layout that cannot be made, or that changes nothing."""


class BddlError(PermError):
    """A problem file or a layout that LIBERO would refuse, or worse, load and misread."""

    @classmethod
    def at(
        cls,
        message: str,
        source: str,
        line: int | None = None,
        section: str | None = None,
        token: str | None = None,
    ) -> "BddlError":
        """Return the error with its place in front, "kitchen.bddl:59: in :goal, at 'plat_1': ...".

        Args:
            message: What is wrong and what would work.
            source: Name of the file, or of where the text came from.
            line: Line in the file, counted from 1.
            section: For example ":goal".
            token: The word that is wrong, as written.
        """
        place = source if line is None else f"{source}:{line}"
        inside = f" in {section}," if section else ""
        word = f" at {token!r}:" if token else ""
        return cls(f"{place}:{inside}{word} {message}")
