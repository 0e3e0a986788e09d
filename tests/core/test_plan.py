import pytest

from perm.core.mission import SkillCall, SubtaskPlan
from perm.core.plan import end_state, entails, faults

PICK, PLACE = SkillCall("pick", "mug_1"), SkillCall("place_on", "mug_1", "plate_1")
START = (("on", "mug_1", "table_region"), ("close", "cabinet_1_top_region"))


def plan(*calls: SkillCall, **rules) -> SubtaskPlan:
    return SubtaskPlan(calls, **rules)


def test_what_is_put_somewhere_is_there_and_not_where_it_was() -> None:
    assert end_state(plan(PICK, PLACE), START) == {
        ("on", "mug_1", "plate_1"),
        ("close", "cabinet_1_top_region"),
    }


def test_what_is_opened_is_closed_no_more() -> None:
    opened = plan(SkillCall("open", "cabinet_1_top_region"))
    assert end_state(opened, START) == {START[0], ("open", "cabinet_1_top_region")}
    again = plan(*opened.calls, SkillCall("close", "cabinet_1_top_region"))
    assert end_state(again, START) == set(START)


def test_a_plan_entails_a_goal_if_every_atom_holds_after_it() -> None:
    goal = (("on", "mug_1", "plate_1"),)
    assert entails(plan(PICK, PLACE), START, goal)
    assert not entails(plan(PICK, PLACE), START, (*goal, ("open", "cabinet_1_top_region")))
    assert entails(plan(PICK, PLACE), START, (START[1],))


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ((PLACE,), ["place_on mug_1: it is not in the hand; pick it first"]),
        ((PICK,), ["mug_1 is still in the hand at the end"]),
        (
            (PICK, SkillCall("pick", "mug_2"), SkillCall("place_on", "mug_2", "plate_1")),
            ["pick mug_2: the hand still holds mug_1"],
        ),
        (
            (PICK, SkillCall("close", "door_1"), PLACE),
            ["close door_1: the hand holds mug_1; put it down first"],
        ),
        ((PICK, PLACE, SkillCall("close", "door_1")), []),
    ],
)
def test_what_no_hand_can_do_is_told(calls: tuple[SkillCall, ...], told: list[str]) -> None:
    assert list(faults(plan(*calls))) == told


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"required": (("pick", "mug_1"),)}, []),
        ({"required": (("_ALL", "mug_1"), ("pick", "_ALL"))}, []),
        ({"required": (("push", "_ALL"),)}, ["required (push, _ALL) is not done"]),
        (
            {"prohibited": (("_ALL", "mug_1"),)},
            [
                "prohibited (_ALL, mug_1) is done: pick mug_1",
                "prohibited (_ALL, mug_1) is done: place_on mug_1",
            ],
        ),
        ({"prohibited": (("push", "mug_1"),)}, []),
        ({"order": ((("pick", "mug_1"), ("place_on", "mug_1")),)}, []),
        (
            {"order": ((("place_on", "_ALL"), ("pick", "_ALL")),)},
            ["order: (place_on, _ALL) has to come before (pick, _ALL)"],
        ),
    ],
)
def test_a_plan_that_breaks_its_own_rules_is_told_so(rules: dict, told: list[str]) -> None:
    assert list(faults(plan(PICK, PLACE, **rules))) == told
