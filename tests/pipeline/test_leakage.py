from dataclasses import replace

import pytest

from perm.data.trial import Reading, Trial
from perm.metrics.calibration import MATCH
from perm.pipeline.leakage import ENOUGH, Leak, leaks, plain_tasks
from perm.suites.library import load_library

LIBRARY = load_library()


def test_one_plain_scene_stands_for_every_task_in_it() -> None:
    names = ["single/1-4_034", "single/1-5_034", "single/2-13_034", "conflict/pp4_pick_lr_034__P1"]
    (plain,), known = plain_tasks([LIBRARY.tasks[name] for name in names], LIBRARY)
    assert plain.condition == ()
    assert [preference.id for preference in plain.measured] == [
        "single/1-4_034 1-4",
        "single/1-5_034 1-5",
        "single/2-13_034 2-13",
        "conflict/pp4_pick_lr_034 2-13",
        "conflict/pp4_pick_lr_034 2-1",
    ]
    own = LIBRARY.calibrations["single/1-5_034", "1-5"]
    assert known.calibration(plain, plain.measured[1]) == own


def test_scenes_and_plain_plans_are_kept_apart() -> None:
    names = ["single/3-12_060_1", "single/3-14_060_3", "single/1-7_104"]
    plain, _ = plain_tasks([LIBRARY.tasks[name] for name in names], LIBRARY)
    assert [task.mission.id for task in plain] == ["060_1", "060_3", "104"]


def test_a_task_without_a_twin_is_left_out() -> None:
    assert plain_tasks([LIBRARY.tasks["single/2-8_ood3"]], LIBRARY)[0] == ()


def trials(labels: list[float | None], failures: int = 0) -> list[Trial]:
    name = "single/3-2_081_1"
    trial = Trial(f"{name}.nopref", 0, 30, 0, True, "", "", 100, 1.0, 0.1, {})
    found = [
        replace(trial, readings={f"{name} 3-2": Reading("choice", 0.0, "match", label, MATCH)})
        for label in labels
    ]
    failed = replace(found[0], success=False, cause="step limit", kind="place")
    return [*found, *[failed] * failures]


@pytest.mark.parametrize(
    ("labels", "kept", "verdict"),
    [
        ([0.0] * ENOUGH, 0, "sound"),
        ([0.0] * 38 + [1.0] * 2, 2, "sound"),
        ([0.0] * 37 + [0.75] * 3, 3, "leaks"),
        ([0.25] * 39 + [None], 0, "not measured: 39 of 40"),
    ],
)
def test_a_task_leaks_if_more_than_one_in_twenty_keep_it_by_chance(
    labels: list[float | None], kept: int, verdict: str
) -> None:
    plain, _ = plain_tasks([LIBRARY.tasks["single/3-2_081_1"]], LIBRARY)
    (leak,) = leaks(plain, trials(labels, failures=5))
    assert (leak.group, leak.preference) == ("single/3-2_081_1", "3-2")
    assert (leak.kept, leak.verdict) == (kept, verdict)


def test_nothing_measured_is_no_share() -> None:
    assert Leak("g", "p", 0, 0).share is None
    assert Leak("g", "p", 40, 2).share == 0.05
