"""The keys of a verb, read from its YAML file: names, defaults, and what the comments say.

A verb's keys are written down once, in `configs/<verb>.yaml`; help texts, checks and Hydra all
read that file.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from perm.core.errors import PermError, unknown_name
from perm.suites.paths import packaged_configs

MISSING = "???"
"""Hydra's mark of a key without a default."""

_TOO_MANY = "so many of each task take weeks; make several runs with seeds of their own"
LIMITS: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "demos": (10_000, _TOO_MANY),
        "episodes": (10_000, _TOO_MANY),
        "workers": (1_000, "each is a process of its own"),
        "seed": (2**32 - 1, "all seeds have 32 bits"),
    }
)
"""Largest value of a key, and why: what is beyond is a slip."""

_COMMENTED = re.compile(r"^(?:  - )?(?P<name>\w+): .*?\S  # (?P<meaning>.+)$")


@dataclass(frozen=True)
class Key:
    """One setting of a verb.

    Attributes:
        name: As in the YAML file, "tasks".
        word: As on the command line, "task".
        default: Value of the YAML file; `MISSING` if the key has to be given.
        meaning: The comment behind it.
        is_group: Whether the value names a file of a config group (`configs/<name>/`).
    """

    name: str
    word: str
    default: Any
    meaning: str
    is_group: bool = False


def read_keys(verb: str) -> Mapping[str, Key]:
    """Return the keys of a verb, in the order of its YAML file, by their command-line word."""
    text = (packaged_configs() / f"{verb}.yaml").read_text(encoding="utf-8")
    content = yaml.safe_load(text)
    groups: dict[str, Any] = {}
    for entry in content.pop("defaults"):
        if isinstance(entry, dict):
            groups |= entry
    meanings = _comments(text)
    keys = [
        Key(name, _word(name, default), default, meanings.get(name, ""), name in groups)
        for name, default in {**groups, **content}.items()
    ]
    return {key.word: key for key in keys}


def find_key(keys: Mapping[str, Key], word: str) -> Key:
    """Return the key for a word such as "task", "tasks" or "policy.url".

    Raises:
        PermError: No such key; the message names the nearest ones.
    """
    root, dot, _ = word.partition(".")
    for key in keys.values():
        if root in (key.word, key.name) and (key.is_group or not dot):
            return key
    raise unknown_name("key", word, keys)


def list_items(text: str) -> list[str]:
    """Split "a,b" or "[a,b]" into its items.

    Raises:
        PermError: An item is empty.
    """
    items = [item.strip() for item in text.removeprefix("[").removesuffix("]").split(",")]
    if not all(items):
        raise PermError(f"{text!r} is not a list: write items with commas between them, a,b.")
    return items


def check_types(keys: Mapping[str, Key], values: Mapping[str, Any]) -> None:
    """Refuse a value of another type than the key's default.

    Raises:
        PermError: A value is missing or of the wrong type.
    """
    kinds = {bool: "true or false", int: "a whole number", list: "a list"}
    for key in keys.values():
        value = values[key.name]
        if value == MISSING:
            raise PermError(f"{key.word} is missing: {key.word}=... ({key.meaning}).")
        kind = type(key.default)
        if kind in kinds and type(value) is not kind:
            raise PermError(f"{key.word} must be {kinds[kind]}, not {value!r}.")


def _word(name: str, default: Any) -> str:
    """Lists have plural names in the file; on the command line one item is the usual case."""
    return name.removesuffix("s") if isinstance(default, list) else name


def output_folder(values: Mapping[str, Any]) -> Path:
    """Return the folder that `out=` names, before any work is done for it.

    Raises:
        PermError: It is empty, or a file stands in its way.
    """
    text = str(values["out"] or "").strip()
    if not text:
        raise PermError("out= is empty; name a folder, for example out=out/mine.")
    folder = Path(text)
    for place in (folder, *folder.parents):
        if os.path.lexists(place):
            if not place.is_dir():
                raise PermError(f"out={text}: {place} is not a folder; choose another.")
            break
    return folder


def expand_indices(items: Sequence[Any]) -> tuple[int, ...]:
    """Turn ["0-2", "7"] into (0, 1, 2, 7).

    Raises:
        PermError: An item is neither an init index nor a range of them, or an index comes twice.
    """
    from perm.core.conventions import N_STARTS  # loads numpy, which help does without

    indices: list[int] = []
    for item in items:
        match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", str(item))
        meant = range(int(match[1]), int(match[2] or match[1]) + 1) if match else ()
        if not meant:
            raise PermError(f"init: {item!r} is neither an index nor a range such as 30-49.")
        if meant[-1] >= N_STARTS:
            raise PermError(f"init: {item!r} goes beyond the last init index, {N_STARTS - 1}.")
        for index in meant:
            if index in indices:
                raise PermError(f"init: {item!r} gives {index} for a second time.")
            indices.append(index)
    return tuple(indices)


def whole_number(least: int, values: Mapping[str, Any], name: str) -> int:
    """Return a whole number of the settings.

    Raises:
        PermError: It is smaller than `least`, or larger than `LIMITS` allows.
    """
    value = int(values[name])
    if value < least:
        raise PermError(f"{name} must be at least {least}, not {value}.")
    most, reason = LIMITS.get(name, (value, ""))
    if value > most:
        raise PermError(f"{name} must be at most {most}, not {value}: {reason}.")
    return value


def group_files(group: str, folders: Sequence[Path]) -> Mapping[str, Path]:
    """Return the options of a config group by name, from the packaged folder and the given ones."""
    return {
        path.stem: path
        for folder in (packaged_configs(), *folders)
        for path in sorted((folder / group).glob("*.yaml"))
    }


def describe_options(group: str) -> list[tuple[str, str]]:
    """Return each option of a config group, and each key it explains, with the comments."""
    described = []
    for name, path in group_files(group, ()).items():
        text = path.read_text(encoding="utf-8")
        described.append((name, text.partition("\n")[0].removeprefix("#").strip()))
        described += [(f"  {group}.{key}", meaning) for key, meaning in _comments(text).items()]
    return described


def _comments(text: str) -> dict[str, str]:
    """Return the comment behind each key at the top of a YAML file."""
    matches = map(_COMMENTED.match, text.splitlines())
    return {match["name"]: match["meaning"] for match in matches if match}
