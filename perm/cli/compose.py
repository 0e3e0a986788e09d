"""One composed config from a verb's YAML file, the user's folders and settings, by Hydra."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from perm.cli.arguments import Arguments, refuse_words
from perm.cli.keys import check_types, read_keys
from perm.cli.overrides import build_overrides, quote
from perm.core.errors import PermError
from perm.suites.paths import packaged_configs

Work = Callable[[], int]
"""Does what was asked for; returns the exit code."""
Job = Callable[[Mapping[str, Any], tuple[Path, ...]], Work]
"""Checks one config (plain dicts and lists) with the user's folders; returns the work."""

_QUIET = (
    "hydra.run.dir=.",  # Hydra makes this folder before anything runs
    "hydra.output_subdir=null",
    "hydra/job_logging=none",
    "hydra/hydra_logging=none",
)


def run_with_hydra(verb: str, arguments: Arguments, job: Job) -> int:
    """Check the settings, compose the config of `verb`, give it to `job` and do the work.

    `hydra.main` does it, not `hydra.compose`, so that `--multirun`, `--cfg` and launchers work.
    With `--multirun` every combination is checked before the first one runs.

    Returns:
        The exit code; with `--multirun` the largest one.

    Raises:
        PermError: A setting is wrong.
    """
    refuse_words(arguments, verb)
    keys = read_keys(verb)
    overrides = build_overrides(keys, arguments)
    codes: list[int] = []
    outs: set[str] = set()

    def check(values: Mapping[str, Any]) -> Work:
        check_types(keys, values)
        return job(values, arguments.config_dirs)

    def check_apart(values: Mapping[str, Any]) -> None:
        check(values)
        if values["out"] in outs:
            raise PermError(
                f"Several combinations write to out={values['out']}; give each a folder of its "
                "own, for example out=out/${seed}."
            )
        outs.add(values["out"])

    with TemporaryDirectory() as notes:  # Hydra's, of a sweep; nobody needs them
        sweep_dir = f"hydra.sweep.dir={quote(notes)}"
        words = [*_options(arguments), *_QUIET, sweep_dir, *overrides]
        if arguments.multirun:
            here = [word for word in words if not re.match("hydra[./]launcher", word)]
            _for_each_config(verb, here, check_apart)
        _for_each_config(verb, words, lambda values: codes.append(check(values)()))
    return max(codes, default=0)


def _options(arguments: Arguments) -> list[str]:
    shown = ["--cfg", arguments.show_config] if arguments.show_config else []
    return [*shown, *(["--multirun"] if arguments.multirun else [])]


def _for_each_config(
    verb: str, words: Sequence[str], act: Callable[[Mapping[str, Any]], object]
) -> None:
    """Let Hydra compose what the words ask for; raise the first error when all had their turn.

    Raises:
        PermError: Hydra refused something.
    """
    from hydra import main as hydra_main
    from hydra.errors import HydraException
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    errors: list[Exception] = []

    def task_function(config: DictConfig) -> None:
        try:
            act(cast(dict[str, Any], OmegaConf.to_container(config, resolve=True)))
        except Exception as error:  # noqa: BLE001 - raised below, past Hydra's own reporting
            errors.append(error)

    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra raises then; else it prints and exits
    try:
        with _command_line(words):
            hydra_main(str(packaged_configs()), verb, version_base="1.3")(task_function)()
        if errors:
            raise errors[0]
    except OmegaConfBaseException as error:
        hint = "In a value, ${KEY} stands for the setting KEY."
        raise PermError(f"{error.full_key}: {_first_line(error)}. {hint}") from error
    except HydraException as error:
        told = (getattr(error, "override", ""), _first_line(error), _first_line(error.__cause__))
        raise PermError(f"{': '.join(filter(None, told))}.") from error


def _first_line(error: object) -> str:
    return str(error or "").partition("\n")[0].rstrip(".")


@contextmanager
def _command_line(words: Sequence[str]) -> Iterator[None]:
    """Let Hydra, which reads nothing else, find these words in `sys.argv`."""
    before = sys.argv
    sys.argv = [before[0], *words]
    try:
        yield
    finally:
        sys.argv = before
