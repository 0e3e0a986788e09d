"""perm generate: demonstrations of tasks and of their no-preference twins."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.renderer import choose_renderer
from perm.cli.select import select_tasks
from perm.cli.values import expand_indices, output_folder, simulation, whole_number
from perm.core.errors import unknown_name
from perm.core.task import Task
from perm.suites.library import Library, load_library

STORED = "stored"
IMAGES: Mapping[str, int | None] = {"128": 128, "256": 256, "none": None}


def run(arguments: Arguments) -> int:
    """Run the command line."""
    return run_with_hydra("generate", arguments, _generate)


def _generate(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.pipeline.demonstrate import generate
    from perm.pipeline.rejections import count_rejections, name_causes
    from perm.pipeline.request import INSPECTED, PLANNED, GenerateRequest, draws

    images = str(values["images"])
    if images not in IMAGES:
        raise unknown_name("size of images", images, IMAGES)
    library, out = load_library(config_dirs), output_folder(values)
    tasks = select_tasks(library, values)
    if values["planner"] != STORED:
        library = _replanned(library, tasks, str(values["planner"]), out / PLANNED)
        tasks = tuple(library.tasks[task.id] for task in tasks)
    request = GenerateRequest(
        tasks=tasks,
        demos=whole_number(1, values, "demos"),
        out=out,
        workers=whole_number(1, values, "workers"),
        images=IMAGES[images],
        seed=whole_number(0, values, "seed"),
        twins=values["twins"],
        init_indices=expand_indices(values["init"]),
        simulation=simulation(values),
        inspect=_inspector(str(values["inspect"]), out / INSPECTED),
    )
    choose_renderer(pictures=draws(request))

    def work() -> int:
        files = generate(request, library)
        for path in files:
            print(path)
        if causes := count_rejections(files):
            told = f"{causes.total()} attempts rejected on the way: {name_causes(causes)}"
            print(told, file=sys.stderr)
        return 0

    return work


def _inspector(text: str, kept: Path) -> str:
    """Return who looks at the demonstrations, checked; rules cannot look."""
    from perm.pipeline.models.names import FORMS, RULES, find_model
    from perm.pipeline.request import NOBODY

    if text != NOBODY:
        find_model(text, kept, [NOBODY, *(form for form in FORMS if form != RULES)])
    return text


def _replanned(library: Library, tasks: Sequence[Task], planner: str, kept: Path) -> Library:
    """Return the library with plans of these tasks by somebody else than who is stored."""
    from perm.pipeline.model_planner import ModelPlanner
    from perm.pipeline.models.names import FORMS, find_model
    from perm.pipeline.planner import RulePlanner, replan_library

    rules, model = RulePlanner(library.catalogue), find_model(planner, kept, [STORED, *FORMS])
    return replan_library(library, tasks, rules if model is None else ModelPlanner(model, rules))
