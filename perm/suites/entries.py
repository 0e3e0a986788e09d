"""The file formats: one frozen record a kind of YAML file, its fields the keys of the file.

A field without a default has to be there, any other key is refused. Every file says its own id, and
the id is its path below the folder of its kind: `task/single/1-7_104.yaml` is "single/1-7_104".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from perm.core.catalogue import Inside, Measures
from perm.core.layout import DerivedCategory
from perm.core.mission import Goal, SubtaskPlan
from perm.core.task import AFTER_SUCCESS, Level, MetricSpec

UNCOUNTED = "custom"
"""The suite of a task that no suite counts."""


ChoiceForm = Mapping[str, float | str]


class Better(StrEnum):
    """Which raw quantities of a motion or skill preference are the better ones."""

    LARGER = "larger"
    SMALLER = "smaller"


@dataclass(frozen=True)
class Entry:
    """What every file holds.

    Attributes:
        id: The file's path below the folder of its kind, without the ending.
    """

    id: str


@dataclass(frozen=True)
class PreferenceEntry(Entry):
    """`preference/<id>.yaml`: how a user wants things done.

    Attributes:
        name: Short name for tables.
        level: motion, skill or profile.
        language: The sentence; may hold `{target}`, which a task fills in.
        metric: `{name: <measurement>, <parameter>: <value>, ...}`.
        better: larger or smaller: where keeping it moves the raw quantity. Motion and skill
            preferences need it; a profile preference, which is a choice, has none.
        expert: How the expert follows it, settings by stage (`perm.core.vocabulary`); empty where
            a task's plan does it.
        after_success: Steps that an episode goes on after the first success, unless it settles.
        choice: What a profile preference chooses by, `perm.core.vocabulary.CHOICES`.
        scale: What the raw quantity is worth where no twin can tell: `{event, raw_at_0,
            raw_at_100, cuts, unit, reason}`; a task's own calibration goes before it.
        opposite: Id of the preference that excludes it, if one does.
    """

    name: str
    level: Level
    language: str
    metric: MetricSpec
    better: Better | None = None
    expert: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    after_success: int = AFTER_SUCCESS
    choice: ChoiceForm = field(default_factory=dict)
    scale: Mapping[str, Any] = field(default_factory=dict)
    opposite: str | None = None

    @property
    def larger_is_better(self) -> bool | None:
        """Whether keeping it raises the raw quantity; None for a choice."""
        return None if self.better is None else self.better is Better.LARGER


@dataclass(frozen=True)
class MissionEntry(Entry):
    """`mission/<id>.yaml`: what is to be done, where. Either `bddl` or `layout` is given.

    Its settled starts are read from `starts/<id>.npz`, if there is such a file.

    Attributes:
        max_steps: Step limit of an episode [control steps].
        plan: The plan of somebody who was told no preference, a list of
            `[skill, object]` or `[skill, object, target]`, with `{parameter: value}` at the end;
            the skills are those of `perm.core.vocabulary`.
        bddl: One of LIBERO's own problem files, "libero_goal/put_the_bowl_on_the_plate.bddl".
        layout: An edited layout, a file in the folder `layout/`.
        edited_from: The problem file of LIBERO that an edited layout comes from.
        language: The sentence, where it is not the layout's own.
        goal: `{any_of: [[[on, mug_1, plate_1]], ...]}`, where it is not the layout's own.
        goal_is_passed: Whether the goal holds only on the way to where its objects come to rest;
            then an episode is settled when they rest, and have passed it.
        goal_is_final: Whether the goal counts only where an episode ends.
    """

    max_steps: int
    plan: SubtaskPlan
    bddl: str | None = None
    layout: str | None = None
    edited_from: str | None = None
    language: str | None = None
    goal: Goal | None = None
    goal_is_passed: bool = False
    goal_is_final: bool = False


@dataclass(frozen=True)
class Wish:
    """A preference as one mission has it, part of a group's or a task's file.

    Attributes:
        preference: Id of the preference.
        target: Fills in `{target}` of the preference's sentence.
        metric: Parameters over the preference's; with another `name`, in place of them.
        plan: The plan that keeps the preference, where it is not the mission's.
        preferred_goal: The goal reached with the preferred choice, for a profile preference.
        calibrated_as: Another task, whose calibration is used for this one.
    """

    preference: str
    target: str | None = None
    metric: MetricSpec = field(default_factory=lambda: MetricSpec(""))
    plan: SubtaskPlan | None = None
    preferred_goal: Goal | None = None
    calibrated_as: str | None = None


@dataclass(frozen=True)
class GroupEntry(Entry):
    """`group/<folder>/<name>.yaml`: tasks that differ in nothing but the condition.

    Attributes:
        mission: Id of the mission.
        preferences: Wishes by the letters that the conditions have for them: A, B, P1, P2, P.
        tasks: By condition, one of `perm.core.conditions.CONDITIONS`, what is added to the group's
            id for the task with it: `{none: __nopref, A: __A}`. With none or task+null the group
            has its own twin; else there is one beside it, "<id>.nopref".
        suite: The suite that counts and lists them, or "custom" for none.
        twin: Whether there is a twin; false where the plain plan cannot do the task.
        split: One of `perm.core.task.SPLITS`.
    """

    mission: str
    preferences: Mapping[str, Wish]
    tasks: Mapping[str, str]
    suite: str = UNCOUNTED
    twin: bool = True
    split: str = "train"


@dataclass(frozen=True)
class TaskEntry(Entry):
    """`task/<folder>/<name>.yaml`: one mission with one preference, or with none.

    Attributes:
        mission: Id of the mission.
        preference: Id of the preference; without one nothing is asked and nothing measured.
        suite: The suite that counts it and lists it, or "custom" for none.
        target: Fills in `{target}` of the preference's sentence.
        metric: Parameters over the preference's; with another `name`, in place of them.
        plan: The plan that keeps the preference, where it is not the mission's.
        preferred_goal: The goal reached with the preferred choice, for a profile preference.
        twin: Whether it has a no-preference twin, "<id>.nopref".
        split: One of `perm.core.task.SPLITS`.
        calibrated_as: Another task, whose calibration is used for this one.
    """

    mission: str
    preference: str | None = None
    suite: str = UNCOUNTED
    target: str | None = None
    metric: MetricSpec = field(default_factory=lambda: MetricSpec(""))
    plan: SubtaskPlan | None = None
    preferred_goal: Goal | None = None
    twin: bool = True
    split: str = "train"
    calibrated_as: str | None = None

    @property
    def as_group(self) -> GroupEntry:
        """A task with one preference is a group of one."""
        assert self.preference is not None
        wish = Wish(
            self.preference,
            self.target,
            self.metric,
            self.plan,
            self.preferred_goal,
            self.calibrated_as,
        )
        return GroupEntry(
            self.id, self.mission, {"A": wish}, {"A": ""}, self.suite, self.twin, self.split
        )


@dataclass(frozen=True)
class RewordingEntry(Entry):
    """`rewording/<folder>/<name>.yaml`: other prompts for the task of that id, in our words.

    Each holds task and preference in one; scene, goal and labels are the task's.

    Attributes:
        mixture: The key words of the preference are in it.
        implicit: It only implies the preference.
    """

    mixture: str
    implicit: str


@dataclass(frozen=True)
class SuiteEntry(Entry):
    """`suite/<id>.yaml`: a named set of tasks, or of suites.

    Attributes:
        title: Name for tables.
        tasks: Ids in table order, each once, without the twins.
        suites: Other suites, whose tasks it has; then it lists none itself.
        ours: Those of the tasks that the published list does not name.
    """

    title: str
    tasks: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()


@dataclass(frozen=True)
class ObjectEntry(Entry):
    """`object/<category>.yaml`: what is known of a category of objects.

    Attributes:
        tags: What it is, in words that preferences use: food, drink, dairy, kitchenware, ...
        container: boxed, bottled or canned.
        derived: `{base: <category>, tint: [r, g, b], scale: 1.1}` for a category of ours.
        inside: `{<region>: {door: <region or self>, roof: true}}`, the regions that are not open to
            above.
        measured: What scripts/measure_objects.py found, see `perm.core.catalogue.Measures`.
    """

    tags: tuple[str, ...] = ()
    container: str | None = None
    derived: DerivedCategory | None = None
    inside: Mapping[str, Inside] = field(default_factory=dict)
    measured: Measures | None = None
