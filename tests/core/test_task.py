from dataclasses import replace

import pytest

from perm.core.mission import Goal
from perm.core.task import AFTER_SUCCESS, build_prompt
from perm.suites.library import load_library


@pytest.mark.parametrize(
    ("task", "preferences", "prompt"),
    [
        (
            "Put the bowl on the plate",
            ["Move higher"],
            "Task: Put the bowl on the plate. Preference: Move higher.",
        ),
        ("put the bowl on the plate.", [], "put the bowl on the plate"),
        (" Put it down. ", ["Slow down."], "Task: Put it down. Preference: Slow down."),
        ("Do it", ["First", "Second"], "Task: Do it. Preference: First. Second."),
    ],
)
def test_the_prompt_is_exactly_as_specified(task: str, preferences: list[str], prompt: str) -> None:
    assert build_prompt(task, preferences) == prompt


def test_an_episode_goes_on_longer_after_success_where_a_measured_preference_is_slow() -> None:
    task = load_library().find_task("1-7_104")
    assert task.after_success == AFTER_SUCCESS == 80
    slow = replace(task.measured[0], after_success=160)
    assert replace(task, measured=(task.measured[0], slow)).after_success == 160
    assert replace(task, measured=()).after_success == 80


def test_who_asks_for_two_portions_waits_for_the_second_and_nobody_else_does() -> None:
    both = Goal(((("in", "bowl_1", "tray"), ("in", "bowl_2", "tray")),))
    task = load_library().find_task("1-7_104")
    portions = replace(task.measured[0], after_success=400, choice={"portions": 2})
    asked = replace(task, condition=(portions,), measured=(portions,), preferred_goal=both)
    assert (asked.awaited, asked.after_success) == (both, 400)
    twin = replace(asked, condition=())
    assert (twin.awaited, twin.after_success) == (None, 80)
    colour = replace(portions, choice={"colour": "red"})
    other = replace(asked, condition=(colour,), measured=(colour,))
    assert (other.awaited, other.after_success) == (None, 400)
