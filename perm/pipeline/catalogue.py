"""Keeps what was measured of objects in their files."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from perm.core.catalogue import Measures
from perm.data.atomic import completed
from perm.suites.entries import ObjectEntry
from perm.suites.sources import find_sources

_log = logging.getLogger(__name__)

MEASURED = "measured:"
"""Line of an object's file from which on it is written by us."""


def measure_objects(folder: Path, names: Iterable[str] = ()) -> Iterator[Path]:
    """Measure objects and write what was found behind what their files say; yield the files.

    Args:
        folder: A configuration folder.
        names: Categories; all that have a file in `folder/object` if none are given.

    Raises:
        PermError: A file is wrong, or LIBERO does not know a category.
    """
    from perm.sim.category import measure_category

    sources = find_sources([folder])
    entries = sources.read("object", ObjectEntry)
    sources.raise_problems()
    for name in list(names) or sorted(entries):
        derived = entries[name].derived
        path = sources.files["object"][name]
        if derived is not None:
            derived = replace(derived, category=name)
        try:
            found = measure_category(name, derived)
        except FileNotFoundError as error:
            _log.warning("%s cannot be measured, a file is missing: %s", name, error.filename)
            continue
        said = path.read_text(encoding="utf-8").partition(MEASURED)[0]
        with completed(path) as unfinished:
            unfinished.write_text(said + written(found), encoding="utf-8")
        yield path


def written(found: Measures) -> str:
    """Return what was measured, as the end of an object's file."""
    colours = ", ".join(f"{name}: {share}" for name, share in found.colours.items())
    return (
        f"{MEASURED}  # by scripts/measure_objects.py: m, kg, shares of what is seen\n"
        f"  movable: {str(found.movable).lower()}\n"
        f"  size: {list(found.size)}\n"
        f"  min_width: {found.min_width}\n"
        f"  radius: {found.radius}\n"
        f"  mass: {found.mass}\n"
        f"  colours: {{{colours}}}\n"
    )
