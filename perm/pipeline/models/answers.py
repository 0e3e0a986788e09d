"""What an answer says: JSON in prose or in a fence, of the right types, or the reason why not."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from perm.core.errors import PermError


def read_json(text: str) -> Mapping[str, Any]:
    """Return the one JSON object in a text, whatever stands round it.

    Raises:
        PermError: There is none, or several that differ.
    """
    found = list(_objects(text))
    if not found:
        raise PermError(f"there is no JSON object in the answer: {text[:200]!r}")
    if any(other != found[0] for other in found[1:]):
        raise PermError(f"there are {len(found)} JSON objects in the answer; give one")
    return found[0]


def read_number(found: Mapping[str, Any], key: str, low: float, high: float) -> float:
    """Return a finite number of an object, within bounds.

    Raises:
        PermError: It is missing, no number, or out of bounds.
    """
    value = found.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PermError(f"{key} has to be a number, found {value!r}")
    if not math.isfinite(value) or not low <= value <= high:
        raise PermError(f"{key} has to be a number from {low} to {high}, found {value!r}")
    return float(value)


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects that stand side by side in a text."""
    decoder, at = json.JSONDecoder(), 0
    while (start := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, start)
        except json.JSONDecodeError:
            at = start + 1
            continue
        if isinstance(value, dict):
            yield value
