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


def test_nothing_named_and_nothing_left_are_refused(library: Library) -> None:
    with pytest.raises(PermError, match="Say which tasks"):
        chosen(library)
    with pytest.raises(PermError, match="None of the tasks is of level profile or skill"):
        chosen(library, tasks=["1-7_104"], levels=["skill", "profile"])
