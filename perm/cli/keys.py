"""The keys of a verb, read from its YAML file: names, defaults, and what the comments say.

A verb's keys are written down once, in `configs/<verb>.yaml`; help texts, checks and Hydra all
read that file.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from perm.core.errors import PermError, unknown_name
from perm.suites.paths import packaged_configs

MISSING = "???"
"""Hydra's mark of a key without a default."""

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
