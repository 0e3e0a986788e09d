"""A file that carries its name only once it is complete and on the disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perm.core.errors import PermError


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, if need be.

    Raises:
        PermError: It cannot be made; says why.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PermError(
            f"Folder {folder} cannot be made: {error.strerror}. Choose another one."
        ) from error


@contextmanager
def completed(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; what was written there gets the name at the end.

    Killed at any moment, it leaves the old file or the new one under `path`, never a part of one;
    the temporary file that may stay behind is overwritten by the next try.
    """
    make_folder(path.parent)
    unfinished = path.with_name(f".{path.name}.tmp")
    try:
        yield unfinished
        _flush(unfinished)
        unfinished.replace(path)
        _flush(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
