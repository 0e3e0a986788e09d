"""The help texts. They load nothing but YAML, so that help is instant."""

import textwrap
from collections.abc import Iterator

from perm.cli.verbs import VERBS

WIDTH = 80


def overview() -> str:
    """Return what `perm --help` prints."""
    lines = [
        "perm - does a robot policy do a task the way its user wants it done?",
        "",
        "Usage: perm COMMAND [key=value ...] [--config-dir DIR]",
        "",
    ]
    for name, verb in VERBS.items():
        lines += [f"  {name:<12}{verb.purpose}", f"{'':14}{verb.example}"]
    lines += [
        "",
        "`perm COMMAND --help` lists its keys. --config-dir DIR adds your own",
        "preferences, tasks and policies; give it once for each folder.",
    ]
    return "\n".join(lines)


def verb_help(name: str) -> str:
    """Return what `perm NAME --help` prints."""
    verb = VERBS[name]
    lines = [verb.purpose, "", f"Usage:   perm {verb.usage}", f"Example: {verb.example}"]
    if verb.keys:
        whose = "" if verb.keys == name else f" of {verb.keys}"
        lines += ["", f"Keys{whose}, with their defaults:", *_describe_keys(verb.keys)]
    return "\n".join(lines)


def _describe_keys(config: str) -> Iterator[str]:
    """Yield the keys of a config, then the options of its groups with their own keys."""
    from perm.cli.keys import MISSING, describe_options, read_keys

    keys = read_keys(config).values()
    for key in keys:
        shown = "required" if key.default == MISSING else _shown(key.default)
        yield from _entry(f"{key.word} ({shown})" if shown else key.word, key.meaning)
    for key in keys:
        if key.is_group:
            yield f"\nValues of {key.word}:"
            for option, meaning in describe_options(key.name):
                yield from _entry(option, meaning)
    yield "\nLists are written a,b. --cfg job prints the settings and runs nothing;"
    yield "--multirun runs every combination of comma values."


def _shown(default: object) -> str:
    if isinstance(default, list):
        return ",".join(map(str, default))
    return str(default).lower() if isinstance(default, bool) else str(default)


def _entry(head: str, meaning: str) -> list[str]:
    return textwrap.wrap(
        f"  {head:<22} {meaning}", WIDTH, subsequent_indent=" " * 25, break_on_hyphens=False
    )
