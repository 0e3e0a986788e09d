"""Which demonstrations of a damaged file are intact."""

import re
from collections.abc import Iterable
from itertools import groupby

import h5py

from perm.data.checksum import H5_ERRORS, why_damaged
from perm.data.schema import demo_name

_NAME = re.compile(r"demo_(0|[1-9][0-9]{0,17})")


def survey(file: h5py.File) -> dict[int, str]:
    """Return for each demonstration why it is damaged, "" if it is intact."""
    try:
        numbers = demo_numbers(file)
    except H5_ERRORS:
        return {}
    return {number: why_damaged(file, number) for number in numbers}


def demo_numbers(file: h5py.File) -> tuple[int, ...]:
    """Return the numbers of the demonstrations that are there, by their names, the smallest first.

    Neither the attributes that tell how many there are nor the largest number is relied on: where
    there is damage, they may be anything.
    """
    data = file["data"]
    names = map(_NAME.fullmatch, data if isinstance(data, h5py.Group) else ())
    return tuple(sorted(int(name[1]) for name in names if name))


def describe(found: dict[int, str]) -> str:
    """Return in words what a survey found.

    >>> describe({0: "", 1: "", 2: "cut", 3: "cut"})
    'Intact: demo_0 .. demo_1 of 4. Not intact: demo_2 .. demo_3 (demo_2: cut).'
    """
    bad = [index for index, why in found.items() if why]
    if not found:
        return "Nothing is intact."
    good = _ranges(index for index, why in found.items() if not why) or "none"
    intact = f"Intact: {good} of {len(found)}."
    if not bad:
        return intact
    return f"{intact} Not intact: {_ranges(bad)} ({demo_name(bad[0])}: {found[bad[0]]})."


def _ranges(indices: Iterable[int]) -> str:
    """Return "demo_0 .. demo_4, demo_7" for 0, 1, 2, 3, 4, 7."""
    texts = []
    for _, pairs in groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0]):
        run = [index for _, index in pairs]
        texts.append(demo_name(run[0]) + (f" .. {demo_name(run[-1])}" if len(run) > 1 else ""))
    return ", ".join(texts)
