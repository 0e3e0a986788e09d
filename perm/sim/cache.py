"""Where built scenes are kept; loads no simulator."""

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder of built scenes; it may be removed at any time."""
    if root := os.environ.get("XDG_CACHE_HOME"):
        return Path(root) / "perm" / "scenes"
    try:
        home = Path.home()
    except RuntimeError:  # a user without one, as in some containers
        return Path(tempfile.gettempdir()) / f"perm-{os.getuid()}" / "scenes"
    return home / ".cache" / "perm" / "scenes"
