from collections.abc import Callable
from pathlib import Path

from perm.core.task import MetricSpec
from perm.suites.entries import TaskEntry
from perm.suites.reading import read_entry

Write = Callable[[str], Path]


def test_what_is_left_out_takes_the_default(write: Write) -> None:
    problems: list[str] = []
    entry = read_entry(TaskEntry, write("id: a/b\nmission: m\npreference: p\n"), "a/b", problems)
    assert entry == TaskEntry(id="a/b", mission="m", preference="p")
    bare = read_entry(TaskEntry, write("id: a/b\nmission: m\n"), "a/b", problems)
    assert bare == TaskEntry(id="a/b", mission="m", preference=None)
    assert entry.metric == MetricSpec("")
    assert entry.twin
    assert problems == []


def test_all_problems_of_a_file_are_found_at_once(write: Write) -> None:
    path = write("id: a/b\nmission: 104\nprefrence: 1-7\ntwin: maybe\n")
    problems: list[str] = []
    assert read_entry(TaskEntry, path, "a/b", problems) is None
    assert problems == [
        f"{path}: Unknown key 'prefrence'. Did you mean preference or preferred_goal?",
        f'{path}: mission: expected text, found a number; write "104" with the quotes',
        f"{path}: twin: expected true or false, found 'maybe'",
    ]


def test_the_id_has_to_fit_the_place_of_the_file(write: Write) -> None:
    path = write("id: a/c\nmission: m\npreference: p\n")
    problems: list[str] = []
    assert read_entry(TaskEntry, path, "a/b", problems) is None
    assert problems == [f"{path}: id: 'a/c' does not fit the file's place; expected 'a/b'"]
