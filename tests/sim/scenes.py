"""Real LIBERO scenes for tests; each is built once a process."""

import functools

from perm.core.task import Task
from perm.sim.env import SimEnv
from perm.suites.library import Library, load_library


@functools.cache
def library() -> Library:
    return load_library()


def task(name: str) -> Task:
    return library().find_task(name)


@functools.cache
def scene(mission: str) -> SimEnv:
    tasks = library().tasks.values()
    return SimEnv(next(t for t in tasks if t.mission.id == mission).mission.layout)
