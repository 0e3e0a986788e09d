"""From calibration files to what each task's measurements are scored with."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from perm.core.errors import PermError
from perm.core.task import Task
from perm.metrics.calibration import Calibration, read_event
from perm.suites.entries import PreferenceEntry, TaskEntry
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


def absolute_scales(
    entries: Mapping[str, PreferenceEntry], tasks: Mapping[str, Task], sources: Sources
) -> Calibrations:
    """Return the scales that preferences bring themselves, by (task group, preference).

    They are for the preference's own measurement: a task that measures another one has none.
    """
    scales = {entry.id: _scale(entry, sources) for entry in entries.values() if entry.scale}
    return {
        (task.group, asked.id): replace(scale, task=task.group)
        for task in tasks.values()
        for asked in task.measured
        if (scale := scales.get(asked.id)) is not None
        and asked.metric.name == entries[asked.id].metric.name
    }


def _scale(entry: PreferenceEntry, sources: Sources) -> Calibration | None:
    """Return what a preference's scale says, for any task, or None after reporting a problem."""
    values = dict(entry.scale)
    event, reason = str(values.pop("event")), str(values.pop("reason"))
    try:
        scale = Calibration("", entry.id, {event: read_event(event, values)}, {"reason": reason})
    except PermError as error:
        sources.report("preference", entry.id, f"scale: {error}")
        return None
    if entry.better is None:
        sources.report("preference", entry.id, "scale: is for motion and skill preferences")
    for problem in _order_problems(scale, entry.larger_is_better):
        sources.report("preference", entry.id, f"scale: {problem}")
    return scale


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
    if not measured:
        yield "is for a task without a preference"
        return
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
    yield from _order_problems(calibration, measured[calibration.preference].larger_is_better)


def _order_problems(calibration: Calibration, larger_is_better: bool | None) -> Iterator[str]:
    """Yield which events run against the direction that a preference asks for."""
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
    if other_id not in tasks or not task.measured:  # reported
        return {}
    if not tasks[other_id].measured:
        sources.report(*where, f"calibrated_as: {other_id} has no preference")
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
