"""What a preference is set against: who was told nothing, another skill, and its opposite."""

from dataclasses import dataclass, replace

from perm.core.errors import PermError
from perm.core.mission import SkillCall, SubtaskPlan
from perm.core.task import Preference, Task
from perm.suites.library import Library

SUITE = "single_pref"
OTHER_SKILL = {"push": "drag", "drag": "push"}


@dataclass(frozen=True)
class Contrast:
    """Tasks of one scene.

    Attributes:
        task: With the preference.
        twin: Without it; where it has no twin, done by another skill.
        finishes: Whether the twin has to do the task.
        opposite: With what excludes it, or None.
    """

    task: Task
    twin: Task
    finishes: bool
    opposite: Task | None


def contrast_of(preference: Preference, library: Library) -> Contrast:
    """Return what to play for a preference.

    Raises:
        PermError: No task has it.
    """
    task, opposite = _where(preference, library)
    twin = library.find_twin(task)
    return Contrast(
        task=task,
        twin=_other_skill(task) if twin is None else twin,
        finishes=twin is not None,
        opposite=opposite,
    )


def _where(preference: Preference, library: Library) -> tuple[Task, Task | None]:
    """Return a task with a preference, and one of the same scene with its opposite, if any.

    Raises:
        PermError: No task has it.
    """
    counted = library.suites[SUITE].tasks if SUITE in library.suites else ()
    tasks = [*counted, *library.tasks.values()]
    known = [task for task in tasks if [p.id for p in task.condition] == [preference.id]]
    if not known:
        raise PermError(f"No task asks for {preference.id}; add one that does.")
    for task in known:
        for other in tasks:
            asked = [p.id for p in other.condition]
            if asked == [preference.opposite] and other.mission.layout == task.mission.layout:
                return task, other
    return known[0], _opposite(known[0], preference, library)


def _opposite(task: Task, preference: Preference, library: Library) -> Task | None:
    """Return a task in which the expert keeps the opposite of a motion or skill preference."""
    other = library.preferences.get(preference.opposite or "")
    if other is None or not other.expert:
        return None
    return replace(task, follows=(replace(other, metric=task.condition[0].metric),))


def _other_skill(task: Task) -> Task:
    """Return a task without a twin done by another skill.

    What is pushed is dragged; what is picked in another way is picked plainly, and put back.
    """
    calls = [
        replace(call, skill=OTHER_SKILL.get(call.skill, call.skill)) for call in task.plan.calls
    ]
    if calls == list(task.plan.calls):
        name = next(call.object for call in calls if call.skill == "pick")
        place = next(atom[2] for atom in task.mission.layout.init if atom[:2] == ("on", name))
        calls = [SkillCall("pick", name), SkillCall("place_on", name, place)]
    return replace(task, plan=SubtaskPlan(tuple(calls)), follows=())
