import json
from dataclasses import replace

import pytest

from perm.core.errors import PermError
from perm.data.trial import Reading, Trial, choose_shown, from_json, to_json
from perm.metrics.calibration import EventCalibration

SCALE = EventCalibration(0.1, 0.3, (-20.0, 50.0, 70.0), "m")
TRIAL = Trial(
    task_id="single/1-7_104",
    index=3,
    init_index=33,
    seed=5,
    success=True,
    cause="",
    kind="",
    steps=140,
    wall_s=2.5,
    planning_s=None,
    readings={"1-7": Reading("carry", 0.25, "m", 1.0, SCALE)},
)


def test_a_trial_is_one_line_that_comes_back_the_same() -> None:
    for trial in (TRIAL, replace(TRIAL, readings={"1-7": Reading("carry", None, "m", None, None)})):
        assert "\n" not in to_json(trial)
        assert from_json(to_json(trial)) == trial


def test_the_position_lies_between_the_anchors_and_beyond() -> None:
    assert TRIAL.readings["1-7"].position == pytest.approx(75.0)
    assert Reading("carry", 0.4, "m", 1.0, SCALE).position == pytest.approx(150.0)
    assert Reading("carry", None, "m", None, SCALE).position is None
    assert Reading("carry", 0.4, "m", None, None).position is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "A trial is not JSON"),
        ("[]", "A trial is a JSON object, not list"),
        ('{"task": "x"}', "Unknown key of trial 'task'. Did you mean task_id"),
    ],
)
def test_another_line_is_refused(line: str, message: str) -> None:
    with pytest.raises(PermError, match=message):
        from_json(line)


def test_a_missing_field_is_named() -> None:
    values = json.loads(to_json(TRIAL))
    del values["steps"]
    with pytest.raises(PermError, match="trial lacks steps"):
        from_json(json.dumps(values))


def test_the_first_success_and_the_first_failure_of_each_kind_are_shown() -> None:
    kinds = ["slip", "", "", "slip", "plan"]
    trials = [replace(TRIAL, index=i, kind=kind) for i, kind in enumerate(kinds)]
    other = replace(TRIAL, task_id="single/2-1_019", index=9)
    shown = choose_shown([other, *reversed(trials)])
    assert {(one.task_id[-3:], one.index) for one in shown} == {
        ("104", 0),
        ("104", 1),
        ("104", 4),
        ("019", 9),
    }
