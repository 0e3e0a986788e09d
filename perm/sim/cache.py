"""Where built scenes are kept; loads no simulator."""

import os
from pathlib import Path

NOWHERE = Path(os.devnull)
"""A folder in which nothing can be kept."""


def cache_folder() -> Path:
    """Return the folder of built scenes; it may be removed at any time."""
    root = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if root.is_absolute():
        return root / "perm" / "scenes"
    try:
        return Path.home() / ".cache" / "perm" / "scenes"
    except RuntimeError:  # a user without one, as in some containers
        return NOWHERE / "scenes"
