"""From calibration files to what each task's measurements are scored with."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from perm.core.errors import PermError, unknown_name
from perm.core.task import Preference, Task
from perm.metrics.calibration import Calibration, read_event
from perm.suites.entries import GroupEntry, PreferenceEntry, TaskEntry
from perm.suites.sources import Sources
from perm.suites.strict_yaml import read_mapping

Calibrations = dict[tuple[str, str], Calibration]


def load_calibrations(
    entries: Mapping[str, TaskEntry],
    groups: Mapping[str, GroupEntry],
    tasks: Mapping[str, Task],
    sources: Sources,
) -> Calibrations:
    """Return calibrations by (task group, preference); a task without one is just not there.

    A file is named by a task; that of a task with two preferences has one of them behind a dot.

    Args:
        entries: Task files by id; they may name another task whose calibration they share.
        groups: Group files by id; their wishes may do so, too.
        tasks: The tasks built from them.
        sources: Where the calibration files are, and where problems are reported.
    """
    own: Calibrations = {}
    for file_id in sources.files["calibration"]:
        task_id = _task_of(file_id, tasks)
        if task_id not in sources.files["task"] and task_id not in tasks:
            sources.report("calibration", file_id, _unknown(task_id, tasks))
        calibration = _read(file_id, sources)
        if task_id in tasks and calibration is not None:
            for problem in _problems(calibration, file_id, tasks[task_id]):
                sources.report("calibration", file_id, problem)
            own[tasks[task_id].group, calibration.preference] = calibration
    shared: Calibrations = {}
    for kind, group in (
        *(("task", entry.as_group) for entry in entries.values() if entry.preference is not None),
        *(("group", group) for group in groups.values()),
    ):
        for wish in group.preferences.values():
            if wish.calibrated_as is not None:
                shared |= _share(
                    (kind, group.id), wish.preference, wish.calibrated_as, tasks, own, sources
                )
    return own | shared


def _task_of(file_id: str, tasks: Mapping[str, Task]) -> str:
    """Return the task that a calibration file is for."""
    task_id = file_id.rpartition(".")[0]
    return task_id if file_id not in tasks and task_id in tasks else file_id


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


def _problems(calibration: Calibration, file_id: str, task: Task) -> Iterator[str]:
    """Yield why a calibration is not one for the task that its file names, as that stands now."""
    asked = {preference.id: preference for preference in task.condition}
    if not asked:
        yield "is for a task without a preference"
        return
    expected = {task.id if len(asked) == 1 else f"{task.id}.{name}": name for name in asked}
    wanted = expected.get(file_id, next(iter(asked)))
    if (calibration.task, calibration.preference) != (task.id, wanted) or file_id not in expected:
        found = f"{calibration.task} {calibration.preference}"
        files = " and ".join(f"{name}.yaml" for name in expected)
        yield f"is for {found}, expected {task.id} {wanted} (in {files})"
        return
    digest = task.mission.layout.digest
    if calibration.source.get("layout_digest", digest) != digest:
        yield (
            f"was made in another layout than the one mission {task.mission.id} has now; calibrate "
            f"anew: perm calibrate task={task.id}"
        )
    yield from _order_problems(calibration, asked[calibration.preference].larger_is_better)


def _order_problems(calibration: Calibration, larger_is_better: bool | None) -> Iterator[str]:
    """Yield which events run against the direction that a preference asks for."""
    for name, event in calibration.events.items():
        if larger_is_better is not None and larger_is_better != (event.raw_at_100 > event.raw_at_0):
            better = "larger" if larger_is_better else "smaller"
            yield f"{name}: raw_at_100 has to be {better} than raw_at_0, as the preference says"


def _share(
    where: tuple[str, str],
    preference: str,
    other_id: str,
    tasks: Mapping[str, Task],
    own: Calibrations,
    sources: Sources,
) -> Calibrations:
    """Return another task's calibration as a group's own.

    Args:
        where: Kind and id of the group's file.
        preference: The group's, which is to be scored.
        other_id: The other task.
        tasks: All, by id.
        own: Calibrations that have files, by (task group, preference).
        sources: Where problems are reported.
    """
    group = where[1]
    wanted = _measured(preference, [task for task in tasks.values() if task.group == group])
    other = tasks.get(other_id)
    if other is None:
        if other_id not in sources.files["task"]:
            sources.report(*where, f"calibrated_as: {_unknown(other_id, tasks)}")
        return {}
    if wanted is None:  # reported
        return {}
    if not other.measured:
        sources.report(*where, f"calibrated_as: {other_id} has no preference")
        return {}
    offered = _measured(preference, [other]) or other.measured[0]
    if (group, preference) in own:
        files = sources.files["calibration"]
        path = next(p for i, p in files.items() if tasks[_task_of(i, tasks)].group == group)
        problem = f"it has its own: {path}; remove one"
    elif wanted.metric.name != offered.metric.name:
        problem = f"{other_id} measures {offered.metric.name}, this task {wanted.metric.name}"
    elif (other.group, offered.id) not in own:
        problem = f"{other_id} has no calibration of its own"
    else:
        calibration = own[other.group, offered.id]
        return {(group, preference): replace(calibration, task=group, preference=preference)}
    sources.report(*where, f"calibrated_as: {problem}")
    return {}


def _unknown(task_id: str, tasks: Mapping[str, Task]) -> str:
    """Return that there is no such task, with those that there are."""
    return str(unknown_name("task", task_id, [t.id for t in tasks.values() if not t.beside]))


def _measured(preference: str, tasks: Iterable[Task]) -> Preference | None:
    """Return a preference as some tasks measure it."""
    return next((p for task in tasks for p in task.measured if p.id == preference), None)
