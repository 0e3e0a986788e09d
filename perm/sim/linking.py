"""Makes C functions known to compiled code by their names, so that it can be kept on the disk."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
from llvmlite import binding
from numba.extending import get_cython_function_address

MAX_FUNCTIONS = 8
"""At most so many functions are compiled in one call."""

_log = logging.getLogger(__name__)


def link_libraries() -> None:
    """Link MuJoCo, and the LAPACK that numba itself uses; more than once does no harm."""
    folder = Path(mujoco.__file__).parent
    library = next(path for path in sorted(folder.iterdir()) if path.name.startswith("libmujoco."))
    binding.load_library_permanently(str(library))
    for module, name in (("cython_lapack", "dgesdd"), ("cython_blas", "dgemm")):
        address = get_cython_function_address(f"scipy.linalg.{module}", name)
        binding.add_symbol(f"perm_{name}", address)


def call_compiled(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a compiled function, also where numba cannot keep what it compiles.

    numba raises when the disk is full, but only after it has compiled; the next call works.
    """
    for _ in range(MAX_FUNCTIONS):
        try:
            return function(*arguments)
        except OSError as error:
            _log.warning("Compiled code is not kept for next time: %s", error)
    return function(*arguments)
