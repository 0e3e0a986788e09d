"""The words of a command line, taken apart; nothing is looked up and nothing imported yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perm.core.errors import PermError, unknown_name

FLAGS = {"--help": "--help", "-h": "--help", "--multirun": "--multirun", "-m": "--multirun"}
SHOWN = ("job", "hydra", "all")
"""Values of --cfg."""
VALUED = {"--config-dir": "--config-dir", "--cfg": "--cfg", "-c": "--cfg"}


@dataclass(frozen=True)
class Arguments:
    """What stands behind `perm <verb>`.

    Attributes:
        words: Positional words in order, for example ("check", "x.hdf5").
        settings: Values of `key=value` words by key as typed.
        config_dirs: Every `--config-dir`, in order.
        show_config: Value of `--cfg`: "job", "hydra" or "all"; or None.
        multirun: Whether Hydra shall sweep over comma values.
        wants_help: Whether `--help` was among the words.
    """

    words: tuple[str, ...]
    settings: dict[str, str]
    config_dirs: tuple[Path, ...] = ()
    show_config: str | None = None
    multirun: bool = False
    wants_help: bool = False


def parse_arguments(argv: Sequence[str]) -> Arguments:
    """Sort the words behind the verb into settings, options and positional words.

    Raises:
        PermError: An option is unknown, lacks its value or has a wrong one, or a key is given
            twice.
    """
    words: list[str] = []
    settings: dict[str, str] = {}
    flags: set[str] = set()
    valued: dict[str, list[str]] = {name: [] for name in VALUED.values()}
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        option, has_value, value = word.partition("=")
        if option in VALUED:
            if not has_value and not rest:
                raise PermError(f"{option} needs a value behind it.")
            valued[VALUED[option]].append(value if has_value else rest.pop(0))
        elif word in FLAGS:
            flags.add(FLAGS[word])
        elif word.startswith("-"):
            raise unknown_name("option", word, {*FLAGS.values(), *VALUED.values()})
        elif has_value and option.isprintable() and " " not in option:
            if option in settings:
                raise PermError(f"{option} is given twice: {settings[option]!r} and {value!r}.")
            settings[option] = value
        else:
            words.append(word)
    _check_shown(valued["--cfg"], "--multirun" in flags)
    return Arguments(
        tuple(words),
        settings,
        tuple(_folder(text) for text in valued["--config-dir"]),
        valued["--cfg"][-1] if valued["--cfg"] else None,
        "--multirun" in flags,
        "--help" in flags,
    )


def refuse_words(arguments: Arguments, verb: str) -> None:
    """Refuse positional words where only `key=value` has a meaning."""
    if arguments.words:
        word = arguments.words[0]
        raise PermError(
            f"{word!r} is not a setting. Settings are written key=value: "
            f"`perm {verb} --help` lists the keys."
        )


def _check_shown(values: Sequence[str], multirun: bool) -> None:
    for value in values:
        if value not in SHOWN:
            raise unknown_name("value of --cfg", value, SHOWN)
    if values and multirun:
        raise PermError("--cfg shows one combination of settings; leave --multirun out.")


def _folder(text: str) -> Path:
    path = Path(text).expanduser().resolve()
    if not path.is_dir():
        raise PermError(f"--config-dir {text}: there is no such folder.")
    return path
