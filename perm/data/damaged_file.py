"""Opens files that HDF5 would refuse, or worse, read for ever."""

import io
import mmap
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import h5py

_PADDED_SIZE = 1 << 48
"""Longer than any file of ours [bytes]."""
_HEAP_START = b"GCOL\x01\0\0\0"
"""Signature and version of a global heap collection, where HDF5 keeps the texts of attributes."""
_HEADER = 16


def endless_heaps(path: Path) -> list[int]:
    """Return where in a file HDF5 would never stop reading: offsets of heap collections [bytes].

    An object header of zeros in a heap, as a lost disk block or a missing end leaves behind, takes
    no space, and HDF5 (seen with 2.0.0) goes on from it to itself.
    """
    found = []
    with path.open("rb") as raw, mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ) as content:
        start = content.find(_HEAP_START)
        while start >= 0:
            if _is_endless(content, start):
                found.append(start)
            start = content.find(_HEAP_START, start + 1)
    return found


@contextmanager
def open_damaged(path: Path) -> Iterator[h5py.File]:
    """Open a file so that all that is left of it can be read.

    What is missing at the end reads as zeros; endless heaps read as no heaps, which is an error.

    Raises:
        OSError: Too much is missing.
    """
    heaps = endless_heaps(path)
    with path.open("rb") as raw, h5py.File(_Mended(raw, heaps), "r") as file:
        yield file


def _is_endless(content: mmap.mmap, start: int) -> bool:
    """Walk through the objects of a collection as HDF5 does."""
    if start + _HEADER > len(content):
        return True
    (size,) = struct.unpack_from("<Q", content, start + 8)
    at, end = start + _HEADER, start + size
    while at + _HEADER <= end:
        if at + _HEADER > len(content):
            return True
        index, length = struct.unpack_from("<H6xQ", content, at)
        # Index 0 is free space, with its header counted in; objects are padded to 8 bytes.
        step = _HEADER + -(-length // 8) * 8 if index else length
        if step == 0:
            return True
        at += step
    return False


class _Mended(io.RawIOBase):
    """A file that goes on with zeros after its end, and over the signature of some heaps."""

    def __init__(self, raw: BinaryIO, heaps: list[int]) -> None:
        self._raw = raw
        self._heaps = heaps
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
        for heap in self._heaps:
            if 0 <= heap - self._position < len(view):
                view[heap - self._position] = 0
        self._position += len(view)
        return len(view)
