"""Plans as text, in the paper's format (its Appendix C), read and written.

`1.||('pick','mug_1'),('place_on','mug_1','plate_1')||2.||"required":[...],"prohibited":[...],
"order":[...]||3.||Prefer red objects||`; in part 2, `_ALL` stands for any skill or any object.
"""

import ast
import re
from collections.abc import Sequence
from typing import Any

from perm.core.errors import PermError, unknown_name
from perm.core.mission import SkillCall, SubtaskPlan
from perm.core.vocabulary import SKILLS

_PARTS = re.compile(r"1\.\s*\|\|(.*?)\|\|\s*2\.\s*\|\|(.*?)\|\|\s*3\.\s*\|\|(.*?)\|\|", re.DOTALL)
_RULES = ("required", "prohibited", "order")


def write_plan(plan: SubtaskPlan, preference: str) -> str:
    """Return a plan as text; parameters of its calls are left out, the format has none."""
    calls = ",".join(_call(call) for call in plan.calls)
    rules = {
        "required": [_pair(pair) for pair in plan.required],
        "prohibited": [_pair(pair) for pair in plan.prohibited],
        "order": [f"[{_pair(first)},{_pair(second)}]" for first, second in plan.order],
    }
    said = ",".join(f'"{name}":[{",".join(pairs)}]' for name, pairs in rules.items())
    return f"1.||{calls}||2.||{said}||3.||{preference}||"


def read_plan(text: str, source: str) -> tuple[SubtaskPlan, str]:
    """Return the first plan in a text, which may hold other words round it, and its preference.

    Args:
        text: What somebody answered.
        source: Who, for the plan.

    Raises:
        PermError: There is no plan in it, or a part of it is not of the format.
    """
    found = _PARTS.search(text)
    if found is None:
        raise PermError(
            "There is no plan of the form 1.||('skill','object'),...||2.||\"required\":[...],"
            f'"prohibited":[...],"order":[...]||3.||preference|| in: {text[:200]!r}'
        )
    calls, rules, preference = found.groups()
    steps = _literal(f"[{calls}]", "part 1")
    if not isinstance(steps, list) or not steps:
        raise PermError(f"Part 1 holds no calls: {calls[:200]!r}")
    known = _literal("{" + rules + "}", "part 2")
    if not isinstance(known, dict):
        raise PermError(f"Part 2 is no list of rules: {rules[:200]!r}")
    for name in known:
        if name not in _RULES:
            raise unknown_name("rule of part 2", str(name), _RULES)
    plan = SubtaskPlan(
        calls=tuple(_read_call(step) for step in steps),
        source=source,
        required=tuple(_read_pair(pair) for pair in known.get("required", [])),
        prohibited=tuple(_read_pair(pair) for pair in known.get("prohibited", [])),
        order=tuple(_read_order(pair) for pair in known.get("order", [])),
    )
    return plan, preference.strip()


def _call(call: SkillCall) -> str:
    words = [call.skill, call.object, *([call.target] if call.target else [])]
    return "(" + ",".join(f"'{word}'" for word in words) + ")"


def _pair(pair: tuple[str, str]) -> str:
    return f"('{pair[0]}','{pair[1]}')"


def _literal(text: str, where: str) -> Any:
    """Return what a text of names in brackets says; nothing in it is run."""
    try:
        return ast.literal_eval(text.translate(_QUOTES))
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise PermError(f"{where} cannot be read: {text[:200]!r}") from error


_QUOTES = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}
"""Typographic quotes, which models like."""


def _words(value: Any, counts: Sequence[int], what: str) -> tuple[str, ...]:
    if (
        not isinstance(value, tuple | list)
        or len(value) not in counts
        or not all(isinstance(word, str) and word for word in value)
    ):
        raise PermError(f"Expected {what}, found {value!r}.")
    return tuple(value)


def _read_call(value: Any) -> SkillCall:
    skill, *names = _words(value, (2, 3), "('skill','object') or ('skill','object','target')")
    if skill not in SKILLS:
        raise unknown_name("skill", skill, SKILLS)
    wanted = SKILLS[skill][0]
    if len(names) != wanted:
        raise PermError(f"{skill} takes {wanted} name(s), found {len(names)}: {value!r}.")
    return SkillCall(skill, names[0], names[1] if wanted > 1 else None)


def _read_pair(value: Any) -> tuple[str, str]:
    skill, name = _words(value, (2,), "a pair ('skill','object')")
    return skill, name


def _read_order(value: Any) -> tuple[tuple[str, str], tuple[str, str]]:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise PermError(f"Expected two pairs in an order, found {value!r}.")
    return _read_pair(value[0]), _read_pair(value[1])
