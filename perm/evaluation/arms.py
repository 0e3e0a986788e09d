"""Prompt arms: the same episodes, asked for in other words, to see whether language is used at all.

Scene, goal, metric and seeds stay as they are; only the delivered sentence is another one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from perm.core.errors import PermError, unknown_name
from perm.core.seeding import make_rng
from perm.core.task import Preference, Task, build_prompt
from perm.suites.library import Library

NORMAL = "normal"
_SHOWN = 3
"""So many tasks are named where some cannot be asked for as wanted."""


def in_arm(tasks: Iterable[Task], arm: str, library: Library, seed: int) -> tuple[Task, ...]:
    """Return the tasks with the sentences of an arm; those that ask for nothing stay as they are.

    Args:
        tasks: What is played.
        arm: One of `ARMS`.
        library: Knows preferences and other wordings.
        seed: Of the run; "shuffled" draws with it.

    Raises:
        PermError: The arm is unknown, or a task has no such sentence.
    """
    if arm not in ARMS:
        raise unknown_name("prompt", arm, ARMS)
    wanted = tuple(tasks)
    asking = [task for task in wanted if task.condition]
    found = {task.id: ARMS[arm](task, library, seed) for task in asking}
    lacking = [name for name, task in found.items() if task is None]
    if lacking:
        more = f" and {len(lacking) - _SHOWN} more" if len(lacking) > _SHOWN else ""
        raise PermError(
            f"prompt={arm}: there is no such sentence for {', '.join(lacking[:_SHOWN])}{more}. "
            f"{len(found) - len(lacking)} of the tasks have one: name them with task=, or choose "
            f"them with preference=."
        )
    return tuple(found.get(task.id) or task for task in wanted)


def original(tasks: Iterable[Task], library: Library) -> tuple[Task, ...]:
    """Return the tasks as LIBERO asks for them: its own sentence and goal, on the layout as it is.

    They are named as the tasks' twins, and measure what those measure.
    """
    found: dict[str, Task] = {}
    for task in tasks:
        twin = library.find_twin(task) if task.condition else task
        name = twin.id if twin is not None else f"{task.group}.nopref"
        mission, source = task.mission, task.mission.original
        if source is not None:
            mission = replace(
                mission,
                language=source.language,
                goal=source.goal,
                goal_is_passed=False,
                goal_is_final=False,
            )
        found[name] = replace(
            task,
            id=name,
            mission=mission,
            condition=(),
            asks="none",
            follows=None,
            plan=task.plain_plan,
            wording="original",
            sentence=None,
        )
    return tuple(found.values())


def _normal(task: Task, library: Library, seed: int) -> Task:
    del library, seed
    return task


def _none(task: Task, library: Library, seed: int) -> Task:
    del library, seed
    return replace(task, sentence=build_prompt(task.mission.language, []))


def _shuffled(task: Task, library: Library, seed: int) -> Task:
    """Ask for other preferences of the same level."""
    rng = make_rng(seed, task.group, 0, "prompt")
    own = {preference.id for preference in task.condition}
    sentences = []
    for preference in task.condition:
        others = [
            other.language
            for other in library.preferences.values()
            if other.level is preference.level and other.id not in own and "{" not in other.language
        ]
        sentences.append(str(rng.choice(others)))
    return replace(task, sentence=build_prompt(task.mission.language, sentences))


def _opposite(task: Task, library: Library, seed: int) -> Task | None:
    del seed
    others = [_opposite_of(preference, library) for preference in task.condition]
    if None in others:
        return None
    sentences = [other.language for other in others if other is not None]
    return replace(task, sentence=build_prompt(task.mission.language, sentences))


def _opposite_of(preference: Preference, library: Library) -> Preference | None:
    other = library.preferences.get(preference.opposite or "")
    return None if other is None or "{" in other.language else other


def _paraphrased(task: Task, library: Library, seed: int) -> Task | None:
    del seed
    other = library.tasks.get(f"compre/{task.id.rpartition('/')[2]}.mixture")
    if other is None or other.group != task.group:
        return None
    return replace(task, sentence=other.sentence, wording=other.wording)


ARMS: Mapping[str, Callable[[Task, Library, int], Task | None]] = MappingProxyType(
    {
        NORMAL: _normal,
        "none": _none,
        "shuffled": _shuffled,
        "opposite": _opposite,
        "paraphrased": _paraphrased,
    }
)
"""By name: the task with another sentence, or None if there is none for it."""
