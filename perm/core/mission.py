"""Goal, mission, plan: what is to be done, and in which steps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from perm.core.layout import Atom, Layout


@dataclass(frozen=True)
class Goal:
    """True as soon as every atom of one alternative is, and not every atom of one of the others.

    LIBERO's own flat goal is a Goal with one alternative; an abstracted goal ("a mug on the
    plate") has several, and "only one portion" has two portions in `none_of`.
    """

    any_of: tuple[tuple[Atom, ...], ...]
    none_of: tuple[tuple[Atom, ...], ...] = ()


@dataclass(frozen=True)
class Original:
    """What LIBERO asks for: its sentence without a final dot, and its goal."""

    language: str
    goal: Goal


@dataclass(frozen=True)
class Mission:
    """The inseparable triple of instruction, layout and goal.

    Attributes:
        id: "104", or "081_1" with an edited layout.
        layout: The scene.
        language: Task sentence without a final dot.
        goal: What SR counts.
        max_steps: Step limit of an episode [control steps].
        init_states: Where LIBERO's own stored init states are, "<suite>/<file stem>", or None
            for an edited layout.
        starts: Path of the file that keeps the settled starts, or None to make them when needed.
        goal_is_passed: Whether the goal holds only on the way to where its objects come to rest.
        goal_is_final: Whether it counts only where an episode ends: "only one portion" is no longer
            so after a second one.
        original: What LIBERO asks for in the scene that the layout was edited from; None for a
            layout that is not edited, or not LIBERO's.
    """

    id: str
    layout: Layout
    language: str
    goal: Goal
    max_steps: int
    init_states: str | None = None
    starts: str | None = None
    goal_is_passed: bool = False
    goal_is_final: bool = False
    original: Original | None = None


@dataclass(frozen=True)
class SkillCall:
    """One step of a plan: a skill, the object it moves, and where to.

    Attributes:
        skill: "pick", "place_on", "place_in".
        object: Name of the object in the scene.
        target: Name of the receiving object or region, or None.
        params: Parameters of the skill with their units in the name or the skill's docstring.
    """

    skill: str
    object: str
    target: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SubtaskPlan:
    """An ordered list of skill calls and where it came from.

    Attributes:
        calls: What is done, in this order.
        source: "rules", or the model and the version of what it was asked.
        required, prohibited: Pairs of skill and object that have to be, or must not be, in it;
            "_ALL" stands for any.
        order: Of two such pairs, the first has to come before the second.
    """

    calls: tuple[SkillCall, ...]
    source: str = "rules"
    required: tuple[tuple[str, str], ...] = ()
    prohibited: tuple[tuple[str, str], ...] = ()
    order: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = ()
