"""Which demonstrations of a damaged file are intact."""

from collections.abc import Iterable
from itertools import groupby

import h5py

from perm.data.checksum import H5_ERRORS, why_damaged
from perm.data.schema import demo_name


def survey(file: h5py.File) -> dict[int, str]:
    """Return for each demonstration why it is damaged, "" if it is intact."""
    try:
        count = count_demos(file)
    except H5_ERRORS:
        return {}
    return {index: why_damaged(file, index) for index in range(count)}


def count_demos(file: h5py.File) -> int:
    """Return the number of demonstrations by their names.

    Not by the attributes that tell it: a damaged number may be any.
    """
    return sum(name.startswith("demo_") for name in file["data"])


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
