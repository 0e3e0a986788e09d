"""What `perm generate` is asked for, and what of it decides the bytes of the files."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perm.core.conventions import DEMO_INDICES, SIMULATIONS
from perm.core.task import Task
from perm.metrics.calibration import Calibration
from perm.pipeline.models.names import find_model
from perm.suites.identity import scales_of, task_digest
from perm.suites.library import Library

NOBODY = "nobody"
"""In place of a model, where none looks at the demonstrations."""
PLANNED, INSPECTED = "answers/plan", "answers/inspect"
"""Folders under that of the files in which raw answers of models are kept."""


@dataclass(frozen=True)
class GenerateRequest:
    """What to generate.

    Attributes:
        tasks: The tasks, without their twins.
        demos: Demonstrations of each task and of each twin.
        out: Folder of the files.
        workers: Number of processes.
        images: Height and width of the recorded images [px], or None for none.
        seed: Seed of every draw.
        twins: Whether to make the twins too.
        init_indices: Where the demonstrations start.
        simulation: What steps the scenes, one of `SIMULATIONS`.
        inspect: The model that looks at pictures of each demonstration, as `find_model` takes it,
            or `NOBODY`.
    """

    tasks: tuple[Task, ...]
    demos: int
    out: Path
    workers: int = 1
    images: int | None = 128
    seed: int = 0
    twins: bool = True
    init_indices: tuple[int, ...] = DEMO_INDICES
    simulation: str = SIMULATIONS[0]
    inspect: str = NOBODY


def tasks_of(request: GenerateRequest, library: Library) -> tuple[Task, ...]:
    """Return the tasks and, if asked for, their twins, those of one scene together."""
    wanted = library.with_twins(request.tasks) if request.twins else request.tasks
    tasks = {task.id: task for task in wanted}
    return tuple(sorted(tasks.values(), key=lambda task: task.mission.layout.digest))


def calibrations_of(library: Library, task: Task) -> dict[str, Calibration]:
    """Return the calibrations of a task's measured preferences, by preference."""
    found = {p.id: library.calibration(task, p) for p in task.measured}
    return {name: calibration for name, calibration in found.items() if calibration is not None}


def settings_of(request: GenerateRequest, library: Library) -> dict[str, Any]:
    """Return all that decides the bytes of the files, in JSON values."""
    from perm.sim.versions import versions

    return {
        "tasks": {
            task.id: {
                "layout_digest": task.mission.layout.digest,
                "definition": task_digest(task),
                "calibration": scales_of(calibrations_of(library, task)),
            }
            for task in tasks_of(request, library)
        },
        "demos": request.demos,
        "images": request.images,
        "renderer": os.environ.get("MUJOCO_GL", "default") if draws(request) else None,
        "seed": request.seed,
        "init": list(request.init_indices),
        **_inspector_of(request),
        "versions": versions(request.simulation),
    }


def draws(request: GenerateRequest) -> bool:
    """Return whether pictures are drawn, for the files or for somebody to look at."""
    return request.images is not None or request.inspect != NOBODY


def _inspector_of(request: GenerateRequest) -> dict[str, str]:
    """Return who looks, by name: the same model on another server, or recorded, looks alike."""
    if request.inspect == NOBODY:
        return {}
    model = find_model(request.inspect, request.out / INSPECTED)
    assert model is not None
    return {"inspect": model.name}
