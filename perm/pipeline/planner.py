"""Plans for a task: by rules that ground goal and profile in the catalogue, or by a model."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from perm.core.catalogue import Catalogue
from perm.core.errors import PermError
from perm.core.layout import Atom
from perm.core.mission import Mission, SkillCall, SubtaskPlan
from perm.core.plan import entails, faults
from perm.core.task import Level, Preference, Task
from perm.pipeline.choices import choose
from perm.pipeline.goals import plan_goal
from perm.suites.grounding import plan_problems
from perm.suites.library import Library

CARRIED_BY = {"pushed_share": "push", "dragged_share": "drag"}
"""By what is measured: the skill that takes the place of picking up and putting down."""


class Planner(Protocol):
    """Says what is done."""

    @property
    def name(self) -> str:
        """For reports, and as the source of plans."""
        ...

    def plan(self, mission: Mission, preference: Preference | None) -> SubtaskPlan:
        """Return a plan of a mission, kept to a preference or plain.

        Raises:
            PermError: There is none that will do; says why.
        """
        ...


@dataclass(frozen=True)
class RulePlanner:
    """Plans from the goal; a profile preference chooses among its alternatives."""

    catalogue: Catalogue
    other_than: Preference | None = None
    """A plain plan does not keep this profile preference, where the goal leaves a choice."""

    @property
    def name(self) -> str:
        """Rules."""
        return "rules"

    def plan(self, mission: Mission, preference: Preference | None) -> SubtaskPlan:
        """Return the plan."""
        alternatives, layout = mission.goal.any_of, mission.layout
        profile = preference or self.other_than
        if profile is None or profile.level is not Level.PROFILE or len(alternatives) < 2:
            plan = plan_goal(layout, alternatives[0], self.catalogue)
            return _by_skill(plan, preference) if preference is not None else plan
        chosen = choose(profile, alternatives, layout, self.catalogue)
        if preference is None:
            return plan_goal(layout, chosen.others[0], self.catalogue)
        plan = plan_goal(layout, chosen.preferred[0], self.catalogue)
        meant = {call.object for call in plan.calls if call.skill == "pick"}
        wrong = {atom[1] for other in chosen.others for atom in other if atom[0] in ("on", "in")}
        return replace(
            plan,
            required=tuple(("pick", name) for name in sorted(meant - wrong)),
            prohibited=tuple(("pick", name) for name in sorted(wrong - meant)),
        )

    def check_choice(self, plan: SubtaskPlan, mission: Mission, preference: Preference) -> None:
        """Refuse a plan that takes what the rules would not, or comes to another choice.

        Raises:
            PermError: Says what the plan does, and what is preferred.
        """
        ruled = self.plan(mission, preference)
        both = replace(
            plan,
            required=(*plan.required, *ruled.required),
            prohibited=(*plan.prohibited, *ruled.prohibited),
        )
        wrong = list(faults(both))
        alternatives, layout = mission.goal.any_of, mission.layout
        if preference.level is Level.PROFILE and len(alternatives) > 1:
            preferred = choose(preference, alternatives, layout, self.catalogue).preferred
            if not any(entails(plan, layout.init, goal) for goal in preferred):
                wrong.append(f"after it {_in_words(preferred)} has to hold")
        if wrong:
            raise PermError(f"The plan does not keep {preference.language!r}: {'; '.join(wrong)}.")


def _by_skill(plan: SubtaskPlan, preference: Preference) -> SubtaskPlan:
    """Return a plan with the skill that a preference asks for in place of another."""
    skill = CARRIED_BY.get(preference.metric.name)
    if skill is None:
        return plan
    calls = [call for call in plan.calls if call.skill != "pick"]
    moved = [SkillCall(skill, call.object, call.target) if call.target else call for call in calls]
    names = [call.object for call in calls if call.target]
    return replace(
        plan,
        calls=tuple(moved),
        required=tuple((skill, name) for name in names),
        prohibited=tuple(("pick", name) for name in names) if skill == "push" else (),
    )


def check_plan(plan: SubtaskPlan, mission: Mission, preference: Preference | None) -> None:
    """Refuse a plan that no hand can do, that names what is not there, or misses the goal.

    Args:
        plan: By whomever.
        mission: What it is for.
        preference: What it has to keep; the plan's own rules say how.

    Raises:
        PermError: Lists all that is wrong.
    """
    wrong = list(_wrong(plan, mission))
    if wrong:
        whose = f" for {preference.name!r}" if preference else ""
        raise PermError(f"The plan of mission {mission.id}{whose} will not do: {'; '.join(wrong)}.")


def _wrong(plan: SubtaskPlan, mission: Mission) -> Iterator[str]:
    yield from plan_problems(plan, mission.layout)
    yield from faults(plan)
    if not any(entails(plan, mission.layout.init, goal) for goal in mission.goal.any_of):
        yield f"after it the goal does not hold ({_in_words(mission.goal.any_of)})"


def _in_words(goals: Iterable[tuple[Atom, ...]]) -> str:
    return " or ".join(" and ".join(" ".join(atom) for atom in goal) for goal in goals)


def replan(task: Task, planner: Planner, plain: Planner) -> Task:
    """Return a task with plans by planners, each checked.

    Args:
        task: With a preference, or none.
        planner: Makes the plan that keeps it.
        plain: Makes the plan of somebody who was told nothing.
    """
    wishes = sorted(task.followed, key=lambda wish: wish.level is not Level.PROFILE)
    without = plain.plan(task.mission, None)
    check_plan(without, task.mission, None)
    if not wishes:
        return replace(task, plan=without, plain_plan=without)
    kept = planner.plan(task.mission, wishes[0])
    check_plan(kept, task.mission, wishes[0])
    return replace(task, plan=kept, plain_plan=without)


def replan_library(library: Library, tasks: Iterable[Task], planner: Planner) -> Library:
    """Return a library in which some tasks and their twins have plans by a planner.

    Raises:
        PermError: There is no plan of one of them that will do.
    """
    changed = {}
    for task in library.with_twins(tasks):
        profile = next((p for p in task.measured if p.level is Level.PROFILE), None)
        plain = RulePlanner(library.catalogue, other_than=profile)
        changed[task.id] = replan(task, planner, plain)
    return replace(library, tasks={**library.tasks, **changed})
