"""A folder belongs to one run: the same command goes on, a different one is refused."""

import json
from collections.abc import Mapping
from pathlib import Path

from perm.core.errors import PermError


def claim_folder(folder: Path, name: str, settings: Mapping[str, object]) -> None:
    """Write down what a folder is for, or check that it is for the same.

    Args:
        folder: Made if missing.
        name: Name of the file that says it.
        settings: All that decides what ends up in the folder; JSON values.

    Raises:
        PermError: The folder holds a different run; the message says in what they differ.
    """
    path = folder / name
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
        for key, value in settings.items():
            if found.get(key) != value:
                raise PermError(
                    f"{folder} holds a different run: {key} was {found.get(key)!r} and is now "
                    f"{value!r}. Choose another folder, or give the settings it was made with."
                )
        return
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
