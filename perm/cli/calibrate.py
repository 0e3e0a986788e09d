"""perm calibrate: anchors and cuts of a task's preference."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.renderer import choose_renderer
from perm.cli.select import select_tasks
from perm.cli.values import run_settings, whole_number
from perm.suites.library import load_library


def run(arguments: Arguments) -> int:
    """Run the command line."""
    return run_with_hydra("calibrate", arguments, _calibrate)


def _calibrate(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.metrics.calibration import MIN_DEMOS
    from perm.pipeline.calibrate import CalibrateRequest, calibrate

    library = load_library(config_dirs)
    request = CalibrateRequest(
        tasks=select_tasks(library, values),
        demos=whole_number(MIN_DEMOS, values, "demos"),
        **run_settings(values),
    )
    choose_renderer()

    def work() -> int:
        for path in calibrate(request, library):
            print(path)
        return 0

    return work
