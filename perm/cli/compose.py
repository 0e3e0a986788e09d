"""One composed config from a verb's YAML file, the user's folders and settings, by Hydra."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from perm.cli.arguments import Arguments, refuse_words
from perm.cli.keys import check_types, read_keys
from perm.cli.overrides import build_overrides
from perm.suites.paths import packaged_configs

Job = Callable[[Mapping[str, Any], tuple[Path, ...]], int]
"""Runs one config (plain dicts and lists) with the user's folders; returns the exit code."""

_QUIET = (
    "hydra.run.dir=.",  # Hydra makes this folder before anything runs
    "hydra.output_subdir=null",
    "hydra.sweep.dir=out/multirun",
    "hydra/job_logging=none",
    "hydra/hydra_logging=none",
)


def run_with_hydra(verb: str, arguments: Arguments, job: Job) -> int:
    """Check the settings, compose the config of `verb` and give it to `job`.

    `hydra.main` does it, not `hydra.compose`, so that `--multirun`, `--cfg` and launchers work.

    Returns:
        The exit code; with `--multirun` the largest one.

    Raises:
        PermError: A setting is wrong.
    """
    refuse_words(arguments, verb)
    keys = read_keys(verb)
    overrides = build_overrides(keys, arguments)

    from hydra import main as hydra_main
    from omegaconf import DictConfig, OmegaConf

    codes: list[int] = []
    errors: list[Exception] = []

    def task_function(config: DictConfig) -> None:
        plain = OmegaConf.to_container(config, resolve=True)
        values = cast(dict[str, Any], plain)
        try:
            check_types(keys, values)
            codes.append(job(values, arguments.config_dirs))
        except Exception as error:  # noqa: BLE001 - raised below, past Hydra's own reporting
            errors.append(error)

    decorate = hydra_main(str(packaged_configs()), verb, version_base="1.3")
    with _command_line([*_options(arguments), *_QUIET, *overrides]):
        try:
            decorate(task_function)()
        except SystemExit as stop:
            if stop.code:  # the job does not exit, so Hydra refused something, and has said what
                return 2
    if errors:
        raise errors[0]
    return max(codes, default=0)


def _options(arguments: Arguments) -> list[str]:
    shown = ["--cfg", arguments.show_config] if arguments.show_config else []
    return [*shown, *(["--multirun"] if arguments.multirun else [])]


@contextmanager
def _command_line(words: Sequence[str]) -> Iterator[None]:
    """Let Hydra, which reads nothing else, find these words in `sys.argv`."""
    before = sys.argv
    sys.argv = [before[0], *words]
    try:
        yield
    finally:
        sys.argv = before
