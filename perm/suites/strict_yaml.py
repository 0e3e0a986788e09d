"""YAML without surprises: what a careful reader would expect a file to say.

YAML 1.1, PyYAML's dialect, reads `on` as true, `012` as 10 and `012_1` as 81, and keeps the last of
two equal keys. Here only `true` and `false` are booleans, numbers are plain decimals, everything
else is text, and a key that stands twice is refused.
"""

import functools
import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from perm.core.errors import PermError

_SCALARS = (
    ("bool", r"true|false", "tf"),
    ("int", r"-?(0|[1-9][0-9]*)", "-0123456789"),
    ("float", r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?", "-0123456789"),
    ("null", r"null|~|", ("n", "~", "")),
)

# Three times as fast where PyYAML was built with libyaml.
_SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_SafeLoader):  # type: ignore[misc]
    """SafeLoader with the scalars above and without repeated keys."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set[str]()
        for key, _ in node.value:
            text = str(key.value)
            if text in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {text!r} stands twice", key.start_mark
                )
            seen.add(text)
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return mapping


for _tag, _pattern, _first in _SCALARS:
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), list(_first)
    )


@functools.lru_cache(maxsize=4096)
def _parsed(text: str) -> Any:
    """Return what a text says; the same hundreds of files are read again and again."""
    return yaml.load(text, Loader=_Loader)


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(content) for key, content in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def read_mapping(path: Path) -> dict[str, Any]:
    """Return the mapping that a YAML file holds.

    Raises:
        PermError: The file cannot be read, is not YAML, repeats a key or is not a mapping; with
            file and line.
    """
    try:
        value = _copied(_parsed(path.read_text(encoding="utf-8")))
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f":{error.problem_mark.line + 1}"
        raise PermError(f"{path}{line}: {error.problem}") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise PermError(f"{path}: cannot be read: {error}") from error
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise PermError(f"{path}: expected names with values, found {value!r:.60}")
    return value
