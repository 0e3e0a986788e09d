"""A file that grows by whole lines: each is on the disk before the next one is written."""

import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TypeVar

from perm.core.errors import PermError
from perm.data.atomic import make_folder

ItemT = TypeVar("ItemT")


class Lines:
    """The end of such a file, for one writer at a time.

    A kill costs at most the line that was being written: what is torn is cut off by the next writer
    and left out by readers.
    """

    def __init__(self, path: Path, writer: str) -> None:
        """Take a path; nothing is made before the context is entered.

        Args:
            path: The file.
            writer: Who writes it, for messages: "evaluation".
        """
        self._path = path
        self._writer = writer
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        """Make the file if need be, and keep other writers out.

        Raises:
            PermError: Somebody else writes here.
        """
        make_folder(self._path.parent)
        self._file = self._path.open("ab")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.close()
            raise PermError(f"Another {self._writer} is writing to {self._path.parent}.") from error
        self._file.truncate(len(_whole_lines(self._path)))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let others write."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def append(self, line: str) -> None:
        """Write a line without its line break; it is on the disk when this returns."""
        assert self._file is not None, "lines are appended between __enter__ and __exit__"
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def read_lines(path: Path, parse: Callable[[str], ItemT]) -> Iterator[ItemT]:
    """Yield what every line means; a file that is not there has none.

    Args:
        path: The file.
        parse: Gives the meaning of a line, or raises a PermError.

    Raises:
        PermError: A line is damaged; names it.
    """
    if not path.is_file():
        return
    for number, line in enumerate(_whole_lines(path).split(b"\n")[:-1], start=1):
        try:
            yield parse(line.decode())
        except (PermError, UnicodeDecodeError) as error:
            raise PermError(f"{path}, line {number}: {error}") from error


def _whole_lines(path: Path) -> bytes:
    content = path.read_bytes()
    return content[: content.rfind(b"\n") + 1]
