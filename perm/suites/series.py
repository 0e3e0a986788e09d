"""The series of PrefScale: the same number of demonstrations from fewer or more layouts."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from perm.core.errors import PermError, unknown_name
from perm.core.task import Task
from perm.suites.library import Library

SUITE = "pref_scale"
BUDGET = 2250
"""Demonstrations that a policy is trained on, in every series."""


@dataclass(frozen=True)
class Series:
    """How the demonstrations are spread.

    Attributes:
        layouts: Number of training layouts.
        matched: Whether each layout comes with as many demonstrations without the preference.
    """

    layouts: int
    matched: bool = False


SERIES: Mapping[str, Series] = MappingProxyType(
    {"L1": Series(2), "L2": Series(3), "L3": Series(5), "L4": Series(3, matched=True)}
)


@dataclass(frozen=True)
class Portion:
    """So many demonstrations of a task."""

    task: Task
    demos: int


def training_set(
    library: Library, name: str, preference: str, budget: int = BUDGET, on_top: bool = False
) -> tuple[Portion, ...]:
    """Return what a policy of a series is trained on, for one family of PrefScale.

    Args:
        library: Knows the suite.
        name: One of `SERIES`.
        preference: The family's, "1-1"; "4-3" for its pair.
        budget: Demonstrations in all.
        on_top: Whether those without the preference come on top of the budget.

    Raises:
        PermError: There is no such series or family, or the budget cannot be shared evenly.
    """
    if name not in SERIES:
        raise unknown_name("series", name, SERIES)
    series = SERIES[name]
    suite = library.find_suite(SUITE).tasks
    families = [_family(task) for task in suite if task.split == "train" and task.condition]
    if preference not in families:
        raise unknown_name("family of PrefScale", preference, dict.fromkeys(families))
    tasks = [t for t in suite if _family(t) == preference and t.split == "train" and t.condition]
    pairs = [(task, library.find_twin(task)) for task in tasks]
    if series.matched:
        pairs = [(task, twin) for task, twin in pairs if twin is not None and not twin.beside]
    pairs = pairs[: series.layouts]
    sides = 2 if series.matched and not on_top else 1
    demos, left = divmod(budget, series.layouts * sides)
    if left or len(pairs) < series.layouts:
        raise PermError(
            f"{budget} demonstrations of {name} cannot be shared evenly by {len(pairs)} layouts."
        )
    portions = [Portion(task, demos) for task, _ in pairs]
    if series.matched:
        portions += [Portion(twin, demos) for _, twin in pairs if twin is not None]
    return tuple(portions)


def _family(task: Task) -> str:
    return task.id.rpartition("/")[2].partition("_")[0]
