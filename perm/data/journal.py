"""Durability and resume: each demonstration is a file of its own until all are there.

While `DIR/single/1-7_104_demo.hdf5` is being made, finished demonstrations wait in
`DIR/single/.1-7_104.parts/demo_000007.hdf5`, each complete, so that a kill loses the one in
progress at most. The final file depends on the demonstrations alone, not on who wrote them when.
"""

import fcntl
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from perm.core.errors import PermError
from perm.data.demo import Demo
from perm.data.reader import read_demo_file
from perm.data.writer import write_demo_file

logger = logging.getLogger(__name__)

_SUFFIX = "_demo.hdf5"


def demo_path(folder: Path, task_id: str) -> Path:
    """Return where the demonstrations of a task go: `DIR/<task id>_demo.hdf5`."""
    return folder / f"{task_id}{_SUFFIX}"


def find_demo_files(folder: Path) -> tuple[Path, ...]:
    """Return the final files in a folder, by name."""
    return tuple(sorted(folder.glob(f"*/*{_SUFFIX}")))


def parts_folder(final: Path) -> Path:
    """Return the folder beside a final file where its parts wait."""
    return final.with_name(f".{final.name.removesuffix(_SUFFIX)}.parts")


def write_part(folder: Path, index: int, demo: Demo) -> Path:
    """Write one finished demonstration, durably, and return its file.

    Args:
        folder: Made if missing.
        index: Its place among the demonstrations of the task.
        demo: What to write.

    Raises:
        PermError: The episode cannot become a demonstration.
    """
    path = folder / f"demo_{index:06d}.hdf5"
    write_demo_file(path, [demo], count=1)
    return path


def existing_parts(folder: Path) -> dict[int, Path]:
    """Return the parts that are there and intact, by index.

    A damaged one is moved aside, to `demo_000007.hdf5.damaged`, so that it is made again.
    """
    parts = {}
    for path in sorted(folder.glob("demo_[0-9]*.hdf5")):
        try:
            with read_demo_file(path) as file:
                file.demo(0, images=True)
        except PermError as error:
            logger.warning("%s It will be made again.", error)
            path.replace(path.with_name(f"{path.name}.damaged"))
        else:
            parts[int(path.stem.removeprefix("demo_"))] = path
    return parts


def merge(parts: Mapping[int, Path], final: Path) -> None:
    """Write the final file from parts, numbered from 0 in the order of their indices.

    Raises:
        PermError: There is no part, one is damaged, or they do not belong together.
    """
    write_demo_file(final, _read_parts(parts), count=len(parts))


@contextmanager
def output_lock(final: Path) -> Iterator[None]:
    """Hold the right to make a final file and its parts; ends with the process at the latest.

    The lock is a file of its own: whoever reads the final file meanwhile is not in the way.

    Raises:
        PermError: Another process is making it.
    """
    final.parent.mkdir(parents=True, exist_ok=True)
    path = final.with_name(f".{final.name.removesuffix(_SUFFIX)}.lock")
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            raise PermError(
                f"{final} is being made by process {lock.read() or '?'}. "
                "Wait until it is done, or write to another folder."
            ) from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _read_parts(parts: Mapping[int, Path]) -> Iterator[Demo]:
    for index in sorted(parts):
        with read_demo_file(parts[index]) as file:
            yield file.demo(0, images=True)
