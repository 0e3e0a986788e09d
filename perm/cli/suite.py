"""perm suite list|show|check: what can be asked, in tables; and whether the expert can do it."""

from collections import Counter

from perm.cli import suite_check
from perm.cli.arguments import Arguments
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

ACTIONS = {"list": "", "show": "SUITE|TASK", "check": "suite=NAME out=DIR [key=value ...]"}


def run(arguments: Arguments) -> int:
    """Print the suites, or one suite, or one task; or let the expert try them."""
    if arguments.words[:1] == ("check",):
        return suite_check.run(arguments)
    action, name, _ = expect_words(arguments, "suite", ACTIONS)
    library = load_library(arguments.config_dirs)
    if action == "list":
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
        levels = Counter(p.level for task in suite.tasks for p in task.condition)
        counts = [str(levels[level]) for level in Level]
        rows.append([suite.name, suite.title, str(len(suite.tasks)), *counts])
    print_table(["Suite", "Title", "Tasks", *(level.value for level in Level)], rows)
    counted = {task.id for suite in library.suites.values() for task in suite.tasks}
    others = [t.id for t in library.tasks.values() if not t.is_twin and t.id not in counted]
    if others:
        print(f"In no suite: {', '.join(others)}\n")
    print("`perm suite show SUITE` lists its tasks, `perm suite show TASK` describes one.")


def show_suite(suite: Suite, library: Library) -> None:
    """Print one row a task."""
    rows = []
    for task in suite.tasks:
        levels = " ".join(preference.level.value for preference in task.condition)
        is_ready = all(_is_scored(task, preference, library) for preference in task.condition)
        rows.append([task.id, levels, "yes" if is_ready else "no", task.prompt])
    print_table(["Task", "Level", "Scored", "Prompt"], rows)


def show_task(task: Task, library: Library) -> None:
    """Print all there is to know about one task."""
    mission = task.mission
    facts = [
        ("Task", task.id),
        ("Prompt", task.prompt),
        ("Mission", f"{mission.id}: {mission.language}"),
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
    if twin is not None and twin.is_twin:
        facts.append(("Twin", f"{twin.id}: {twin.prompt}"))
    print_facts(facts)


def _is_scored(task: Task, preference: Preference, library: Library) -> bool:
    is_choice = preference.level is Level.PROFILE
    return is_choice or library.calibration(task, preference) is not None


def _find_task(name: str, library: Library) -> Task:
    """Find a task for a name that may also have meant a suite."""
    bare = {task_id.rpartition("/")[2] for task_id in library.tasks}
    known = library.tasks if "/" in name else bare
    if name not in known:
        raise unknown_name("suite or task", name, {*library.suites, *known})
    return library.find_task(name)
