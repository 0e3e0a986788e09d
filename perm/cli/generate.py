"""perm generate: demonstrations of tasks and of their no-preference twins."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import run_with_hydra
from perm.cli.keys import at_least, expand_indices
from perm.cli.renderer import choose_renderer
from perm.cli.select import select_tasks
from perm.core.errors import unknown_name
from perm.suites.library import load_library

IMAGES: Mapping[str, int | None] = {"128": 128, "256": 256, "none": None}


def run(arguments: Arguments) -> int:
    """Run the command line."""
    return run_with_hydra("generate", arguments, _generate)


def _generate(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> int:
    from perm.pipeline.demonstrate import GenerateRequest, generate

    images = str(values["images"])
    if images not in IMAGES:
        raise unknown_name("size of images", images, IMAGES)
    library = load_library(config_dirs)
    request = GenerateRequest(
        tasks=select_tasks(library, values),
        demos=at_least(1, values, "demos"),
        out=Path(values["out"]),
        workers=at_least(1, values, "workers"),
        images=IMAGES[images],
        seed=at_least(0, values, "seed"),
        twins=values["twins"],
        init_indices=expand_indices(values["init"]),
    )
    choose_renderer()
    for path in generate(request, library):
        print(path)
    return 0
