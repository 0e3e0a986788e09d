"""From task and group files to tasks and their no-preference twins."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from perm.core.conditions import CONDITIONS, OTHER_WAY
from perm.core.errors import unknown_name
from perm.core.mission import Goal, Mission, SubtaskPlan
from perm.core.task import SPLITS, Level, MetricSpec, Preference, Task
from perm.suites.entries import GroupEntry, TaskEntry, Wish
from perm.suites.grounding import goal_problems, metric_problems, plan_problems
from perm.suites.sources import Sources

TWIN = ".nopref"
"""What the id of a twin has behind its task's."""


def build_tasks(
    group: GroupEntry,
    where: tuple[str, str],
    preferences: Mapping[str, Preference],
    mission: Mission,
    plain_plan: SubtaskPlan,
    sources: Sources,
) -> tuple[Task, ...]:
    """Return the tasks of a group and what belongs to them; report what is wrong with them.

    Args:
        group: Its wishes name preferences that are known.
        where: Kind and id of its file.
        preferences: By id.
        mission: What is done in all of them.
        plain_plan: How, where nothing is asked.
        sources: Where problems are reported.
    """
    wishes = {
        letter: _grounded(wish, preferences[wish.preference])
        for letter, wish in group.preferences.items()
    }
    for problem in _group_problems(group):
        sources.report(*where, problem)
    for letter, wish in group.preferences.items():
        prefix = "" if where[0] == "task" else f"preferences: {letter}: "
        known = preferences[wish.preference]
        for problem in _problems(wish, known, wishes[letter].metric, mission):
            sources.report(*where, prefix + problem)
    plain = Task(
        id=group.id + TWIN,
        suite=group.suite,
        mission=mission,
        condition=(),
        measured=tuple(wishes.values()),
        group=group.id,
        split=group.split,
        plan=plain_plan,
        plain_plan=plain_plan,
        preferred_goal=_only_goal(group.preferences.values()),
        asks="none",
        beside=group.id + next(iter(group.tasks.values())),
    )
    built = []
    for condition, ending in group.tasks.items():
        asked, followed = CONDITIONS[condition]
        if set(asked) <= set(wishes):
            task = replace(plain, id=group.id + ending, asks=condition, beside="")
            built.append(_asking(task, group, wishes, asked, followed))
            if condition in OTHER_WAY:
                other = OTHER_WAY[condition]
                task = replace(task, id=f"{task.id}.{other}", beside=task.id)
                built.append(_asking(task, group, wishes, asked, (other,)))
    has_twin = group.twin and all(task.condition for task in built)
    return (*built, plain) if has_twin else tuple(built)


def _grounded(wish: Wish, preference: Preference) -> Preference:
    """Return a preference as a wish has it, for one scene."""
    metric = _merge(preference.metric, wish.metric)
    is_own = metric.name != preference.metric.name
    return replace(
        preference,
        language=preference.language.replace("{target}", wish.target or ""),
        target=wish.target,
        metric=metric,
        larger_is_better=None if is_own else preference.larger_is_better,
    )


def _asking(
    task: Task,
    group: GroupEntry,
    wishes: Mapping[str, Preference],
    asked: Sequence[str],
    followed: Sequence[str],
) -> Task:
    """Return a group's task with a condition, and a way for the expert to follow it."""
    if not asked:
        return task
    plans = [plan for one in followed if (plan := group.preferences[one].plan) is not None]
    return replace(
        task,
        condition=tuple(wishes[letter] for letter in asked),
        follows=tuple(wishes[letter] for letter in followed),
        plan=plans[0] if plans else task.plain_plan,
        preferred_goal=_only_goal(group.preferences[letter] for letter in asked),
    )


def _only_goal(wishes: Iterable[Wish]) -> Goal | None:
    """Return the preferred goal of the one wish that has one; of two nobody can reach both."""
    goals = [wish.preferred_goal for wish in wishes if wish.preferred_goal is not None]
    return goals[0] if len(goals) == 1 else None


def _group_problems(group: GroupEntry) -> Iterator[str]:
    """Yield what is wrong with a group, whatever its mission."""
    if group.id.endswith(TWIN):
        yield f"id: {TWIN} is the ending of the twins, which are made of their tasks"
    if group.split not in SPLITS:
        yield f"split: {unknown_name('split', group.split, SPLITS)}"
    letters = {letter for condition in group.tasks for letter in CONDITIONS[condition][0]}
    free = all(not CONDITIONS[condition][0] for condition in group.tasks)
    for letter in sorted(letters - set(group.preferences)):
        yield f"preferences: {letter} is asked for in tasks, and missing"
    for letter in group.preferences if not free else ():
        if letter not in letters:
            yield f"preferences: {letter} is asked for in none of the tasks"
    ids = [wish.preference for wish in group.preferences.values()]
    if len(set(ids)) < len(ids):
        yield f"preferences: {ids[0]} is there twice"
    for condition in group.tasks:
        followed = CONDITIONS[condition][1]
        known = [group.preferences[one] for one in followed if one in group.preferences]
        if sum(wish.plan is not None for wish in known) > 1:
            yield f"tasks: {condition}: two of its preferences bring a plan of their own"


def build_free_task(
    entry: TaskEntry, mission: Mission, plain_plan: SubtaskPlan, sources: Sources
) -> Task:
    """Return a task that asks for no preference; report what is wrong with it."""
    if entry.split not in SPLITS:
        sources.report("task", entry.id, f"split: {unknown_name('split', entry.split, SPLITS)}")
    asked = {
        "target": entry.target,
        "metric": entry.metric.name or entry.metric.params,
        "preferred_goal": entry.preferred_goal,
        "calibrated_as": entry.calibrated_as,
    }
    for key in (key for key, value in asked.items() if value):
        sources.report("task", entry.id, f"{key}: is for a task with a preference")
    plan = entry.plan or plain_plan
    if entry.plan is not None:
        for problem in plan_problems(entry.plan, mission.layout):
            sources.report("task", entry.id, f"plan: {problem}")
    return Task(
        id=entry.id,
        suite=entry.suite,
        mission=mission,
        condition=(),
        measured=(),
        group=entry.id,
        split=entry.split,
        plan=plan,
        plain_plan=plan,
        asks="none",
    )


def _merge(metric: MetricSpec, own: MetricSpec) -> MetricSpec:
    """Return the preference's measurement with a task's parameters, or the task's own one."""
    if own.name in ("", metric.name):
        return MetricSpec(metric.name, {**metric.params, **own.params})
    return own


def _problems(
    wish: Wish, preference: Preference, metric: MetricSpec, mission: Mission
) -> Iterator[str]:
    """Yield what is wrong with a wish whose preference and mission are known."""
    if ("{target}" in preference.language) != (wish.target is not None):
        wanted = "needs a" if wish.target is None else "has no place for the"
        yield f"target: the sentence {preference.language!r} {wanted} target"
    if (preference.level is Level.PROFILE) != (wish.preferred_goal is not None):
        yield "preferred_goal: is for profile preferences, and each of their tasks needs one"
    if wish.plan is None and not preference.expert:
        yield f"plan: is missing: preference {preference.id} does not tell the expert what to do"
    for problem in metric_problems(metric, mission.layout):
        yield f"metric: {problem}"
    if wish.plan is not None:
        yield from (f"plan: {problem}" for problem in plan_problems(wish.plan, mission.layout))
    if wish.preferred_goal is not None:
        for problem in goal_problems(wish.preferred_goal, mission.layout):
            yield f"preferred_goal: {problem}"
