"""The benchmark as loaded: preferences, tasks, suites and calibrations, by name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from perm.core.catalogue import Catalogue
from perm.core.errors import PermError, unknown_name
from perm.core.layout import DerivedCategory
from perm.core.mission import Mission
from perm.core.task import Preference, Suite, Task
from perm.metrics.calibration import Calibration
from perm.suites.calibrations import absolute_scales, load_calibrations
from perm.suites.entries import (
    UNCOUNTED,
    GroupEntry,
    MissionEntry,
    ObjectEntry,
    PreferenceEntry,
    RewordingEntry,
    SuiteEntry,
    TaskEntry,
)
from perm.suites.missions import build_mission
from perm.suites.objects import build_catalogue, derived_categories
from perm.suites.paths import packaged_configs
from perm.suites.preferences import build_preference
from perm.suites.rewordings import SUITE, TITLE, reworded
from perm.suites.sources import Sources, find_sources
from perm.suites.tasks import build_free_task, build_tasks

FoundT = TypeVar("FoundT")


@dataclass(frozen=True)
class Library:
    """All that the configuration defines; everything in it has been checked.

    Attributes:
        preferences: By id; sentences may still hold `{target}`.
        tasks: By id, twins included.
        suites: By id.
        calibrations: By (task group, preference); a task without one is not calibrated.
        catalogue: What is known of objects, by category.
    """

    preferences: Mapping[str, Preference]
    tasks: Mapping[str, Task]
    suites: Mapping[str, Suite]
    calibrations: Mapping[tuple[str, str], Calibration]
    catalogue: Catalogue = field(default_factory=dict)

    def find_task(self, name: str) -> Task:
        """Return a task by its id, or by the part behind the folder.

        A bare name means "single/..." where that exists, else the only task with it.

        Raises:
            PermError: There is no such task, or several.
        """
        if "/" in name:
            return _find("task", name, self.tasks)
        folders: dict[str, dict[str, Task]] = {}
        for task in self.tasks.values():
            folder, bare = task.id.split("/")
            folders.setdefault(bare, {})[folder] = task
        matches = _find("task", name, folders)
        if len(matches) > 1 and "single" not in matches:
            ids = ", ".join(sorted(task.id for task in matches.values()))
            raise PermError(f"Several tasks are called {name!r}. Name one of: {ids}.")
        return matches.get("single") or next(iter(matches.values()))

    def find_suite(self, name: str) -> Suite:
        """Return a suite by its id.

        Raises:
            PermError: There is no such suite.
        """
        return _find("suite", name, self.suites)

    def find_twin(self, task: Task) -> Task | None:
        """Return the no-preference twin of a task, or of a twin a task with the preference."""
        others = (t for t in self.tasks.values() if t.group == task.group and t.id != task.id)
        return next((t for t in others if bool(t.condition) != bool(task.condition)), None)

    def with_other_ways(self, tasks: Iterable[Task]) -> tuple[Task, ...]:
        """Return the tasks, each followed by that in which the expert follows the other wish."""
        ids = [task.id for task in tasks]
        others = {t.beside: t for t in self.tasks.values() if t.beside and t.condition}
        return tuple(t for i in ids for t in (self.tasks[i], others.get(i)) if t is not None)

    def with_twins(self, tasks: Iterable[Task]) -> tuple[Task, ...]:
        """Return the tasks, each followed by its twin if it has one, and none of them twice."""
        pairs = ((task, self.find_twin(task)) for task in tasks)
        found = {task.id: task for pair in pairs for task in pair if task is not None}
        return tuple(found.values())

    @property
    def missions(self) -> dict[str, Mission]:
        """All missions that some task has, by id."""
        return {task.mission.id: task.mission for task in self.tasks.values()}

    def calibration(self, task: Task, preference: Preference) -> Calibration | None:
        """Return what a task's measurement of a preference is scored with, if it is calibrated."""
        return self.calibrations.get((task.group, preference.id))


def load_library(config_dirs: Sequence[Path] = ()) -> Library:
    """Return the packaged configuration and what the user's folders add to it.

    Args:
        config_dirs: Folders with `preference/`, `mission/`, `task/`, `group/`, `suite/`, `layout/`,
            `starts/`, `object/` and `calibration/`, each optional, in the formats of
            `perm.suites.entries`.

    Raises:
        PermError: Lists every problem of every file, among them a name that two files define.
    """
    sources = find_sources([packaged_configs(), *config_dirs])
    asked = sources.read("preference", PreferenceEntry)
    preferences = {key: build_preference(entry, sources) for key, entry in asked.items()}
    for entry in asked.values():
        if entry.opposite is not None:
            sources.require("preference", entry.opposite, where=("preference", entry.id))
    objects = sources.read("object", ObjectEntry)
    entries, groups = sources.read("task", TaskEntry), sources.read("group", GroupEntry)
    tasks = _load_tasks(entries, groups, preferences, derived_categories(objects), sources)
    suites = _load_suites(sources.read("suite", SuiteEntry), tasks, sources)
    rewordings = sources.read("rewording", RewordingEntry)
    worded = {task.id: task for task in reworded(rewordings, tasks, sources)}
    suites[SUITE] = Suite(SUITE, TITLE, tuple(worded.values()))
    calibrations = absolute_scales(asked, tasks, sources)
    calibrations |= load_calibrations(entries, groups, tasks, sources)
    catalogue = build_catalogue(objects, sources)
    sources.raise_problems()
    return Library(preferences, {**tasks, **worded}, suites, calibrations, catalogue)


def _load_tasks(
    entries: Mapping[str, TaskEntry],
    groups: Mapping[str, GroupEntry],
    preferences: Mapping[str, Preference],
    derived: Mapping[str, DerivedCategory],
    sources: Sources,
) -> dict[str, Task]:
    """Return tasks and what belongs to them by id."""
    plans = sources.read("mission", MissionEntry)
    missions = {key: build_mission(entry, derived, sources) for key, entry in plans.items()}
    for mission_id in sources.files["starts"]:
        sources.require("mission", mission_id, where=("starts", mission_id))
    tasks: dict[str, Task] = {}
    for where, entry in _in_order(entries, groups):
        sources.require("mission", entry.mission, where)
        mission = missions.get(entry.mission)
        if isinstance(entry, TaskEntry):
            if mission is not None:
                task = build_free_task(entry, mission, plans[mission.id].plan, sources)
                tasks[task.id] = task
            continue
        for wish in entry.preferences.values():
            sources.require("preference", wish.preference, where)
        if mission is None or any(
            wish.preference not in preferences for wish in entry.preferences.values()
        ):
            continue
        plan = plans[mission.id].plan
        for task in build_tasks(entry, where, preferences, mission, plan, sources):
            if task.id in tasks:
                sources.report(*where, f"tasks: there is a task {task.id} already")
            tasks[task.id] = task
    return tasks


def _in_order(
    entries: Mapping[str, TaskEntry], groups: Mapping[str, GroupEntry]
) -> Iterator[tuple[tuple[str, str], TaskEntry | GroupEntry]]:
    """Yield files with their kind and id: tasks that ask for nothing, and groups."""
    for entry in entries.values():
        where = ("task", entry.id)
        yield where, entry if entry.preference is None else entry.as_group
    for group in groups.values():
        yield ("group", group.id), group


def _load_suites(
    entries: Mapping[str, SuiteEntry], tasks: Mapping[str, Task], sources: Sources
) -> dict[str, Suite]:
    """Return suites by id, after checking that tasks and suites name each other."""
    counted = [task.id for task in tasks.values() if not task.beside]
    for entry in entries.values():
        if bool(entry.tasks) == bool(entry.suites):
            sources.report("suite", entry.id, "give one of tasks and suites")
        for name in entry.suites:
            sources.require("suite", name, where=("suite", entry.id))
    for entry in entries.values():
        for name in entry.tasks:
            if name not in counted and not _is_broken(name, sources):
                sources.report("suite", entry.id, str(unknown_name("task", name, counted)))
    for task in tasks.values():
        if task.suite == UNCOUNTED or task.beside:
            continue
        kind = "task" if task.id in sources.files["task"] else "group"
        where = (kind, task.id if kind == "task" else task.group)
        sources.require("suite", task.suite, where)
        if task.suite in entries and task.id not in entries[task.suite].tasks:
            name = "this task" if kind == "task" else task.id
            sources.report(
                *where, f"suite: {task.suite} does not list {name}; leave `suite` out for your own"
            )
    listed = {
        entry.id: tuple(tasks[name] for name in entry.tasks if name in tasks)
        for entry in entries.values()
    }
    listed |= {
        entry.id: tuple(task for name in entry.suites for task in listed.get(name, ()))
        for entry in entries.values()
        if entry.suites
    }
    ours = {entry.id: frozenset(entry.ours) for entry in entries.values()}
    for entry in entries.values():
        for name in sorted(ours[entry.id] - set(entry.tasks)):
            sources.report("suite", entry.id, f"ours: {name} is not one of its tasks")
        ours[entry.id] = ours[entry.id].union(*(ours.get(name, ()) for name in entry.suites))
    return {
        entry.id: Suite(entry.id, entry.title, listed[entry.id], ours[entry.id])
        for entry in entries.values()
    }


def _is_broken(name: str, sources: Sources) -> bool:
    """Return whether there is a file of a task, whose problems have been reported."""
    return name in sources.files["task"] or any(
        name.startswith(group) for group in sources.files["group"]
    )


def _find(kind: str, name: str, known: Mapping[str, FoundT]) -> FoundT:
    if name not in known:
        raise unknown_name(kind, name, known)
    return known[name]
