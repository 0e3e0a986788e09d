"""Which tasks a command is about."""

from collections.abc import Mapping
from typing import Any

from perm.core.errors import PermError, unknown_name
from perm.core.task import Level, Task
from perm.suites.library import Library


def select_tasks(library: Library, values: Mapping[str, Any]) -> tuple[Task, ...]:
    """Return the tasks that the keys task, suite and level mean, each once.

    With a suite, tasks are picked out of it.

    Raises:
        PermError: A name is not known, a task is not in the suite, or no task is left.
    """
    levels = set(values.get("levels", ()))
    for name in sorted(levels - set(Level)):
        raise unknown_name("level", name, Level)
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
    tasks = {task.id: task for task in named if not levels or levels & _levels(task)}
    if not tasks:
        raise PermError(f"None of the tasks is of level {' or '.join(sorted(levels))}.")
    return tuple(tasks.values())


def _levels(task: Task) -> set[str]:
    return {preference.level.value for preference in task.measured}
