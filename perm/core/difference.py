"""In what the settings of two runs differ, in words."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

SHOWN = 5
"""So many differences are named."""


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    """Say in words what differs between two settings, a line each; "" if nothing does.

    Args:
        ours: What is asked for; JSON values, nested.
        theirs: What is there.
    """
    left, right = dict(_leaves(ours)), dict(_leaves(theirs))
    values = {key: (_shown(left, key), _shown(right, key)) for key in left | right}
    lines = [
        f"  {key}: {here}, there {there}" for key, (here, there) in values.items() if here != there
    ]
    if len(lines) > SHOWN:
        lines[SHOWN:] = [f"  and {len(lines) - SHOWN} more"]
    return "\n".join(lines)


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted names and values of what is nested in objects."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{key}" if name else str(key))
    else:
        yield name, value


def _shown(leaves: Mapping[str, Any], key: str) -> str:
    return json.dumps(leaves[key]) if key in leaves else "nothing"
