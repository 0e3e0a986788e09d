"""What the trials of a suite check come to: a pure function of the tasks and their trials."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from perm.core.task import Preference, Task
from perm.data.trial import Reading, Trial
from perm.metrics.calibration import HALF_WAY, EventCalibration


@dataclass(frozen=True)
class Side:
    """The trials of a task, or of its twin."""

    task: Task
    trials: tuple[Trial, ...]

    @property
    def successes(self) -> tuple[Trial, ...]:
        """Those that did the task."""
        return tuple(trial for trial in self.trials if trial.success)

    @property
    def failures(self) -> Counter[str]:
        """Number of failures by kind."""
        return Counter(trial.kind for trial in self.trials if not trial.success)

    @property
    def steps(self) -> float | None:
        """Median number of actions of the successes."""
        return _median(trial.steps for trial in self.successes)

    @property
    def followed(self) -> int:
        """Number of successes in which the expert kept what it follows, and nothing else."""
        return sum(
            self.task.is_followed({name: one.label for name, one in trial.readings.items()})
            for trial in self.successes
        )

    def readings(self, preference: str) -> list[Reading]:
        """Return what the successes measured of a preference."""
        found = (trial.readings.get(preference) for trial in self.successes)
        return [one for one in found if one is not None and one.raw is not None]


@dataclass(frozen=True)
class Spread:
    """One preference with and without: do the two distributions stay apart?

    Attributes:
        preference: What was measured.
        unit: Of the raw quantity.
        scale: What it is worth, or None.
        raw, twin_raw: Medians of the successes.
        low: 5 % quantile of the position with the preference; 0 and 100 are the anchors.
        twin_high: 95 % quantile of the position without.
    """

    preference: Preference
    unit: str
    scale: EventCalibration | None
    raw: float | None
    twin_raw: float | None
    low: float | None
    twin_high: float | None

    @property
    def gap(self) -> float | None:
        """Distance between the two distributions, in points of the score."""
        if self.low is None or self.twin_high is None:
            return None
        return self.low - self.twin_high

    @property
    def separates(self) -> bool | None:
        """Whether the sides keep apart as a calibration demands; None where nobody can tell."""
        if self.scale is None or self.low is None or self.twin_high is None:
            return None
        return self.twin_high < HALF_WAY and self.low >= self.scale.cuts[2]


@dataclass(frozen=True)
class Checked:
    """A task with its twin, if it has one."""

    side: Side
    twin: Side | None

    @property
    def sides(self) -> tuple[Side, ...]:
        """Both sides, or one."""
        return (self.side,) if self.twin is None else (self.side, self.twin)

    @property
    def obeyed(self) -> int:
        """Successes with label 1; where nothing is asked for, those that keep nothing by chance."""
        return self.side.followed

    @property
    def twin_disobeyed(self) -> int:
        """Successes of the twin that keep the preference no better than ordinary."""
        return 0 if self.twin is None else self.twin.followed

    @property
    def failures(self) -> Counter[str]:
        """Number of failures of both sides by kind."""
        return sum((side.failures for side in self.sides), Counter())

    @property
    def seconds(self) -> float | None:
        """Median time that an attempt took [s]."""
        return _median(t.wall_s for side in self.sides for t in side.trials if t.steps is not None)

    @property
    def planning_s(self) -> float | None:
        """Median time that an attempt spent in planning [s]."""
        return _median(trial.planning_s for side in self.sides for trial in side.trials)

    @property
    def spreads(self) -> tuple[Spread, ...]:
        """One for each preference that was measured."""
        return tuple(_spread(self, preference) for preference in self.side.task.measured)


def sum_up(tasks: Iterable[Task], trials: Sequence[Trial]) -> tuple[Checked, ...]:
    """Return the tasks with their twins and trials, in the order of the tasks.

    Args:
        tasks: Twins included.
        trials: Of these tasks.
    """
    sides = [Side(task, tuple(t for t in trials if t.task_id == task.id)) for task in tasks]
    twins = {side.task.group: side for side in sides if side.task.is_twin}
    return tuple(
        Checked(side, twins.get(side.task.group) if side.task.condition else None)
        for side in sides
        if side.task.condition or not side.task.beside
    )


def summary(checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the content of `summary.json`: counts over all tasks, and the same for each."""
    per_task = {one.side.task.id: counts([one]) for one in checked}
    return {**counts(checked), "per_task": per_task}


def counts(checked: Sequence[Checked]) -> Mapping[str, int]:
    """Return how many attempts, successes and labels as they should be some tasks come to."""
    paired = {one.twin.task.id: one for one in checked if one.twin is not None}
    twins = [one.twin for one in paired.values() if one.twin is not None]
    return {
        "tasks": len(checked),
        "attempts": sum(len(one.side.trials) for one in checked),
        "success": sum(len(one.side.successes) for one in checked),
        "obeyed": sum(one.obeyed for one in checked),
        "twin_attempts": sum(len(twin.trials) for twin in twins),
        "twin_success": sum(len(twin.successes) for twin in twins),
        "twin_disobeyed": sum(twin.followed for twin in twins),
        "no_twin": sum(one.twin is None for one in checked),
    }


def to_json(checked: Sequence[Checked]) -> str:
    """Return the text of `summary.json`."""
    return json.dumps(summary(checked), indent=2) + "\n"


def _spread(checked: Checked, preference: Preference) -> Spread:
    ours = checked.side.readings(preference.id)
    theirs = checked.twin.readings(preference.id) if checked.twin else []
    scales = [one.scale for one in (*ours, *theirs) if one.scale is not None]
    return Spread(
        preference=preference,
        unit=next((one.unit for one in (*ours, *theirs)), ""),
        scale=scales[0] if scales else None,
        raw=_median(one.raw for one in ours),
        twin_raw=_median(one.raw for one in theirs),
        low=_quantile(ours, 0.05),
        twin_high=_quantile(theirs, 0.95),
    )


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None


def _quantile(readings: Sequence[Reading], share: float) -> float | None:
    known = [one.position for one in readings if one.position is not None]
    return float(np.quantile(known, share)) if known else None
