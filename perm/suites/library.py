"""The benchmark as loaded: preferences, tasks, suites and calibrations, by name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from perm.core.catalogue import Catalogue
from perm.core.errors import PermError, unknown_name
from perm.core.layout import DerivedCategory
from perm.core.task import Mission, Preference, Suite, Task
from perm.metrics.calibration import Calibration
from perm.suites.calibrations import absolute_scales, load_calibrations
from perm.suites.entries import (
    UNCOUNTED,
    MissionEntry,
    ObjectEntry,
    PreferenceEntry,
    SuiteEntry,
    TaskEntry,
)
from perm.suites.missions import build_mission
from perm.suites.objects import build_catalogue, derived_categories
from perm.suites.paths import packaged_configs
from perm.suites.sources import Sources, find_sources
from perm.suites.tasks import build_free_task, build_preference, build_tasks

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
        """Return the no-preference twin of a task, or of a twin the task with the preference."""
        others = (t for t in self.tasks.values() if t.group == task.group and t.id != task.id)
        return next(others, None)

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
        config_dirs: Folders with `preference/`, `mission/`, `task/`, `suite/`, `layout/`,
            `starts/`, `object/` and `calibration/`, each optional, in the formats of
            `perm.suites.entries`.

    Raises:
        PermError: Lists every problem of every file, among them a name that two files define.
    """
    sources = find_sources([packaged_configs(), *config_dirs])
    asked = sources.read("preference", PreferenceEntry)
    preferences = {key: build_preference(entry, sources) for key, entry in asked.items()}
    objects = sources.read("object", ObjectEntry)
    entries = sources.read("task", TaskEntry)
    tasks = _load_tasks(entries, preferences, derived_categories(objects), sources)
    suites = _load_suites(sources.read("suite", SuiteEntry), tasks, sources)
    calibrations = absolute_scales(asked, tasks, sources)
    calibrations |= load_calibrations(entries, tasks, sources)
    catalogue = build_catalogue(objects, sources)
    sources.raise_problems()
    return Library(preferences, tasks, suites, calibrations, catalogue)


def _load_tasks(
    entries: Mapping[str, TaskEntry],
    preferences: Mapping[str, Preference],
    derived: Mapping[str, DerivedCategory],
    sources: Sources,
) -> dict[str, Task]:
    """Return tasks and twins by id."""
    plans = sources.read("mission", MissionEntry)
    missions = {key: build_mission(entry, derived, sources) for key, entry in plans.items()}
    for mission_id in sources.files["starts"]:
        sources.require("mission", mission_id, where=("starts", mission_id))
    tasks: dict[str, Task] = {}
    for entry in entries.values():
        sources.require("mission", entry.mission, where=("task", entry.id))
        mission = missions.get(entry.mission)
        if entry.preference is None:
            if mission is not None:
                task = build_free_task(entry, mission, plans[mission.id].plan, sources)
                tasks[task.id] = task
            continue
        sources.require("preference", entry.preference, where=("task", entry.id))
        preference = preferences.get(entry.preference)
        if preference is not None and mission is not None:
            built = build_tasks(entry, preference, mission, plans[mission.id].plan, sources)
            tasks.update((task.id, task) for task in built)
    return tasks


def _load_suites(
    entries: Mapping[str, SuiteEntry], tasks: Mapping[str, Task], sources: Sources
) -> dict[str, Suite]:
    """Return suites by id, after checking that tasks and suites name each other."""
    for entry in entries.values():
        for name in entry.tasks:
            sources.require("task", name, where=("suite", entry.id))
    for task in tasks.values():
        if task.suite == UNCOUNTED or task.is_twin:
            continue
        sources.require("suite", task.suite, where=("task", task.id))
        if task.suite in entries and task.id not in entries[task.suite].tasks:
            sources.report(
                "task",
                task.id,
                f"suite: {task.suite} does not list this task; leave `suite` out for your own",
            )
    return {
        entry.id: Suite(entry.id, entry.title, tuple(tasks[t] for t in entry.tasks if t in tasks))
        for entry in entries.values()
    }


def _find(kind: str, name: str, known: Mapping[str, FoundT]) -> FoundT:
    if name not in known:
        raise unknown_name(kind, name, known)
    return known[name]
