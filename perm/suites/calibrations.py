"""From calibration files to what each task's measurements are scored with."""

from collections.abc import Mapping
from dataclasses import replace

from perm.core.errors import PermError
from perm.core.task import Task
from perm.metrics.calibration import Calibration
from perm.suites.entries import TaskEntry
from perm.suites.sources import Sources
from perm.suites.strict_yaml import read_mapping

Calibrations = dict[tuple[str, str], Calibration]


def load_calibrations(
    entries: Mapping[str, TaskEntry], tasks: Mapping[str, Task], sources: Sources
) -> Calibrations:
    """Return calibrations by (task group, preference); a task without one is just not there.

    Args:
        entries: Task files by id; they may name another task whose calibration they share.
        tasks: The tasks built from them.
        sources: Where the calibration files are, and where problems are reported.
    """
    own: Calibrations = {}
    for task_id in sources.files["calibration"]:
        sources.require("task", task_id, where=("calibration", task_id))
        calibration = _read(task_id, sources)
        if task_id in tasks and calibration is not None:
            _check_owner(calibration, tasks[task_id], sources)
            own[task_id, calibration.preference] = calibration
    shared: Calibrations = {}
    for entry in entries.values():
        if entry.calibrated_as is not None and entry.id in tasks:
            shared |= _share(tasks[entry.id], entry.calibrated_as, tasks, own, sources)
    return own | shared


def _read(task_id: str, sources: Sources) -> Calibration | None:
    """Return what a calibration file holds, or None after reporting why it cannot be used."""
    try:
        found = read_mapping(sources.files["calibration"][task_id])
    except PermError as error:
        sources.problems.append(str(error))
        return None
    try:
        return Calibration.from_dict(found)
    except (PermError, AttributeError, TypeError) as error:  # the last two: wrong kinds of values
        sources.report("calibration", task_id, str(error))
        return None


def _check_owner(calibration: Calibration, task: Task, sources: Sources) -> None:
    """Report a calibration that was made for another task or preference than its file's."""
    found = (calibration.task, calibration.preference)
    expected = [(task.id, preference.id) for preference in task.measured]
    if found not in expected:
        problem = f"is for {' '.join(found)}, expected {' '.join(expected[0])}"
        sources.report("calibration", task.id, problem)


def _share(
    task: Task, other_id: str, tasks: Mapping[str, Task], own: Calibrations, sources: Sources
) -> Calibrations:
    """Return another task's calibration as a task's own."""
    where = ("task", task.id)
    sources.require("task", other_id, where)
    if other_id not in tasks:
        return {}
    wanted, offered = task.measured[0], tasks[other_id].measured[0]
    if task.id in sources.files["calibration"]:
        problem = f"it has its own: {sources.files['calibration'][task.id]}; remove one"
    elif wanted.metric.name != offered.metric.name:
        problem = f"{other_id} measures {offered.metric.name}, this task {wanted.metric.name}"
    elif (other_id, offered.id) not in own:
        problem = f"{other_id} has no calibration of its own"
    else:
        calibration = own[other_id, offered.id]
        return {(task.id, wanted.id): replace(calibration, task=task.id, preference=wanted.id)}
    sources.report(*where, f"calibrated_as: {problem}")
    return {}
