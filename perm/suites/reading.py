"""From one YAML file to the record of its format, with all that is wrong told at once."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_type_hints

from perm.core.catalogue import Inside, Measures
from perm.core.conditions import CONDITIONS
from perm.core.errors import PermError, unknown_name
from perm.core.layout import DerivedCategory
from perm.core.mission import Goal, SubtaskPlan
from perm.core.task import Level, MetricSpec
from perm.suites import values
from perm.suites.entries import Better, ChoiceForm, Entry, Wish
from perm.suites.strict_yaml import read_mapping

EntryT = TypeVar("EntryT", bound=Entry)


def read_entry(kind: type[EntryT], path: Path, entry_id: str, problems: list[str]) -> EntryT | None:
    """Return what a file holds, or None after adding all that is wrong with it to `problems`.

    Args:
        kind: The format.
        path: The file.
        entry_id: The id that the file's place asks for.
        problems: Grows by one text a problem.
    """
    try:
        found = read_mapping(path)
    except PermError as error:
        problems.append(str(error))
        return None
    wrong: list[str] = []
    arguments = _read_keys(kind, found, wrong)
    if arguments.get("id", entry_id) != entry_id:
        wrong.append(
            f"id: {arguments['id']!r} does not fit the file's place; expected {entry_id!r}"
        )
    problems.extend(f"{path}: {text}" for text in wrong)
    return None if wrong else kind(**arguments)


def _read_keys(
    kind: type[Entry] | type[Wish], found: Mapping[Any, Any], wrong: list[str]
) -> dict[str, Any]:
    """Return the values by key; add what is unknown, missing or of the wrong type to `wrong`."""
    readers = _readers_of(kind)  # type: ignore[arg-type]  # classes are hashable
    wrong += [str(unknown_name("key", str(key), readers)) for key in found if key not in readers]
    wrong += [
        f"the key {key.name!r} is missing"
        for key in fields(kind)
        if key.name not in found and key.default is MISSING and key.default_factory is MISSING
    ]
    arguments: dict[str, Any] = {}
    for name in [name for name in readers if name in found]:
        try:
            arguments[name] = readers[name](found[name])
        except ValueError as error:
            wrong.append(f"{name}: {error}")
    return arguments


@functools.cache
def _readers_of(kind: Any) -> Mapping[str, Callable[[Any], Any]]:
    """Return what reads the value of each key of a format."""
    return {name: _READERS[hint] for name, hint in get_type_hints(kind).items()}


def _read_wishes(value: Any) -> Mapping[str, Wish]:
    """Return the wishes of a group by their letters."""
    known = sorted({letter for asked, _ in CONDITIONS.values() for letter in asked})
    if not isinstance(value, dict) or not value:
        raise ValueError(f"expected preferences by {', '.join(known)}, found {value!r}")
    wrong: list[str] = []
    read: dict[str, dict[str, Any]] = {}
    for letter, found in value.items():
        own: list[str] = []
        if letter not in known:
            own.append(str(unknown_name("letter", str(letter), known)))
        elif not isinstance(found, dict):
            own.append(f"expected names with values, found {found!r}")
        else:
            read[letter] = _read_keys(Wish, found, own)
        wrong += [f"{letter}: {problem}" for problem in own]
    if wrong:
        raise ValueError("; ".join(wrong))
    return {letter: Wish(**arguments) for letter, arguments in read.items()}


_READERS: Mapping[object, Callable[[Any], Any]] = MappingProxyType(
    {
        str: values.read_text,
        str | None: values.read_text,
        int: values.read_count,
        bool: values.read_flag,
        Level: values.read_level,
        Better | None: values.read_better,
        tuple[str, ...]: values.read_ids,
        MetricSpec: values.read_metric,
        Mapping[str, Mapping[str, Any]]: values.read_stages,
        Mapping[str, Any]: values.read_scale,
        SubtaskPlan: values.read_plan,
        SubtaskPlan | None: values.read_plan,
        Goal | None: values.read_goal,
        DerivedCategory | None: values.read_derived,
        Mapping[str, Inside]: values.read_inside,
        ChoiceForm: values.read_choice,
        Measures | None: values.read_measures,
        Mapping[str, str]: values.read_conditions,
        Mapping[str, Wish]: _read_wishes,
    }
)
