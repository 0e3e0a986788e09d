import json
from dataclasses import replace

import pytest

from perm.evaluation.trials_summary import counts, sum_up, to_json
from tests.evaluation.trials import SCALE, TWIN, pair, side, trial
from tests.evaluation.world import HIGH

PLAIN = replace(HIGH, id="single/ood", group="single/ood", condition=(), measured=())


def test_only_a_success_with_label_1_obeys() -> None:
    # u = 100, 100, 75 succeed with label 1; 60 has 3/4; the failure lifted high enough.
    checked = pair([0.30, 0.30, 0.30, 0.25, 0.22], [0.10], kinds=["slip"])
    assert (len(checked.side.successes), checked.obeyed) == (4, 3)


def test_a_twin_disobeys_up_to_a_quarter() -> None:
    # u = 0 has 1/4, -30 has 0, 60 has 3/4, and what was not measured says nothing.
    checked = pair([0.3], [0.10, 0.04, 0.22, None, 0.10], twin_kinds=["", "", "", "", "grasp"])
    assert checked.twin is not None
    assert (len(checked.twin.successes), checked.twin_disobeyed) == (4, 2)


def test_without_a_scale_nobody_is_known_to_obey() -> None:
    (checked,) = sum_up((HIGH,), [trial(0.3, scale=None)])
    assert (len(checked.side.successes), checked.obeyed) == (1, 0)
    (spread,) = checked.spreads
    assert (spread.raw, spread.gap, spread.separates) == (0.3, None, None)


def test_who_asks_for_nothing_is_obeyed_by_success() -> None:
    (checked,) = sum_up((PLAIN,), side(PLAIN, [None] * 3, kinds=["place"]))
    assert counts([checked])["obeyed"] == 2
    assert (checked.spreads, checked.twin) == ((), None)


def test_the_two_sides_keep_apart_as_a_calibration_demands() -> None:
    apart = pair([0.30, 0.28, 0.32], [0.10, 0.12, 0.08]).spreads[0]
    assert (apart.raw, apart.twin_raw) == (0.30, 0.10)
    assert apart.low == pytest.approx(91.0)  # u = 90, 100, 110
    assert apart.twin_high == pytest.approx(9.0)  # u = -10, 0, 10
    assert apart.gap == pytest.approx(82.0)
    assert apart.separates is True


def test_they_do_not_if_the_twin_comes_half_way_or_the_preference_falls_short() -> None:
    assert pair([0.30], [0.20]).spreads[0].separates is False  # u = 50
    assert pair([0.238], [0.10]).spreads[0].separates is False  # u = 69, label 1 begins at 70
    assert pair([0.241], [0.19]).spreads[0].separates is True


def test_failures_do_not_count_in_the_distributions() -> None:
    spread = pair([0.0, 0.30], [0.30, 0.10], ["slip"], ["place"]).spreads[0]
    assert (spread.low, spread.twin_high) == (pytest.approx(100.0), 0.0)


def test_failures_are_counted_by_kind_on_both_sides() -> None:
    checked = pair([0.3] * 4, [0.1] * 2, ["slip", "plan", "slip"], ["slip"])
    assert checked.side.failures == {"slip": 2, "plan": 1}
    assert checked.failures == {"slip": 3, "plan": 1}


def test_steps_are_those_of_the_successes() -> None:
    done = [trial(0.3, steps=9, kind="slip"), trial(0.3, index=1, steps=120)]
    (checked,) = sum_up((HIGH,), done)
    assert checked.side.steps == 120
    assert (checked.seconds, checked.planning_s) == (2.0, 0.25)


def test_a_trial_whose_planning_was_not_timed_has_no_planning_time() -> None:
    (checked,) = sum_up((HIGH,), [replace(trial(0.3), planning_s=None)])
    assert checked.planning_s is None


def test_the_summary_counts_over_all_and_for_each_task() -> None:
    done = [
        *side(HIGH, [0.3, 0.3, 0.2], kinds=["plan"]),
        *side(TWIN, [0.1, 0.1, 0.22]),
        *side(PLAIN, [None, None]),
    ]
    found = json.loads(to_json(sum_up((HIGH, TWIN, PLAIN), done)))
    per_task = found.pop("per_task")
    assert found == {
        "tasks": 2,
        "attempts": 5,
        "success": 4,
        "obeyed": 3,
        "twin_attempts": 3,
        "twin_success": 3,
        "twin_disobeyed": 2,
        "no_twin": 1,
    }
    assert list(per_task) == [HIGH.id, PLAIN.id]
    assert per_task[HIGH.id] | {"tasks": 2, "attempts": 5, "success": 4, "obeyed": 3} == (
        found | {"no_twin": 0}
    )
    assert SCALE.label(0.2) == 0.75


def test_the_order_of_task_and_twin_does_not_matter() -> None:
    done = [*side(HIGH, [0.3]), *side(TWIN, [0.1])]
    assert sum_up((TWIN, HIGH), done) == sum_up((HIGH, TWIN), done)


def test_a_twin_that_several_tasks_share_is_counted_once() -> None:
    other = replace(HIGH, id="single/other")
    done = [*side(HIGH, [0.3]), *side(other, [0.3, 0.1]), *side(TWIN, [0.1, 0.3])]
    found = counts(sum_up((HIGH, other, TWIN), done))
    assert (found["tasks"], found["attempts"], found["obeyed"]) == (2, 3, 2)
    assert (found["twin_attempts"], found["twin_success"], found["twin_disobeyed"]) == (2, 2, 1)


def test_a_twin_that_a_suite_lists_is_a_task_too() -> None:
    listed = replace(TWIN, beside="")
    first, plain = sum_up((HIGH, listed), [*side(HIGH, [0.3]), *side(listed, [0.1, 0.3])])
    assert first.twin == plain.side
    assert (plain.twin, plain.obeyed) == (None, 1)


def test_what_is_asked_for_and_not_followed_has_to_be_left() -> None:
    (wish,) = HIGH.condition
    against = replace(HIGH, follows=())
    (checked,) = sum_up((against,), side(against, [0.1, 0.3]))
    assert checked.obeyed == 1
    assert wish in checked.side.task.condition
