from dataclasses import replace

import pytest

from perm.core.task import MetricSpec
from perm.metrics.calibration import Calibration, EventCalibration
from perm.suites.identity import scales_of, task_digest
from perm.suites.library import load_library

TASK = load_library().find_task("1-7_104")
PREFERENCE = TASK.condition[0]
MISSION = TASK.mission


@pytest.mark.parametrize(
    "changed",
    [
        replace(TASK, plan=replace(TASK.plan, source="model")),
        replace(TASK, condition=(replace(PREFERENCE, expert={"carry": {"extra_height": 0.3}}),)),
        replace(TASK, condition=(replace(PREFERENCE, language="Move high"),)),
        replace(TASK, measured=(replace(PREFERENCE, metric=MetricSpec("event_steps")),)),
        replace(TASK, mission=replace(MISSION, max_steps=MISSION.max_steps + 1)),
    ],
)
def test_whatever_the_configs_say_of_a_task_is_in_its_digest(changed: object) -> None:
    assert task_digest(changed) != task_digest(TASK)


def test_where_the_starts_lie_is_not_in_the_digest() -> None:
    elsewhere = replace(TASK, mission=replace(MISSION, starts="/elsewhere/104.npz"))
    assert task_digest(elsewhere) == task_digest(TASK)


def test_a_scale_is_what_labels_are_made_with_not_where_it_comes_from() -> None:
    event = EventCalibration(0.1, 0.3, (-20.0, 50.0, 70.0), "m")
    one = Calibration(TASK.id, "1-7", {"carry": event}, {"seed": 0})
    assert scales_of({"1-7": one, "1-2": None}) == {
        "1-7": {
            "carry": {
                "raw_at_0": 0.1,
                "raw_at_100": 0.3,
                "cuts": [-20.0, 50.0, 70.0],
                "unit": "m",
            }
        },
        "1-2": None,
    }
    assert scales_of({"1-7": replace(one, source={"seed": 1})}) == scales_of({"1-7": one})
