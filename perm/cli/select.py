"""Which tasks a command is about."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from perm.core.conditions import CONDITIONS
from perm.core.errors import PermError, unknown_name
from perm.core.task import SPLITS, Level, Task
from perm.suites.library import Library

FILTERS: Mapping[str, Callable[[Task], set[str]]] = MappingProxyType(
    {
        "levels": lambda task: {preference.level.value for preference in task.measured},
        "preferences": lambda task: {preference.id for preference in task.measured},
        "conditions": lambda task: {task.asks},
        "splits": lambda task: {task.split},
    }
)
"""By key, what of a task it compares; a task has to have one of the values given."""


def select_tasks(library: Library, values: Mapping[str, Any]) -> tuple[Task, ...]:
    """Return the tasks that the keys task and suite mean, each once, of those that filters keep.

    With a suite, tasks are picked out of it.

    Raises:
        PermError: A name is not known, a task is not in the suite, or no task is left.
    """
    suites = values.get("suites", ())
    named = [task for name in suites for task in library.find_suite(name).tasks]
    if values["tasks"]:
        picked = [library.find_task(name) for name in values["tasks"]]
        others = [task.id for task in picked if suites and task not in named]
        if others:
            raise PermError(f"{others[0]} is not a task of suite {' or '.join(suites)}.")
        named = picked
    if not named:
        raise PermError("Say which tasks: task=ID or suite=NAME. `perm suite list` shows them.")
    return keep_tasks(named, library, values)


def keep_tasks(
    tasks: Iterable[Task], library: Library, values: Mapping[str, Any]
) -> tuple[Task, ...]:
    """Return the tasks that the filters keep, each once.

    Raises:
        PermError: A value is not known, or no task is left.
    """
    known = {
        "levels": [level.value for level in Level],
        "preferences": list(library.preferences),
        "conditions": list(CONDITIONS),
        "splits": list(SPLITS),
    }
    kept = {task.id: task for task in tasks}
    for key, of in FILTERS.items():
        wanted = set(values.get(key, ()))
        for name in sorted(wanted - set(known[key])):
            raise unknown_name(key.removesuffix("s"), name, known[key])
        if wanted:
            kept = {name: task for name, task in kept.items() if wanted & of(task)}
        if not kept:
            words = " or ".join(sorted(wanted))
            raise PermError(f"None of the tasks is of {key.removesuffix('s')} {words}.")
    return tuple(kept.values())
