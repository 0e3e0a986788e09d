"""Keeps blueprints on the disk, so that LIBERO has to build a scene only once a machine."""

import contextlib
import fcntl
import gc
import hashlib
import logging
import shutil
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from perm.core.layout import Layout
from perm.sim.blueprint import Blueprint
from perm.sim.blueprint_file import read_blueprint, write_blueprint
from perm.sim.cache import cache_folder
from perm.sim.stamps import fingerprint
from perm.sim.survey import draw_blueprint

KEPT_DAYS = 30
"""Blueprints of other versions are removed after so many days without a new one among them."""

_log = logging.getLogger(__name__)


def find_blueprint(layout: Layout) -> Blueprint:
    """Return the blueprint of a layout, from the disk if it is there.

    Any number of processes may ask at once: one builds, the others wait for it. Where the disk is
    full or must not be written, the blueprint is drawn anew each time.

    Raises:
        PermError: A category is unknown, or the objects cannot be placed.
    """
    path = cache_folder() / fingerprint() / f"{_key(layout)}.zip"
    if found := _read(path):
        return found
    with _alone(path):
        if found := _read(path):  # somebody was quicker
            return found
        blueprint = draw_blueprint(layout)
        gc.collect()  # LIBERO's objects hold each other, half a gigabyte of them
        try:
            write_blueprint(path, blueprint)
        except OSError as error:
            _log.warning("The scene is not kept for next time: %s", error)
    _remove_old(path.parent)
    return blueprint


def _key(layout: Layout) -> str:
    """Hash what of a layout is built; its goal is not, and its digest may be an older one's."""
    built = replace(layout, language="", objects_of_interest=(), goal=(), digest="")
    return hashlib.sha256(repr(built).encode()).hexdigest()


def _read(path: Path) -> Blueprint | None:
    try:
        return read_blueprint(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, TypeError, KeyError, zipfile.BadZipFile) as error:
        _log.warning("%s cannot be read (%s); it is made anew.", path, error)
        return None


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let no other process make the same file meanwhile, where the disk knows locks."""
    with contextlib.ExitStack() as held:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = held.enter_context(path.with_suffix(".lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError:
            _log.debug("No lock for %s: several processes may build the same scene.", path)
        yield


def _remove_old(folder: Path) -> None:
    """Remove what other versions left long ago."""
    with contextlib.suppress(OSError):
        for other in folder.parent.iterdir():
            if other != folder and time.time() - other.stat().st_mtime > KEPT_DAYS * 86400:
                shutil.rmtree(other, ignore_errors=True)
