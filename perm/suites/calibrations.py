"""From calibration files to what each task's measurements are scored with."""

from collections.abc import Iterator, Mapping
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
            for problem in _problems(calibration, tasks[task_id]):
                sources.report("calibration", task_id, problem)
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


def _problems(calibration: Calibration, task: Task) -> Iterator[str]:
    """Yield why a calibration is not one for the task that its file names, as that stands now."""
    measured = {preference.id: preference for preference in task.measured}
    if calibration.task != task.id or calibration.preference not in measured:
        found = f"{calibration.task} {calibration.preference}"
        yield f"is for {found}, expected {task.id} {next(iter(measured))}"
        return
    digest = task.mission.layout.digest
    if calibration.source.get("layout_digest", digest) != digest:
        yield (
            f"was made in another layout than the one mission {task.mission.id} has now; calibrate "
            f"anew: perm calibrate task={task.id}"
        )
    larger_is_better = measured[calibration.preference].larger_is_better
    for name, event in calibration.events.items():
        if larger_is_better is not None and larger_is_better != (event.raw_at_100 > event.raw_at_0):
            better = "larger" if larger_is_better else "smaller"
            yield f"{name}: raw_at_100 has to be {better} than raw_at_0, as the preference says"


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
