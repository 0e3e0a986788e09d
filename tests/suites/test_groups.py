import pytest

from perm.core.mission import Goal
from perm.suites.library import load_library

from .user_folder import Folder

FILE = "group/mine/both.yaml"
BOWL = "akita_black_bowl_1"
GROUP = f"""\
id: mine/both
mission: bowl
preferences:
  A: {{preference: my-height, metric: {{object: {BOWL}}}}}
  B: {{preference: 2-1, metric: {{object: {BOWL}}}}}
tasks: {{none: __nopref, A: __A, B: __B, A+B: __AB}}
"""
AGAINST = """\
id: mine/both
mission: bowl
preferences:
  P1: {preference: 2-1}
  P2: {preference: 2-13}
tasks: {P1: __P1, P2: __P2, P1+P2: __joint}
"""


def test_a_group_is_one_scene_with_every_condition(folder: Folder) -> None:
    folder.write(FILE, GROUP)
    tasks = load_library([folder.path]).tasks
    group = {name: tasks[f"mine/both__{name}"] for name in ("nopref", "A", "B", "AB")}
    asked = {name: [p.id for p in task.condition] for name, task in group.items()}
    assert asked == {"nopref": [], "A": ["my-height"], "B": ["2-1"], "AB": ["my-height", "2-1"]}
    for task in group.values():
        assert [p.id for p in task.measured] == ["my-height", "2-1"]
        assert (task.group, task.beside) == ("mine/both", "")
        assert task.mission is group["A"].mission
    assert [group[name].asks for name in group] == ["none", "A", "B", "A+B"]
    assert group["AB"].prompt == (
        "Task: Put the bowl on the plate. Preference: Carry it well above everything. "
        "Pick from right edge."
    )
    assert "mine/both.nopref" not in tasks


def test_the_task_that_asks_for_nothing_is_the_twin_of_its_group(folder: Folder) -> None:
    folder.write(FILE, GROUP)
    library = load_library([folder.path])
    for name in ("A", "B", "AB"):
        twin = library.find_twin(library.tasks[f"mine/both__{name}"])
        assert twin is library.tasks["mine/both__nopref"]
    assert library.tasks["mine/both__nopref"].is_twin


def test_where_wishes_exclude_each_other_the_expert_follows_them_by_turns(folder: Folder) -> None:
    folder.write(FILE, AGAINST)
    library = load_library([folder.path])
    joint = library.tasks["mine/both__joint"]
    first, second = library.with_other_ways([joint])
    assert [p.id for p in first.followed] == ["2-1"]
    assert [p.id for p in second.followed] == ["2-13"]
    assert first.prompt == second.prompt
    assert (second.id, second.beside, second.group) == (
        "mine/both__joint.P2",
        "mine/both__joint",
        "mine/both",
    )
    assert second.is_followed({"2-1": 0.25, "2-13": 1.0})
    assert not second.is_followed({"2-1": 1.0, "2-13": 1.0})
    assert not first.is_followed({"2-1": 1.0, "2-13": None})


def test_against_the_task_the_expert_follows_the_task(folder: Folder) -> None:
    folder.write(
        FILE,
        AGAINST.replace("P1: {preference: 2-1}", "P: {preference: 2-1}")
        .replace("  P2: {preference: 2-13}\n", "")
        .replace("{P1: __P1, P2: __P2, P1+P2: __joint}", "{task+P: __pref, task+null: __null}"),
    )
    library = load_library([folder.path])
    task, other = library.with_other_ways([library.tasks["mine/both__pref"]])
    assert task.followed == ()
    assert [p.id for p in task.condition] == [p.id for p in other.followed] == ["2-1"]
    assert task.is_followed({"2-1": 0.25})
    assert not task.is_followed({"2-1": 0.75})
    twin = library.find_twin(task)
    assert twin is library.tasks["mine/both__null"]
    assert twin.asks == "task+null"


def test_only_one_portion_is_a_goal_that_a_second_one_breaks(folder: Folder) -> None:
    folder.change(
        "mission/bowl.yaml",
        "max_steps",
        f"goal: {{any_of: [[[on, {BOWL}, plate_1]]], none_of: [[[on, {BOWL}, flat_stove_1]]]}}\n"
        "goal_is_final: true\nmax_steps",
    )
    mission = load_library([folder.path]).tasks["mine/high"].mission
    assert mission.goal == Goal(((("on", BOWL, "plate_1"),),), ((("on", BOWL, "flat_stove_1"),),))
    assert mission.goal_is_final


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("A+B: __AB", "A+C: __AB", "tasks: Unknown condition 'A+C'. Did you mean A+B"),
        ("B: __B,", "B: __A,", "tasks: two conditions have the same ending"),
        ("B: __B,", "P1: __B,", "preferences: P1 is asked for in tasks, and missing"),
        (", B: __B, A+B: __AB", "", "preferences: B is asked for in none of the tasks"),
        ("preference: 2-1", "preference: 2-100", "Unknown preference '2-100'. Did you mean 2-10"),
        ("preference: 2-1", "preference: my-height", "preferences: my-height is there twice"),
        ("  B: {", "  X: {", "preferences: X: Unknown letter 'X'"),
        ("  A: {preference", "  A: {prefernce", "preferences: A: Unknown key 'prefernce'"),
        ("mission: bowl", "mission: bwl", "Unknown mission 'bwl'. Did you mean bowl"),
        (f"2-1, metric: {{object: {BOWL}}}", "2-1, metric: {object: cup}", "preferences: B: metri"),
    ],
)
def test_what_is_wrong_with_a_group_is_told(
    folder: Folder, old: str, new: str, problem: str
) -> None:
    assert GROUP.count(old) == 1 or old.startswith("preference")
    path = folder.write(FILE, GROUP.replace(old, new))
    assert f"{path}: {problem}" in folder.refusal()


def test_a_task_that_is_there_already_is_told(folder: Folder) -> None:
    path = folder.write(
        "group/mine/high.yaml", GROUP.replace("/both", "/high").replace("__A,", '"",')
    )
    assert f"{path}: tasks: there is a task mine/high already" in folder.refusal()
