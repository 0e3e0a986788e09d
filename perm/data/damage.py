"""Which demonstrations of a damaged file are intact."""

from collections.abc import Iterable
from itertools import groupby

import h5py

from perm.data.checksum import H5_ERRORS, why_damaged
from perm.data.schema import PERM, demo_name


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
