"""Preference, mission, task, suite: what is asked, and how the user wants it done."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from perm.core.conditions import LEFT_ASIDE
from perm.core.mission import Goal, Mission, SubtaskPlan

AFTER_SUCCESS = 80
"""Steps that an episode goes on after its first success, unless it settles before."""

SPLITS: Mapping[str, str] = MappingProxyType(
    {
        "train": "in_domain",
        "unseen_layout": "layout",
        "unseen_task": "task",
        "unseen_layout_task": "layout_task",
    }
)
"""By split: the generalization that it asks of a policy trained on "train"."""


class Level(StrEnum):
    """The three levels of a preference."""

    MOTION = "motion"
    SKILL = "skill"
    PROFILE = "profile"


@dataclass(frozen=True)
class MetricSpec:
    """Which measurement tells whether a preference was kept.

    Attributes:
        name: Name of a measurement in `perm.metrics.measurements`.
        params: Its parameters, complete (preference's and task's own, merged).
    """

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Preference:
    """How the user wants it done; never a new goal.

    Attributes:
        id: "1-7".
        name: Short name for tables, "Move higher".
        level: MOTION, SKILL or PROFILE.
        language: Sentence as delivered, `{target}` already filled in.
        target: What `{target}` stood for, or None.
        metric: How it is measured.
        expert: How the expert follows it: settings by stage, `perm.core.vocabulary.EXPERT_STAGES`.
        after_success: Steps that an episode goes on after the first success, unless it settles
            before; "slow down" needs more.
        larger_is_better: Whether keeping it makes the raw quantity larger (True) or smaller
            (False); None for a choice, or where the demonstrations are to tell.
        choice: What a profile preference chooses by, see `perm.core.vocabulary.CHOICES`.
        opposite: Id of the preference that excludes it, or None.
    """

    id: str
    name: str
    level: Level
    language: str
    metric: MetricSpec
    target: str | None = None
    expert: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    after_success: int = AFTER_SUCCESS
    larger_is_better: bool | None = None
    choice: Mapping[str, Any] = field(default_factory=dict)
    opposite: str | None = None


@dataclass(frozen=True)
class Task:
    """One mission with one condition: the counted unit.

    Attributes:
        id: "single/1-7_104"; its twin is "single/1-7_104.nopref".
        suite: "single_pref".
        mission: What is to be done, where.
        condition: The preferences that are asked for, 0 to 2.
        measured: The preferences that are measured in every episode: all those of its group.
        group: Id that tasks share which differ in nothing but the condition.
        split: One of `SPLITS`.
        plan: The expert's plan that keeps the preference.
        plain_plan: The expert's plan of somebody who was told nothing.
        preferred_goal: For profile preferences the goal reached with the preferred choice.
        asks: The condition's name, one of `CONDITIONS`.
        follows: What the expert keeps, where that is not all of the condition.
        beside: For what no suite counts the task that it goes with: a twin's, or the one in which
            the expert follows the other wish.
        wording: How the preference is worded, one of `WORDINGS`.
        sentence: The whole prompt, where another wording takes the place of task and preference.
    """

    id: str
    suite: str
    mission: Mission
    condition: tuple[Preference, ...]
    measured: tuple[Preference, ...]
    group: str
    split: str
    plan: SubtaskPlan
    plain_plan: SubtaskPlan
    preferred_goal: Goal | None = None
    asks: str = "A"
    follows: tuple[Preference, ...] | None = None
    beside: str = ""
    wording: str = "explicit_field"
    sentence: str | None = None

    @property
    def level(self) -> str:
        """The level of what is asked for, "none", or "pair" for two preferences."""
        if len(self.condition) > 1:
            return "pair"
        return self.condition[0].level.value if self.condition else "none"

    @property
    def is_twin(self) -> bool:
        """Whether it asks for nothing of what its group is about."""
        return bool(self.measured) and not self.condition

    @property
    def followed(self) -> tuple[Preference, ...]:
        """The preferences that the expert keeps."""
        return self.condition if self.follows is None else self.follows

    @property
    def leaves_task(self) -> bool:
        """Whether the expert keeps a wish that excludes the task, and does not do that."""
        return self.asks == "task+P" and bool(self.followed)

    def is_followed(self, labels: Mapping[str, float | None]) -> bool:
        """Return whether labels are those of an expert at work.

        Fully kept is what it follows, and not kept what it is asked for and does not follow. Where
        nothing is asked for, nothing is kept.

        Args:
            labels: By preference.
        """
        kept = {preference.id for preference in self.followed}
        left = {preference.id for preference in self.condition or self.measured} - kept
        return all(labels.get(name) == 1 for name in kept) and all(
            label is not None and label <= LEFT_ASIDE for label in map(labels.get, left)
        )

    @property
    def after_success(self) -> int:
        """Steps that an episode goes on after its first success, unless it settles before.

        Twins get as many, but for a second portion, which nobody asked them for.
        """
        asked = [p for p in self.measured if p in self.condition or "portions" not in p.choice]
        return max((p.after_success for p in asked), default=AFTER_SUCCESS)

    @property
    def awaited(self) -> Goal | None:
        """The goal that ends it in place of the mission's: a second portion follows the first."""
        portions = any("portions" in preference.choice for preference in self.condition)
        return self.preferred_goal if portions else None

    @property
    def prompt(self) -> str:
        """The sentence that a policy is given, byte for byte."""
        if self.sentence is not None:
            return self.sentence
        return build_prompt(self.mission.language, [p.language for p in self.condition])


@dataclass(frozen=True)
class Suite:
    """A named set of tasks, in table order.

    Attributes:
        name, title: For commands and for tables.
        tasks: Without the twins.
        ours: Ids of those that the published list does not name.
    """

    name: str
    title: str
    tasks: tuple[Task, ...]
    ours: frozenset[str] = frozenset()


def build_prompt(task: str, preferences: list[str]) -> str:
    """Return the prompt for a task sentence and 0 to 2 preference sentences.

    The task sentence loses surrounding blanks and a final dot, and keeps its case.

    >>> build_prompt("Put the bowl on the plate", ["Move higher"])
    'Task: Put the bowl on the plate. Preference: Move higher.'
    """
    sentence = task.strip().removesuffix(".")
    if not preferences:
        return sentence
    wishes = " ".join(f"{text.strip().removesuffix('.')}." for text in preferences)
    return f"Task: {sentence}. Preference: {wishes}"
