"""Settle the 50 starts of a layout once, so that they are the same numbers on every machine."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from perm.core.conventions import N_STARTS
from perm.core.errors import unknown_name
from perm.suites.library import Library


def store_starts(names: Iterable[str], library: Library, folder: Path) -> Iterator[Path]:
    """Make the starts of missions and yield the files, `<mission id>.npz`, as they are written.

    Args:
        names: Ids of missions.
        library: Has to know a task of each.
        folder: The `starts` folder of a configuration.

    Raises:
        PermError: A mission is not known, or a start is not clean.
    """
    missions = library.missions
    chosen = list(names)
    for name in chosen:
        if name not in missions:
            raise unknown_name("mission", name, missions)
    from perm.sim.env import SimEnv
    from perm.sim.starts import make_start, save_starts

    folder.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        env = SimEnv(missions[name].layout)
        starts = [make_start(missions[name], i, env) for i in range(N_STARTS)]
        env.close()
        path = folder / f"{name}.npz"
        save_starts(path, starts)
        yield path
