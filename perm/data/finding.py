"""What a check found."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_SHOWN = 300


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it should be.

    Attributes:
        what: What was looked at.
        where: Place in the file.
        value: What is there.
        expected: What should be there.
    """

    what: str
    where: str
    value: str
    expected: str

    def __str__(self) -> str:
        """Return the finding in one line."""
        return f"{self.where}: {self.what} is {self.value}; expected {self.expected}"


def compare(where: str, what: str, value: Any, expected: Any) -> Iterator[Finding]:
    """Yield a finding if a value is not the expected one."""
    if value != expected:
        yield Finding(what, where, _shorten(value), _shorten(expected))


def _shorten(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
