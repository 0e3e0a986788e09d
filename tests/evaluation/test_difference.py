import dataclasses

from perm.evaluation.difference import differences
from tests.evaluation.test_run import plan
from tests.evaluation.world import HIGH


def test_differences_are_told_with_both_values() -> None:
    assert differences(plan(), plan()) == ""
    assert differences(plan(seed=1), plan()) == "  seed: 1, there 0"
    text = differences(plan(options={"name": "hold"}, tasks=(HIGH,)), plan())
    assert '  policy: "hold", there "random"' in text
    assert '  tasks.single/3-2_081_1.level: nothing, there "profile"' in text


def test_many_differences_are_cut_short() -> None:
    lines = differences(plan(tasks=(HIGH,)), plan()).splitlines()
    assert len(lines) == 6
    assert lines[-1] == "  and 4 more"


def test_another_calibration_is_another_run() -> None:
    other = dataclasses.replace(plan().tasks[HIGH.id], calibration={"1-7": None})
    changed = dataclasses.replace(plan(), tasks={**plan().tasks, HIGH.id: other})
    assert "tasks.single/1-7_104.calibration.1-7.carry.raw_at_100: 0.3" in differences(
        plan(), changed
    )


def test_another_plan_of_the_expert_is_another_run() -> None:
    shorter = dataclasses.replace(HIGH, plan=dataclasses.replace(HIGH.plan, source="model"))
    assert "tasks.single/1-7_104.definition" in differences(plan((shorter,)), plan((HIGH,)))


def test_the_place_of_the_starts_is_no_difference() -> None:
    mission = dataclasses.replace(HIGH.mission, starts="/elsewhere/104.npz")
    assert differences(plan((dataclasses.replace(HIGH, mission=mission),)), plan((HIGH,))) == ""
