"""Writes demonstration files; the bytes are a pure function of the demonstrations."""

from collections.abc import Iterable
from pathlib import Path

import h5py

from perm.core.errors import PermError
from perm.data.atomic import completed
from perm.data.checksum import sign_file
from perm.data.demo import Demo
from perm.data.demo_group import write_demo
from perm.data.file_facts import facts_of, require_same, write_facts
from perm.data.schema import PERM, demo_name

LIBVER = ("earliest", "v108")
"""Object formats: the oldest that will do, as in LIBERO's own files, the same with any library."""


def write_demo_file(path: Path, demos: Iterable[Demo], count: int) -> None:
    """Write a file; it gets its name when it is complete and on the disk.

    Args:
        path: Where to; replaced if it exists.
        demos: The demonstrations in order, of one task. They are taken one at a time, so that
            only one has to be in memory.
        count: How many there are.

    Raises:
        PermError: There is none, they do not belong together, or one is not complete.
    """
    if count < 1:
        raise PermError(f"{path}: a demonstration file holds at least one demonstration.")
    with completed(path) as unfinished, h5py.File(unfinished, "w", libver=LIBVER) as file:
        _fill(file, demos, count)


def _fill(file: h5py.File, demos: Iterable[Demo], count: int) -> None:
    data = file.create_group("data")
    file.create_group(PERM)
    # All names first: they end up at the front, where a file cut short still has them.
    groups = [data.create_group(demo_name(index)) for index in range(count)]
    first, total = None, 0
    for group, demo in zip(groups, demos, strict=True):
        facts = facts_of(demo)
        if first is None:
            first = facts
            write_facts(file, facts, demo.bddl_text, count)
        require_same(facts, first)
        total += write_demo(group, demo)
    data.attrs.modify("total", total)
    sign_file(file)
