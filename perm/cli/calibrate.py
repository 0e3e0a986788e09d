"""perm calibrate: anchors and cuts of a task's preference."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import run_with_hydra


def run(arguments: Arguments) -> int:
    """Run the command line."""
    return run_with_hydra("calibrate", arguments, _calibrate)


def _calibrate(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> int:

    raise NotImplementedError
