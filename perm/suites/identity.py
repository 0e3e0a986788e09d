"""What of the configuration decides a run's bytes and numbers, in a form that can be compared."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from perm.core.task import Task
from perm.metrics.calibration import Calibration, EventCalibration


def task_digest(task: Task) -> str:
    """Return a hash (hex) of everything that the configs say of a task.

    Plan, expert, metric, sentences and step limit are in it; where the file of starts lies is not:
    its content belongs to the layout.
    """
    definition = repr(replace(task, mission=replace(task.mission, starts=None)))
    return hashlib.sha256(definition.encode()).hexdigest()


def scales_of(calibrations: Mapping[str, Calibration | None]) -> dict[str, Any]:
    """Return what labels are made with, by preference and event; None for no calibration.

    Where a calibration comes from is left out: it changes no label.
    """
    return {
        preference: None if known is None else {e: _plain(c) for e, c in known.events.items()}
        for preference, known in calibrations.items()
    }


def _plain(scale: EventCalibration) -> dict[str, Any]:
    """As JSON would give it back: without tuples."""
    return {**asdict(scale), "cuts": list(scale.cuts)}
