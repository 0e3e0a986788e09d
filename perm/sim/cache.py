"""Where built scenes are kept; loads no simulator."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder of built scenes; it may be removed at any time."""
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "perm" / "scenes"
