import pytest

from perm.cli.select import select_tasks
from perm.core.errors import PermError
from perm.suites.library import Library, load_library


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


def chosen(library: Library, **values: list[str]) -> list[str]:
    defaults: dict[str, list[str]] = {"tasks": [], "suites": [], "levels": []}
    return [task.id for task in select_tasks(library, defaults | values)]


def test_a_task_named_twice_counts_once(library: Library) -> None:
    assert chosen(library, tasks=["1-7_104", "single/1-7_104"]) == ["single/1-7_104"]


def test_a_suite_stands_for_its_tasks(library: Library) -> None:
    expected = [task.id for task in library.suites["single_pref"].tasks]
    assert chosen(library, suites=["single_pref"]) == expected


def test_tasks_are_picked_out_of_a_suite(library: Library) -> None:
    assert chosen(library, suites=["single_pref"], tasks=["1-7_104"]) == ["single/1-7_104"]
    with pytest.raises(PermError, match=r"single/1-4_070 is not a task of suite single_pref\."):
        chosen(library, suites=["single_pref"], tasks=["1-7_104", "1-4_070"])


def test_levels_keep_what_belongs_to_them(library: Library) -> None:
    tasks = chosen(library, suites=["single_pref"], levels=["skill", "profile"])
    levels = {library.tasks[name].condition[0].level.value for name in tasks}
    assert levels == {"skill", "profile"}


def test_a_twin_is_of_its_groups_level(library: Library) -> None:
    assert chosen(library, tasks=["1-7_104.nopref"], levels=["motion"]) == ["single/1-7_104.nopref"]


def test_tasks_are_kept_by_preference_condition_and_split(library: Library) -> None:
    fast = chosen(library, suites=["pref_compose"], preferences=["1-1"], conditions=["A+B"])
    assert fast == ["compose/4-3_116__AB", "compose/4-3_112__AB"]
    far = chosen(library, suites=["pref_scale"], preferences=["3-2"], splits=["unseen_layout_task"])
    assert far == [
        *(f"scale/0-1_032_{k}" for k in (7, 8, 9)),
        *(f"scale/3-2_032_{k}" for k in (7, 8, 9)),
    ]
    with pytest.raises(PermError, match=r"Unknown condition 'A\+C'\. Did you mean A\+B"):
        chosen(library, suites=["all"], conditions=["A+C"])
    with pytest.raises(PermError, match="None of the tasks is of split unseen_layout"):
        chosen(library, suites=["single_pref"], splits=["unseen_layout"])


def test_nothing_named_and_nothing_left_are_refused(library: Library) -> None:
    with pytest.raises(PermError, match="Say which tasks"):
        chosen(library)
    with pytest.raises(PermError, match="None of the tasks is of level profile or skill"):
        chosen(library, tasks=["1-7_104"], levels=["skill", "profile"])
