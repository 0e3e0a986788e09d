"""How many skills need an offset: other parameters for some objects than for all others."""

from collections.abc import Iterable
from dataclasses import dataclass

from perm.core.mission import SkillCall
from perm.core.task import Task
from perm.skills.catalogue import skill_for
from perm.skills.style import Style, apply_preferences


@dataclass(frozen=True)
class Offsets:
    """What needs an offset, and what is used at all.

    Attributes:
        skills: Names of all skills that the tasks use.
        pairs: Names of the skills that each task uses, with its id.
        needing: Those of the pairs in which an object needs an offset.
    """

    skills: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    needing: frozenset[tuple[str, str]]

    def __str__(self) -> str:
        """Return the paper's measure and ours in a sentence."""
        without = len(self.skills) - len({skill for skill, _ in self.needing})
        return (
            f"{without} of {len(self.skills)} skills need no offset in any task, and "
            f"{len(self.pairs) - len(self.needing)} of {len(self.pairs)} pairs of skill and task."
        )


def offsets_of(tasks: Iterable[Task]) -> Offsets:
    """Return the offsets that the plans of tasks use."""
    pairs, needing = set(), set()
    for task in tasks:
        style = apply_preferences(Style(), task.followed)
        for call in task.plan.calls:
            skill = skill_for(call, style)
            pairs.add((skill.name, task.id))
            if skill.offsets.get(_category(task, call)):
                needing.add((skill.name, task.id))
    return Offsets(frozenset(name for name, _ in pairs), frozenset(pairs), frozenset(needing))


def _category(task: Task, call: SkillCall) -> str:
    """Return the category of what a call moves; a drawer or door is part of its fixture."""
    layout = task.mission.layout
    for entity in (*layout.objects, *layout.fixtures):
        if call.object == entity.name or call.object.startswith(f"{entity.name}_"):
            return entity.category
    return ""
