"""Reads demonstration files; what is damaged or foreign is told, never guessed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import h5py

from perm.core.errors import PermError
from perm.data.checksum import H5_ERRORS, tell, why_damaged
from perm.data.damage import demo_numbers, describe, survey
from perm.data.damaged_file import endless_heaps, open_damaged
from perm.data.demo import Demo
from perm.data.demo_group import read_demo
from perm.data.file_facts import FileFacts, read_facts
from perm.data.schema import CHECKSUM, FORMAT_VERSION, PERM, demo_name


class DemoFile:
    """An open demonstration file: `len`, iteration in numeric order, `demo(index)`.

    Iteration leaves the images out; `demo(index, images=True)` reads them.

    Attributes:
        path: Where it is.
        file: The open file, for whoever needs a single array of it.
        facts: What all its demonstrations share.
    """

    def __init__(self, path: Path, file: h5py.File) -> None:
        """Take an open file; `read_demo_file` opens one."""
        self.path = path
        self.file = file
        self.facts: FileFacts = read_facts(file)
        self._count = _count(file)

    def __len__(self) -> int:
        """Return the number of demonstrations."""
        return self._count

    @property
    def checksum(self) -> str:
        """The checksum of the whole content; images count by their own."""
        return str(self.file[PERM].attrs[CHECKSUM])

    def __iter__(self) -> Iterator[Demo]:
        """Yield the demonstrations in numeric order, without their images."""
        for index in range(len(self)):
            yield self.demo(index)

    def demo(self, index: int, images: bool = False) -> Demo:
        """Return one demonstration.

        Args:
            index: 0 to len - 1.
            images: Whether to read its images; without, `Demo.images` is empty.

        Raises:
            PermError: There is no such demonstration, or it is damaged; the message names the
                intact ones.
        """
        if not 0 <= index < len(self):
            raise PermError(
                f"{self.path} has no {demo_name(index)}: it holds demo_0 .. "
                f"{demo_name(len(self) - 1)}."
            )
        if why_damaged(self.file, index, images):
            raise PermError(f"{self.path} is damaged. {describe(survey(self.file))}")
        return read_demo(self.file["data"][demo_name(index)], images)


@contextmanager
def read_demo_file(path: Path) -> Iterator[DemoFile]:
    """Open a demonstration file.

    Raises:
        PermError: There is no such file, it was not written by perm, is damaged or holds no
            demonstrations; the message names what is intact.
    """
    with _open(path) as file:
        try:
            _check_origin(path, file)
            demo_file = DemoFile(path, file)
        except H5_ERRORS as error:
            raise PermError(
                f"{path} is damaged: {tell(error)}. {describe(survey(file))}"
            ) from error
        yield demo_file


@contextmanager
def _open(path: Path) -> Iterator[h5py.File]:
    if not path.is_file():
        raise PermError(f"There is no file {path}.")
    if not h5py.is_hdf5(path):
        raise PermError(f"{path} is not an HDF5 file: it does not begin like one.")
    if endless_heaps(path):
        raise PermError(f"{path} is damaged: texts are lost. {_left_of(path)}")
    try:
        file = h5py.File(path, "r")
    except BlockingIOError as error:
        raise PermError(f"{path} is open for writing in another process; wait for it.") from error
    except OSError as error:
        raise PermError(f"{path} is damaged: {error}. {_left_of(path)}") from error
    with file:
        yield file


def _count(file: h5py.File) -> int:
    """Return the number of demonstrations, numbered from 0 on."""
    numbers = demo_numbers(file)
    if not numbers:
        raise PermError(f"{file.filename} holds no demonstrations.")
    if numbers != tuple(range(len(numbers))):
        told = describe(survey(file))
        raise PermError(f"{file.filename} is damaged: demonstrations are missing. {told}")
    return len(numbers)


def _left_of(path: Path) -> str:
    try:
        with open_damaged(path) as file:
            return describe(survey(file))
    except H5_ERRORS:
        return describe({})


def _check_origin(path: Path, file: h5py.File) -> None:
    version = file[PERM].attrs.get("format_version") if PERM in file else None
    if version is None or not isinstance(file.get("data"), h5py.Group):
        held = ", ".join(f"/{name}" for name in file) or "nothing"
        raise PermError(
            f"{path} is an HDF5 file, but not one of perm's: it holds {held}; "
            f"a group /data and /{PERM} with a format_version are needed."
        )
    if version != FORMAT_VERSION:
        raise PermError(
            f"{path} has format {version}; this perm reads {FORMAT_VERSION}. "
            "Use the version of perm that wrote it, or generate the file anew."
        )
