"""What is left of a damaged file."""

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

import h5py

from perm.data.checksum import H5_ERRORS, why_damaged
from perm.data.schema import PERM, demo_name

_PADDED_SIZE = 1 << 48
"""Longer than any file of ours [bytes]."""


@contextmanager
def open_cut_file(path: Path) -> Iterator[h5py.File]:
    """Open a file that HDF5 refuses because its end is missing; what is missing reads as zero.

    Raises:
        OSError: Too much is missing.
    """
    with path.open("rb") as raw, h5py.File(_Padded(raw), "r") as file:
        yield file


def survey(file: h5py.File) -> dict[int, str]:
    """Return for each demonstration why it is damaged, "" if it is intact."""
    try:
        count = int(file[PERM].attrs["count"])
    except H5_ERRORS:
        return {}
    return {index: why_damaged(file, index) for index in range(count)}


def describe(found: dict[int, str]) -> str:
    """Return in words what a survey found.

    >>> describe({0: "", 1: "", 2: "cut", 3: "cut"})
    'Of 4 demonstrations, demo_0 .. demo_1 are intact; demo_2 .. demo_3 are not (demo_2: cut).'
    """
    bad = [index for index, why in found.items() if why]
    if not bad:
        return f"All {len(found)} demonstrations are intact." if found else "Nothing is intact."
    intact = _ranges(index for index, why in found.items() if not why) or "none"
    reason = f"({demo_name(bad[0])}: {found[bad[0]]})"
    return f"Of {len(found)} demonstrations, {intact} are intact; {_ranges(bad)} are not {reason}."


def _ranges(indices: Iterable[int]) -> str:
    """Return "demo_0 .. demo_4, demo_7" for 0, 1, 2, 3, 4, 7."""
    texts = []
    for _, pairs in groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0]):
        run = [index for _, index in pairs]
        texts.append(demo_name(run[0]) + (f" .. {demo_name(run[-1])}" if len(run) > 1 else ""))
    return ", ".join(texts)


class _Padded(io.RawIOBase):
    """A file that goes on with zeros after its end, for h5py to read."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._size = os.fstat(raw.fileno()).st_size
        self._position = 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: _PADDED_SIZE}[whence]
        self._position = base + offset
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        self._raw.seek(min(self._position, self._size))
        stored = self._raw.read(len(view))
        view[:] = stored.ljust(len(view), b"\0")
        self._position += len(view)
        return len(view)
