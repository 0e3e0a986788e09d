"""Leakage: how often somebody who was told nothing keeps a preference by chance.

Tasks of one scene and one plain plan share their plain episodes: what nobody was told cannot make a
difference. Each of their preferences is measured on them, with its own scale.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from perm.core.conditions import LEFT_ASIDE
from perm.core.task import Preference, Task
from perm.data.trial import Trial
from perm.metrics.calibration import Calibration
from perm.suites.library import Library

MOST = 0.05
"""Share of plain episodes above which a task has to be built anew."""
ENOUGH = 40
"""Plain episodes that it takes to tell."""


@dataclass(frozen=True)
class Leak:
    """One preference of one group of tasks.

    Attributes:
        group, preference: Which.
        n: Plain episodes that did the task and have a label.
        kept: Those of them that keep the preference (d of at least 3/4).
    """

    group: str
    preference: str
    n: int
    kept: int

    @property
    def share(self) -> float | None:
        """Kept by chance, or None where nothing was measured."""
        return self.kept / self.n if self.n else None

    @property
    def verdict(self) -> str:
        """Whether the task may stay as it is."""
        if self.n < ENOUGH:
            return f"not measured: {self.n} of {ENOUGH}"
        return "leaks" if self.kept > MOST * self.n else "sound"


def plain_tasks(tasks: Iterable[Task], library: Library) -> tuple[tuple[Task, ...], Library]:
    """Return one task for each scene and plain plan, and a library that knows their scales.

    Each measures every preference of the groups that it stands for; its name in there is
    "<group> <preference>".

    Args:
        tasks: Those with a preference count, if they have a twin.
        library: Knows the twins and the scales.
    """
    groups: dict[str, Task] = {}
    for task in tasks:
        twin = library.find_twin(task) if task.condition else None
        if twin is not None:
            groups[twin.group] = twin
    scenes: dict[tuple[str, str], list[Task]] = {}
    for twin in groups.values():
        scenes.setdefault((twin.mission.id, repr(twin.plain_plan)), []).append(twin)
    merged, scales = [], dict[tuple[str, str], Calibration]()
    for twins in scenes.values():
        first = twins[0]
        merged.append(replace(first, measured=tuple(_named(twins))))
        for twin in twins:
            for preference in twin.measured:
                scale = library.calibration(twin, preference)
                if scale is not None:
                    scales[first.group, _name(twin, preference.id)] = scale
    known = {task.id: task for task in merged}
    return tuple(merged), replace(library, tasks=known, calibrations=scales)


def leaks(tasks: Sequence[Task], trials: Iterable[Trial]) -> tuple[Leak, ...]:
    """Return what leaks, one a group and preference.

    Args:
        tasks: As `plain_tasks` gives them.
        trials: Of these tasks.
    """
    done: Mapping[str, list[Trial]] = {task.id: [] for task in tasks}
    for trial in trials:
        if trial.success:
            done[trial.task_id].append(trial)
    found = []
    for task in tasks:
        for preference in task.measured:
            readings = (trial.readings.get(preference.id) for trial in done[task.id])
            labels = [one.label for one in readings if one is not None and one.label is not None]
            group, _, name = preference.id.rpartition(" ")
            kept = sum(label > LEFT_ASIDE for label in labels)
            found.append(Leak(group, name, len(labels), kept))
    return tuple(sorted(found, key=lambda leak: (leak.group, leak.preference)))


def _named(twins: Iterable[Task]) -> Iterator[Preference]:
    for twin in twins:
        for preference in twin.measured:
            yield replace(preference, id=_name(twin, preference.id))


def _name(twin: Task, preference: str) -> str:
    return f"{twin.group} {preference}"
