"""perm suite list|show|draw|check|leakage: what can be asked, and whether the expert can do it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from perm.cli import suite_check, suite_draw, suite_leakage
from perm.cli.arguments import Arguments
from perm.cli.keys import list_items
from perm.cli.select import FILTERS, keep_tasks
from perm.cli.tables import (
    anchors_text,
    expert_text,
    goal_text,
    metric_text,
    plan_text,
    print_facts,
    print_table,
)
from perm.cli.words import expect_words
from perm.core.errors import unknown_name
from perm.core.task import Level, Preference, Suite, Task
from perm.suites.library import Library, load_library

FILTER_WORDS = ("suite", *(key.removesuffix("s") for key in FILTERS))
LEVELS = ("none", *(level.value for level in Level), "pair")
ACTIONS = {
    "list": "",
    "show": "SUITE|TASK",
    "draw": "suite=NAME out=DIR [key=value ...]",
    "check": "suite=NAME out=DIR [key=value ...]",
    "leakage": "suite=NAME out=DIR [key=value ...]",
}
RUNS = {"draw": suite_draw.run, "check": suite_check.run, "leakage": suite_leakage.run}
"""Those with a config of their own."""


def run(arguments: Arguments) -> int:
    """Print the suites, or one suite, or one task; or draw them, or let the expert try them."""
    if arguments.words[:1] and arguments.words[0] in RUNS:
        action, *rest = arguments.words
        return RUNS[action](replace(arguments, words=tuple(rest)))
    action, name, settings = expect_words(arguments, "suite", ACTIONS, {"list": FILTER_WORDS})
    library = load_library(arguments.config_dirs)
    if settings:
        list_tasks(library, settings)
    elif action == "list":
        list_suites(library)
    elif name in library.suites:
        show_suite(library.suites[name], library)
    else:
        show_task(_find_task(name, library), library)
    return 0


def list_suites(library: Library) -> None:
    """Print one row a suite, and the tasks that no suite counts."""
    rows = []
    for suite in library.suites.values():
        levels = Counter(task.level for task in suite.tasks)
        counts = [str(levels[level]) for level in LEVELS]
        rows.append([suite.name, suite.title, str(len(suite.tasks)), *counts])
    print_table(["Suite", "Title", "Tasks", *LEVELS], rows)
    counted = {task.id for suite in library.suites.values() for task in suite.tasks}
    others = [t.id for t in library.tasks.values() if not t.beside and t.id not in counted]
    if others:
        print(f"In no suite: {', '.join(others)}\n")
    print("`perm suite show SUITE` lists its tasks, `perm suite show TASK` describes one.")


def list_tasks(library: Library, settings: Mapping[str, str]) -> None:
    """Print one row a task that the settings keep."""
    values = {f"{word}s": list_items(text) for word, text in settings.items()}
    suites = values.pop("suites", list(library.suites))
    tasks = [task for name in suites for task in library.find_suite(name).tasks]
    show_tasks(keep_tasks(tasks, library, values), library)


def show_suite(suite: Suite, library: Library) -> None:
    """Print one row a task."""
    show_tasks(suite.tasks, library)


def show_tasks(tasks: Iterable[Task], library: Library) -> None:
    """Print one row a task: what it asks for, and whether it can be scored."""
    rows = []
    for task in tasks:
        is_ready = all(_is_scored(task, preference, library) for preference in task.measured)
        rows.append([task.id, task.level, "yes" if is_ready else "no", task.prompt])
    print_table(["Task", "Level", "Scored", "Prompt"], rows)


def show_task(task: Task, library: Library) -> None:
    """Print all there is to know about one task."""
    mission = task.mission
    facts = [
        ("Task", task.id),
        ("Prompt", task.prompt),
        ("Mission", f"{mission.id}: {mission.language}"),
        ("Condition", f"{task.asks} ({task.split})"),
        ("Goal", goal_text(mission.goal)),
        ("Step limit", str(mission.max_steps)),
    ]
    for preference in task.measured:
        calibration = library.calibration(task, preference)
        is_choice = preference.level is Level.PROFILE
        anchors = "the preferred choice scores 100" if is_choice else anchors_text(calibration)
        facts += [
            ("Preference", f"{preference.id} {preference.name} ({preference.level.value})"),
            ("Metric", metric_text(preference.metric)),
            ("Anchors", anchors),
        ]
        facts += [("Expert", expert_text(preference))] if preference.expert else []
    facts.append(("Plan", plan_text(task.plan)))
    if task.plain_plan != task.plan:
        facts.append(("Plain plan", plan_text(task.plain_plan)))
    twin = library.find_twin(task)
    for other in library.with_other_ways([task])[1:]:
        facts.append(("Other way", f"{other.id}: {plan_text(other.plan)}"))
    if twin is not None and twin.is_twin:
        facts.append(("Twin", f"{twin.id}: {twin.prompt}"))
    facts.append(("Picture", f"perm suite draw task={task.id} out=DIR"))
    print_facts(facts)


def _is_scored(task: Task, preference: Preference, library: Library) -> bool:
    is_choice = preference.level is Level.PROFILE
    return is_choice or library.calibration(task, preference) is not None


def _find_task(name: str, library: Library) -> Task:
    """Find a task for a name that may also have meant a suite."""
    folder = "/" in name
    known = {task_id if folder else task_id.rpartition("/")[2] for task_id in library.tasks}
    if name in known:
        return library.find_task(name)
    shown = (task.id for task in library.tasks.values() if not task.beside)
    names = {task_id if folder else task_id.rpartition("/")[2] for task_id in shown}
    raise unknown_name("suite or task", name, {*library.suites, *names})
