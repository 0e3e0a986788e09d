"""The values of settings: is each what can be meant?"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from perm.core.errors import PermError, unknown_name

_TOO_MANY = "so many of each task take weeks; make several runs with seeds of their own"
LIMITS: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "demos": (10_000, _TOO_MANY),
        "episodes": (10_000, _TOO_MANY),
        "trials": (10_000, _TOO_MANY),
        "repeats": (1_000, _TOO_MANY),
        "workers": (1_000, "each is a process of its own"),
        "seed": (2**32 - 1, "all seeds have 32 bits"),
    }
)
"""Largest value of a key, and why: what is beyond is a slip."""


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


def simulation(values: Mapping[str, Any]) -> str:
    """Return what steps the scenes.

    Raises:
        PermError: `sim` is none of `SIMULATIONS`.
    """
    from perm.core.conventions import SIMULATIONS  # loads numpy, which help does without

    if values["sim"] not in SIMULATIONS:
        raise unknown_name("simulation", str(values["sim"]), SIMULATIONS)
    return str(values["sim"])


def run_settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a run of the expert writes and starts, its processes, seed and simulation.

    Raises:
        PermError: One of them is wrong.
    """
    return {
        "out": output_folder(values),
        "workers": whole_number(1, values, "workers"),
        "seed": whole_number(0, values, "seed"),
        "init_indices": expand_indices(values["init"]),
        "simulation": simulation(values),
    }
