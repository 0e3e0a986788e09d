from collections import Counter

import pytest

from perm.core.conditions import CONDITIONS
from perm.suites.library import Library, load_library

COUNTS = {"single_pref": 100, "pref_scale": 100, "pref_conflict": 48, "pref_compose": 64}
SPEED, LEFT, RED, PAIR = "1-1", "2-5", "3-2", "4-3"


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


def family(task_id: str) -> str:
    return task_id.partition("/")[2].partition("_")[0]


def test_the_suites_count_312_tasks_and_26_of_them_are_ours(library: Library) -> None:
    assert {name: len(library.suites[name].tasks) for name in COUNTS} == COUNTS
    assert len(library.suites["all"].tasks) == len({t.id for t in library.suites["all"].tasks})
    assert (len(library.suites["all"].tasks), len(library.suites["all"].ours)) == (312, 26)


def test_every_preference_is_asked_for_in_two_or_three_missions(library: Library) -> None:
    tasks = library.suites["single_pref"].tasks
    asked = Counter(task.condition[0].id for task in tasks)
    missions = {(task.condition[0].id, task.mission.id) for task in tasks}
    assert set(asked) == set(library.preferences)
    assert set(asked.values()) == {2, 3}
    assert len(missions) == 100


def test_pref_scale_has_the_layouts_and_missions_of_its_families(library: Library) -> None:
    tasks = library.suites["pref_scale"].tasks
    by_split = Counter((family(task.id), task.split) for task in tasks if task.condition)
    assert by_split == {
        **{(name, "train"): 5 for name in (SPEED, LEFT, RED, PAIR)},
        **{(name, "unseen_layout"): 5 for name in (SPEED, LEFT, RED, PAIR)},
        **{(name, "unseen_task"): 6 for name in (SPEED, LEFT, PAIR)},
        (RED, "unseen_task"): 5,
        **{(name, "unseen_layout_task"): 3 for name in (SPEED, LEFT, RED, PAIR)},
    }
    plain = Counter(family(task.id) for task in tasks if not task.condition)
    assert plain == {"0-1": 13, SPEED: 3, LEFT: 3, RED: 3, PAIR: 3}


def test_pref_compose_is_sixteen_scenes_with_all_four_conditions(library: Library) -> None:
    groups: dict[str, list[str]] = {}
    for task in library.suites["pref_compose"].tasks:
        groups.setdefault(task.group, []).append(task.asks)
    assert len(groups) == 16
    assert all(asked == ["none", "A", "B", "A+B"] for asked in groups.values())
    pairs = {tuple(p.id for p in t.measured) for t in library.suites["pref_compose"].tasks}
    assert len(pairs) == 8


def test_pref_conflict_is_six_pairs_twice_and_three_against_the_task_twice(
    library: Library,
) -> None:
    groups: dict[str, list[str]] = {}
    for task in library.suites["pref_conflict"].tasks:
        groups.setdefault(task.group, []).append(task.asks)
    kinds = Counter(tuple(asked) for asked in groups.values())
    assert kinds == {("P1", "P2", "P1+P2"): 12, ("task+P", "task+null"): 6}


def test_two_wishes_of_a_conflict_exclude_each_other_by_their_files(library: Library) -> None:
    for task in library.suites["pref_conflict"].tasks:
        if task.asks == "P1+P2":
            first, second = task.condition
            said = {first.opposite, second.opposite} == {first.id, second.id}
            assert said or (first.id, second.id) == ("2-3", "2-1")  # by the handle, at the edge


def test_motion_and_skill_preferences_leave_the_layout_as_it_is(library: Library) -> None:
    variants = [
        task.id
        for task in library.suites["single_pref"].tasks
        if task.level in ("motion", "skill") and task.mission.init_states is None
    ]
    ours = {"single/2-5_116_1", *(f"single/2-{k}_ood{i}" for k, i in ((7, 1), (7, 2), (8, 3)))}
    ours |= {f"single/2-{k}_ood{i}" for k, i in ((8, 4), (9, 3), (9, 4))}
    assert set(variants) == ours


def test_every_task_that_asks_has_a_twin_unless_the_plain_plan_cannot_do_it(
    library: Library,
) -> None:
    alone = [
        task.id
        for task in library.suites["all"].tasks
        if task.condition and library.find_twin(task) is None
    ]
    assert {name.rpartition("_")[2] for name in alone if name.startswith("single")} == {
        "ood1",
        "ood2",
        "ood3",
        "ood4",
    }
    assert all("_ood" in name for name in alone)
    assert len(alone) == 12


def test_every_prompt_is_built_from_task_and_preferences_alone(library: Library) -> None:
    for task in library.suites["all"].tasks:
        asked = CONDITIONS[task.asks][0]
        assert len(task.condition) == len(asked)
        sentence = task.mission.language
        assert not sentence.endswith(".")
        wishes = "".join(f" {preference.language}." for preference in task.condition)
        expected = f"Task: {sentence}. Preference:{wishes}" if wishes else sentence
        assert task.prompt == expected
        assert "{" not in task.prompt
