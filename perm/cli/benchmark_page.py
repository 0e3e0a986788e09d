"""The page about the benchmark: its tables, made from the configuration."""

from collections.abc import Iterable, Iterator, Sequence

from perm.cli.tables import metric_text
from perm.core.task import Level, Preference, Suite, Task
from perm.metrics.calibration import Calibration
from perm.suites.library import Library

COUNTED = ("single_pref", "pref_scale", "pref_conflict", "pref_compose")
LEVELS = ("none", *(level.value for level in Level), "pair")
HEAD = """\
# The benchmark

Made by `scripts/write_benchmark_page.py` from the files under `configs/`; change those, not this.

## Where it comes from

From the paper: the preferences and their sentences, the prompt, SR and SA, the labels 0, 1/4, 3/4
and 1, the five suites and their sizes. Inferred from the numbers that its authors publish: what
each metric measures, and the anchors, the medians of demonstrations with and without the
preference. Ours, where both are silent:

- the cuts between labels (5 % quantile of the plain demonstrations, half way, 2 % quantile of those
  with the preference, within 60 to 80);
- the label of two preferences (the smaller one), Pref-Dom as a mean over tasks, the bound of 3/4
  from which on a preference counts as followed;
- when an episode ends, what *settled* means, step limits;
- tasks that the published list does not name, marked *ours* below; the layouts of PrefScale, all
  with the task of their anchor; scene 032; sentences of ComprePref;
- categories of objects that are tints or sizes of installed ones (`configs/object/`);
- one task beside the 312, `single/1-4_070`: keep away from the other bowl.
"""


def benchmark_page(library: Library) -> str:
    """Return the page as Markdown."""
    parts = [HEAD, *_suites(library), *_preferences(library)]
    for name in COUNTED:
        parts += _tasks(library.suites[name], library)
    return "\n".join(parts)


def _suites(library: Library) -> Iterator[str]:
    names = [*COUNTED, "all", "compre_pref"]
    rows = []
    for suite in (library.suites[name] for name in names):
        counts = [sum(task.level == level for task in suite.tasks) for level in LEVELS]
        rows.append([suite.title, f"`{suite.name}`", len(suite.tasks), *counts, len(suite.ours)])
    yield "## Suites\n"
    yield "Tasks by the level of what they ask for; ComprePref words tasks of SinglePref anew.\n"
    yield _table(["Suite", "Name", "Tasks", *LEVELS, "ours"], rows)


def _preferences(library: Library) -> Iterator[str]:
    rows = []
    for one in sorted(library.preferences.values(), key=_number):
        tasks = [t for t in library.suites["single_pref"].tasks if _asks(t, one)]
        better = {True: "larger", False: "smaller", None: "the preferred choice"}
        kept = better[one.larger_is_better]
        anchors = [_anchors(library.calibration(task, one)) for task in tasks]
        shown = next((text for text in anchors if text), "-")
        rows.append(
            [one.id, one.language, one.level.value, f"`{metric_text(one.metric)}`", kept, shown]
        )
    yield "## Preferences\n"
    yield "Better is where keeping it moves the raw quantity. The anchors are those of the first"
    yield "task of SinglePref that has some: what scores 0, and what 100.\n"
    yield _table(["Id", "Sentence", "Level", "Metric", "Better", "Anchors"], rows)


def _tasks(suite: Suite, library: Library) -> Iterator[str]:
    rows = []
    for task in suite.tasks:
        name = task.id.partition("/")[2] + (" *(ours)*" if task.id in suite.ours else "")
        twin = library.find_twin(task) if task.condition else None
        told = "-" if twin is None else twin.id.partition("/")[2]
        rows.append([name, task.asks, task.split, f"`{task.prompt}`", told])
    yield f"## {suite.title}\n"
    yield _table(["Task", "Condition", "Split", "Prompt", "Twin"], rows)


def _asks(task: Task, preference: Preference) -> bool:
    return [one.id for one in task.condition] == [preference.id]


def _anchors(calibration: Calibration | None) -> str:
    if calibration is None:
        return ""
    events = list(calibration.events.values())
    return f"{events[-1].raw_at_0:.3g} and {events[-1].raw_at_100:.3g} {events[-1].unit}"


def _number(preference: Preference) -> tuple[int, ...]:
    return tuple(int(part) for part in preference.id.split("-"))


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
