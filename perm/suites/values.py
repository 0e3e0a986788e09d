"""One YAML value into one record, or a ValueError that says what was expected."""

from collections.abc import Collection, Mapping
from typing import Any

from perm.core.catalogue import Inside, Measures
from perm.core.conditions import CONDITIONS
from perm.core.errors import unknown_name
from perm.core.layout import Atom, DerivedCategory
from perm.core.mission import Goal, SkillCall, SubtaskPlan
from perm.core.task import Level, MetricSpec
from perm.core.vocabulary import CHOICES, EXPERT_STAGES, SKILLS, Takes
from perm.suites.entries import Better


def read_text(value: Any) -> str:
    """Return a non-empty line of text, without surrounding blanks."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise ValueError(f'expected text, found a number; write "{value}" with the quotes')
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected text, found {value!r}")
    if "\n" in value.strip():
        raise ValueError(f"expected one line, found {value!r}")
    return value.strip()


def read_count(value: Any) -> int:
    """Return a whole number above zero."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"expected a whole number above 0, found {value!r}")
    return value


def read_flag(value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, found {value!r}")
    return value


def read_texts(value: Any) -> tuple[str, ...]:
    """Return a non-empty list of texts."""
    return tuple(read_text(item) for item in _items(value, "a list of texts"))


def read_ids(value: Any) -> tuple[str, ...]:
    """Return a non-empty list of texts, each of them once."""
    ids = read_texts(value)
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise ValueError(f"listed twice: {', '.join(twice)}")
    return ids


def read_level(value: Any) -> Level:
    """Return a preference level."""
    return Level(_known("level", value, list(Level)))


def read_better(value: Any) -> Better:
    """Return which of the raw quantities are better."""
    return Better(_known("direction", value, list(Better)))


def read_settings(value: Any) -> Mapping[str, Any]:
    """Return names with values that are numbers, texts, flags or lists of them."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise ValueError(f"expected names with values, found {value!r}")
    for key, item in value.items():
        if not all(isinstance(v, int | float | str) for v in _as_list(item)):
            raise ValueError(f"{key}: expected numbers or texts, found {item!r}")
    return value


def read_scale(value: Any) -> Mapping[str, Any]:
    """Return an event's scale: its anchors, cuts and unit, the event's name and a reason."""
    scale = read_settings(value)
    wanted = {"event", "raw_at_0", "raw_at_100", "cuts", "unit", "reason"}
    if set(scale) != wanted:
        raise ValueError(f"expected {', '.join(sorted(wanted))}, found {', '.join(scale)}")
    return scale


def read_metric(value: Any) -> MetricSpec:
    """Return a measurement's name ("" where none is given) and its parameters."""
    params = dict(read_settings(value))
    name = params.pop("name", None)
    return MetricSpec("" if name is None else read_text(name), params)


def read_stages(value: Any) -> Mapping[str, Mapping[str, Any]]:
    """Return the expert's settings by stage."""
    return {
        stage: _known_settings(
            stage, settings, EXPERT_STAGES[_known("stage", stage, EXPERT_STAGES)]
        )
        for stage, settings in _named(value, "stages").items()
    }


def read_goal(value: Any) -> Goal:
    """Return a goal from `{any_of: [[[on, mug_1, plate_1]], ...]}`, `none_of` of the same form."""
    if not isinstance(value, dict) or not {"any_of"} <= set(value) <= {"any_of", "none_of"}:
        raise ValueError(f"expected any_of with a list of alternatives, found {value!r}")
    return Goal(
        **{
            key: tuple(map(_atoms, _items(said, "a list of alternatives")))
            for key, said in value.items()
        }
    )


def read_plan(value: Any) -> SubtaskPlan:
    """Return a plan from `[[pick, mug_1], [place_on, mug_1, plate_1, {yaw: 0.3}]]`."""
    return SubtaskPlan(calls=tuple(_skill_call(call) for call in _items(value, "a list of calls")))


def read_derived(value: Any) -> DerivedCategory:
    """Return how a category is made of another, from `{base: plate, tint: [r, g, b], scale: s}`."""
    found = dict(read_settings(value))
    base, tint, scale = found.pop("base", None), found.pop("tint", None), found.pop("scale", 1.0)
    if found or (tint is None and scale == 1.0):
        raise ValueError(f"expected base with tint, scale or both, found {value!r}")
    shades = _numbers(tint, 3) if tint is not None else None
    if shades is not None and not all(0 <= shade <= 1 for shade in shades):
        raise ValueError(f"tint: expected three shares in [0, 1], found {tint!r}")
    if not isinstance(scale, int | float) or not 0.1 <= scale <= 10:
        raise ValueError(f"scale: expected a number from 0.1 to 10, found {scale!r}")
    return DerivedCategory("", read_text(base), shades, float(scale))


def read_inside(value: Any) -> Mapping[str, Inside]:
    """Return the regions in an object from `{top_region: {door: top_region, roof: false}}`."""
    found = {}
    for name, said in _named(value, "regions").items():
        door, roof = said.get("door"), said.get("roof", False)
        if set(said) - {"door", "roof"}:
            raise ValueError(f"{name}: expected door and roof, found {said!r}")
        found[name] = Inside(None if door is None else read_text(door), read_flag(roof))
    return found


def read_choice(value: Any) -> Mapping[str, Any]:
    """Return what a profile preference chooses by."""
    return _known_settings("choice", value, CHOICES)


def read_measures(value: Any) -> Measures:
    """Return what was measured of an object."""
    wanted = {"movable", "size", "min_width", "radius", "mass", "colours"}
    if not isinstance(value, dict) or set(value) != wanted:
        raise ValueError(f"expected {', '.join(sorted(wanted))}, found {value!r}")
    colours = value["colours"]
    if not isinstance(colours, dict):
        raise ValueError(f"colours: expected shares by colour, found {colours!r}")
    shares = _numbers(list(colours.values()), len(colours))
    return Measures(
        movable=read_flag(value["movable"]),
        size=_numbers(value["size"], 3),
        min_width=_numbers([value["min_width"]], 1)[0],
        radius=_numbers([value["radius"]], 1)[0],
        mass=_numbers([value["mass"]], 1)[0],
        colours=dict(zip(map(read_text, colours), shares, strict=True)),
    )


def read_conditions(value: Any) -> Mapping[str, str]:
    """Return what is added to a group's id, by condition."""
    if not isinstance(value, dict) or not value:
        raise ValueError(f"expected conditions with endings of the id, found {value!r}")
    for condition, ending in value.items():
        _known("condition", condition, CONDITIONS)
        if not isinstance(ending, str):
            raise ValueError(f'{condition}: expected an ending such as __A or "", found {ending!r}')
    if len(set(value.values())) < len(value):
        raise ValueError(f"two conditions have the same ending: {value!r}")
    return value


def _numbers(value: Any, count: int) -> Any:
    """Return a tuple of so many numbers."""
    numbers = _items(value, f"a list of {count} numbers") if count else []
    sound = all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers)
    if len(numbers) != count or not sound:
        raise ValueError(f"expected {count} numbers, found {value!r}")
    return tuple(float(number) for number in numbers)


def _skill_call(value: Any) -> SkillCall:
    words = list(_items(value, "a call such as [pick, mug_1]"))
    params = words.pop() if isinstance(words[-1], dict) else {}
    skill, *names = read_texts(words)
    n_names, _, known = SKILLS[_known("skill", skill, SKILLS)]
    if len(names) != n_names:
        raise ValueError(f"{skill} takes {n_names} name(s), found {len(names)}: {value!r}")
    target = names[1] if n_names > 1 else None
    return SkillCall(skill, names[0], target, _known_settings(skill, params, known))


def _named(value: Any, what: str) -> Mapping[str, Mapping[str, Any]]:
    """Return settings by name."""
    if not isinstance(value, dict) or not all(isinstance(said, dict) for said in value.values()):
        raise ValueError(f"expected {what} with settings, found {value!r}")
    return value


def _known_settings(owner: str, value: Any, known: Mapping[str, Takes]) -> Mapping[str, Any]:
    """Return the settings of a stage or a skill, each of them known and of its type."""
    settings = read_settings(value)
    for name, setting in settings.items():
        takes = known[_known(f"setting of {owner}", name, known)]
        if isinstance(takes, tuple):
            _known(f"{name} of {owner}", setting, takes)
        elif takes is str:
            read_text(setting)
        elif not isinstance(setting, int | float) or isinstance(setting, bool):
            raise ValueError(f"{name} of {owner}: expected a number, found {setting!r}")
    return settings


def _known(kind: str, value: Any, known: Collection[str]) -> str:
    """Return a word that is one of those known."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(str(unknown_name(kind, str(value), known)))
    return value


def _atoms(value: Any) -> tuple[Atom, ...]:
    return tuple(read_texts(atom) for atom in _items(value, "a list of predicates"))


def _items(value: Any, expected: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"expected {expected}, found {value!r}")
    return value


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
