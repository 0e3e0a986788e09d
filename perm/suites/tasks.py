"""From preference and task files to preferences, tasks and their no-preference twins."""

import re
from collections.abc import Iterator
from dataclasses import replace

from perm.core.errors import unknown_name
from perm.core.task import SPLITS, Level, MetricSpec, Mission, Preference, SubtaskPlan, Task
from perm.metrics.measurements import MEASUREMENTS
from perm.suites.entries import PreferenceEntry, TaskEntry
from perm.suites.grounding import goal_problems, metric_problems, plan_problems
from perm.suites.sources import Sources

TWIN = ".nopref"
"""What the id of a twin has behind its task's."""


def build_preference(entry: PreferenceEntry, sources: Sources) -> Preference:
    """Return a preference, its sentence still with `{target}` if it has one."""
    for problem in _preference_problems(entry):
        sources.report("preference", entry.id, problem)
    return Preference(
        id=entry.id,
        name=entry.name,
        level=entry.level,
        language=entry.language,
        metric=entry.metric,
        expert=entry.expert,
        after_success=entry.after_success,
        larger_is_better=entry.larger_is_better,
        choice=entry.choice,
    )


def build_tasks(
    entry: TaskEntry,
    preference: Preference,
    mission: Mission,
    plain_plan: SubtaskPlan,
    sources: Sources,
) -> tuple[Task, ...]:
    """Return a task and its twin, if it has one; report what is wrong with them."""
    metric = _merge(preference.metric, entry.metric)
    is_own = metric.name != preference.metric.name
    grounded = replace(
        preference,
        language=preference.language.replace("{target}", entry.target or ""),
        target=entry.target,
        metric=metric,
        larger_is_better=None if is_own else preference.larger_is_better,
    )
    for problem in _problems(entry, preference, metric, mission):
        sources.report("task", entry.id, problem)
    task = Task(
        id=entry.id,
        suite=entry.suite,
        mission=mission,
        condition=(grounded,),
        measured=(grounded,),
        group=entry.id,
        split=entry.split,
        plan=entry.plan or plain_plan,
        plain_plan=plain_plan,
        preferred_goal=entry.preferred_goal,
    )
    twin = replace(task, id=entry.id + TWIN, condition=(), plan=plain_plan)
    return (task, twin) if entry.twin else (task,)


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
    )


def _merge(metric: MetricSpec, own: MetricSpec) -> MetricSpec:
    """Return the preference's measurement with a task's parameters, or the task's own one."""
    if own.name in ("", metric.name):
        return MetricSpec(metric.name, {**metric.params, **own.params})
    return own


def _preference_problems(entry: PreferenceEntry) -> Iterator[str]:
    """Yield what is wrong with a preference, whatever the task."""
    if entry.metric.name not in MEASUREMENTS:
        yield f"metric: {unknown_name('measurement', entry.metric.name, MEASUREMENTS)}"
    if (entry.level is Level.PROFILE) != (entry.better is None):
        yield (
            "better: say larger or smaller for a motion or skill preference: where keeping it "
            "moves the raw quantity; a profile preference is a choice and has none"
        )
    if entry.choice and entry.level is not Level.PROFILE:
        yield "choice: is for profile preferences"
    for word in re.findall(r"\{(.*?)\}", entry.language):
        if word != "target":
            yield f"language: {unknown_name('placeholder', word, ['target'])}"


def _problems(
    entry: TaskEntry, preference: Preference, metric: MetricSpec, mission: Mission
) -> Iterator[str]:
    """Yield what is wrong with a task whose preference and mission are known."""
    if entry.id.endswith(TWIN):
        yield f"id: {TWIN} is the ending of the twins, which are made of their tasks"
    if entry.split not in SPLITS:
        yield f"split: {unknown_name('split', entry.split, SPLITS)}"
    if ("{target}" in preference.language) != (entry.target is not None):
        wanted = "needs a" if entry.target is None else "has no place for the"
        yield f"target: the sentence {preference.language!r} {wanted} target"
    if (preference.level is Level.PROFILE) != (entry.preferred_goal is not None):
        yield "preferred_goal: is for profile preferences, and each of their tasks needs one"
    if entry.plan is None and not preference.expert:
        yield f"plan: is missing: preference {preference.id} does not tell the expert what to do"
    for problem in metric_problems(metric, mission.layout):
        yield f"metric: {problem}"
    if entry.plan is not None:
        yield from (f"plan: {problem}" for problem in plan_problems(entry.plan, mission.layout))
    if entry.preferred_goal is not None:
        for problem in goal_problems(entry.preferred_goal, mission.layout):
            yield f"preferred_goal: {problem}"
