"""All files of one or several configuration folders, and what is wrong with them."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from perm.core.errors import PermError, unknown_name
from perm.suites.reading import EntryT, read_entry

ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        "preference": ".yaml",
        "mission": ".yaml",
        "task": ".yaml",
        "group": ".yaml",
        "rewording": ".yaml",
        "suite": ".yaml",
        "object": ".yaml",
        "calibration": ".yaml",
        "layout": ".bddl",
        "starts": ".npz",
    }
)
"""Folders of a configuration, and the ending of the files in each."""

_NESTED = ("task", "group", "rewording", "calibration")
_OTHER_ROOMS = ("policy",)
_ID = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)


@dataclass(frozen=True)
class Sources:
    """The files, and the list that every problem is added to, so that all are told at once.

    Attributes:
        files: Kind -> id -> file.
        problems: One text a problem, each naming its file.
    """

    files: Mapping[str, Mapping[str, Path]]
    problems: list[str] = field(default_factory=list)

    def report(self, kind: str, entry_id: str, problem: str) -> None:
        """Add a problem of one file."""
        self.problems.append(f"{self.files[kind][entry_id]}: {problem}")

    def read(self, kind: str, entry: type[EntryT]) -> dict[str, EntryT]:
        """Return the sound files of a kind by id; report the others."""
        found = {
            entry_id: read_entry(entry, path, entry_id, self.problems)
            for entry_id, path in self.files[kind].items()
        }
        return {entry_id: value for entry_id, value in found.items() if value is not None}

    def require(self, kind: str, name: str, where: tuple[str, str]) -> None:
        """Report the file (kind, id) `where` if it names something that no file defines."""
        if name not in self.files[kind]:
            self.report(*where, str(unknown_name(kind, name, self.files[kind])))

    def raise_problems(self) -> None:
        """Raise one error that lists all problems, if there are any."""
        if self.problems:
            count = len(self.problems)
            head = f"{count} problem{'s' * (count > 1)} in the configuration:"
            raise PermError("\n  ".join([head, *self.problems]))


def find_sources(folders: Sequence[Path]) -> Sources:
    """Return the files of configuration folders, the packaged one first.

    Args:
        folders: Each holds some of the folders in `ENDINGS`; one given twice counts once.

    Raises:
        PermError: One of them is not a folder.
    """
    files: dict[str, dict[str, Path]] = {kind: {} for kind in ENDINGS}
    sources = Sources(files)
    for folder in {path.resolve(): path for path in folders}.values():
        if not folder.is_dir():
            raise PermError(f"The configuration folder {folder} does not exist")
        _report_misnamed(folder, sources.problems)
        for kind, by_id in files.items():
            for path in sorted((folder / kind).rglob("*")):
                _add_file(path, folder / kind, by_id, sources.problems)
    return sources


def misspelled(path: Path, ending: str) -> str:
    """Return what is wrong with the ending of a file that is meant to be read, or ""."""
    meant = (ending, ".yml") if ending == ".yaml" else (ending,)
    if path.suffix == ending or path.suffix.lower() not in meant:
        return ""
    return f"{path}: rename it to end in {ending}, or it is not read"


def _add_file(path: Path, folder: Path, by_id: dict[str, Path], problems: list[str]) -> None:
    """File a path under its id, unless it is none of ours or another one has the id."""
    ending = ENDINGS[folder.name]
    if problem := misspelled(path, ending):
        problems.append(problem)
    if path.suffix != ending or not path.is_file():
        return
    entry_id = path.relative_to(folder).as_posix().removesuffix(ending)
    if not _ID.fullmatch(entry_id):
        problems.append(f"{path}: use letters, digits and _ . - in names, and no second subfolder")
    elif ("/" in entry_id) != (folder.name in _NESTED):
        place = f"{folder.name}/" + ("<folder>/" if folder.name in _NESTED else "")
        problems.append(f"{path}: expected it directly in {place}")
    elif entry_id in by_id:
        problems.append(f"{path}: {entry_id!r} is already defined in {by_id[entry_id]}; rename one")
    else:
        by_id[entry_id] = path


def _report_misnamed(folder: Path, problems: list[str]) -> None:
    """Report a subfolder that is nearly one of ours: nobody would read it."""
    known = (*ENDINGS, *_OTHER_ROOMS)
    for path in sorted(folder.iterdir()):
        near = difflib.get_close_matches(path.name, known, n=1, cutoff=0.8)
        if path.is_dir() and path.name not in known and near:
            problems.append(f"{path}: is not read. Did you mean {near[0]}/?")
    if not any((folder / kind).is_dir() for kind in known):
        problems.append(f"{folder}: holds none of the folders {', '.join(known)}")
