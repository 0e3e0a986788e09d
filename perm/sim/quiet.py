"""Imports robosuite, which talks, and which numba may refuse."""

import logging

from perm.core.errors import PermError


def import_robosuite() -> None:
    """Import robosuite, without its greeting and its remarks at each construction.

    Raises:
        PermError: numba finds no folder for what it compiles, and robosuite insists on one.
    """
    logging.getLogger("robosuite_logs").setLevel(logging.ERROR)
    try:
        import robosuite  # noqa: F401
    except RuntimeError as error:
        if "cannot cache" not in str(error):
            raise
        raise PermError(
            "numba can keep compiled code neither beside the installed packages nor in the home "
            "folder. Name a folder that can be written: export NUMBA_CACHE_DIR=/some/folder."
        ) from error
