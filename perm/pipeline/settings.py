"""A folder belongs to one run: the same command goes on, a different one is refused."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from perm.core.difference import differences
from perm.core.errors import PermError
from perm.data.atomic import completed
from perm.data.journal import find_demo_files


def claim_folder(
    folder: Path,
    settings: Mapping[str, Any],
    verb: str = "generate",
    find_results: Callable[[Path], Sequence[Path]] = find_demo_files,
) -> None:
    """Write down what a folder is for, or check that it is for the same.

    Args:
        folder: Made if missing.
        settings: All that decides what ends up in the folder; JSON values.
        verb: The command that writes there; the file is called after it.
        find_results: Gives the files that such a command leaves in a folder.

    Raises:
        PermError: The folder holds a different run, or results of which nobody says where they
            come from; or what says it is damaged.
    """
    path = folder / f"{verb.replace(' ', '_')}.json"
    if path.exists():
        # Through JSON, as the file went, in which tuples are lists.
        found = differences(json.loads(json.dumps(settings)), _read(path, verb))
        if found:
            raise PermError(
                f"{folder} holds a different run. What differs (asked for, there):\n{found}\n"
                "Choose another folder, or give the settings it was made with."
            )
        return
    if files := find_results(folder):
        raise PermError(
            f"{folder} holds {files[0].relative_to(folder)} but no {path.name} that says how it "
            "was made; choose another folder."
        )
    with completed(path) as unfinished:
        unfinished.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def _read(path: Path, verb: str) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # not JSON, or not even text
        raise PermError(f"{path} is damaged: {error}. Choose another folder.") from error
    if not isinstance(found, dict):
        raise PermError(f"{path} does not describe a run of perm {verb}; choose another folder.")
    return found
