"""Which simulation a scene runs on."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from perm.core.errors import unknown_name
from perm.core.layout import Layout
from perm.sim.env import SimEnv
from perm.sim.stock import StockEnv

_ENVS: Mapping[str, Callable[[Layout], SimEnv]] = MappingProxyType(
    {env.simulation: env for env in (SimEnv, StockEnv)}
)


def open_env(layout: Layout, simulation: str) -> SimEnv:
    """Return a scene on one of `perm.core.conventions.SIMULATIONS`.

    Raises:
        PermError: There is no such simulation, a category is unknown, or the objects cannot be
            placed.
    """
    if simulation not in _ENVS:
        raise unknown_name("simulation", simulation, _ENVS)
    return _ENVS[simulation](layout)
