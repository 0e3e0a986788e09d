"""A blueprint as a file: a zip archive, whose checksums tell damage."""

import json
import os
import tempfile
import zipfile
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from perm.sim.blueprint import Arm, Blueprint, BuiltEntity, BuiltRegion, Threshold

_FACTS, _MJCF, _PHYSICS = "facts.json", "scene.xml", "physics.mjb"


def write_blueprint(path: Path, blueprint: Blueprint) -> None:
    """Write a blueprint; others see all of it or nothing.

    Raises:
        OSError: The disk is full, or must not be written.
    """
    facts = asdict(blueprint)
    mjcf, physics = facts.pop("mjcf"), facts.pop("physics")
    path.parent.mkdir(parents=True, exist_ok=True)
    # A name of its own for each writer; the last one wins, and all write the same.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w") as archive:
            for member, content in (
                (_FACTS, json.dumps(facts, default=np.ndarray.tolist)),
                (_MJCF, mjcf),
                (_PHYSICS, physics),
            ):
                archive.writestr(zipfile.ZipInfo(member), content)  # the same bytes at any time
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_blueprint(path: Path) -> Blueprint:
    """Read what `write_blueprint` wrote.

    Raises:
        FileNotFoundError: There is none.
        OSError, ValueError, TypeError, KeyError, zipfile.BadZipFile: It is damaged.
    """
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
