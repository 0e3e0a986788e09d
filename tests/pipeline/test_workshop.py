from dataclasses import replace

import numpy as np
import pytest

from perm.core.episode import Episode, EpisodeId, Outcome
from perm.core.mission import SkillCall, SubtaskPlan
from perm.core.satisfaction import SatisfactionScore
from perm.core.task import Task
from perm.core.trace import RegionFacts
from perm.pipeline.workshop import MAX_ATTEMPTS, Order, why_failed, why_rejected
from perm.suites.library import load_library

from ..metrics.traces import Script

LIBRARY = load_library()
TASK = LIBRARY.find_task("1-7_104")
TWIN = LIBRARY.find_task("1-7_104.nopref")
BOWL, PLATE, BOTTLE = "akita_black_bowl_1", "plate_1", "wine_bottle_1"


def episode(bottle_moves_to: float = 0.2, **changes) -> Episode:
    script = Script({BOWL: (0, 0, 0.9), PLATE: (0.1, 0, 0.9), BOTTLE: (-0.2, 0.2, 0.9)})
    script.wait(3)
    script.put(BOTTLE, -0.2, bottle_moves_to, 0.9)
    settled = Episode(
        identity=EpisodeId(TASK.id, 0, 0),
        prompt=TASK.prompt,
        policy="expert",
        outcome=Outcome.SUCCESS,
        stop="settled",
        success_any=True,
        success_end=True,
        success_settled=True,
        trace=script.trace,
    )
    return replace(settled, **changes)


def score(label: float | None) -> tuple[SatisfactionScore, ...]:
    return (SatisfactionScore("1-7", 0.3, "m", None, label),)


def order(task: Task = TASK, index: int = 3) -> Order:
    return Order(task, index, seed=0, purpose="demo", init_indices=(5, 6, 7, 8), calibrations={})


def test_an_attempt_that_settled_and_kept_the_preference_is_good() -> None:
    assert why_rejected(TASK, episode(), score(1.0)) == ""
    assert why_rejected(TWIN, episode(), score(0.25)) == ""
    assert why_rejected(TASK, episode(), score(None)) == ""


@pytest.mark.parametrize("label", [0.0, 0.25, 0.75])
def test_a_demonstration_that_does_not_keep_its_preference_is_rejected(label: float) -> None:
    assert why_rejected(TASK, episode(), score(label)) == "preference 1-7 not kept"


def test_a_preference_that_was_not_kept_is_no_failure_of_the_task() -> None:
    assert why_rejected(TASK, episode(), score(0.0)) == "preference 1-7 not kept"
    assert why_failed(TASK, episode()) == ""
    assert why_failed(TASK, episode(bottle_moves_to=0.206)) == f"moved {BOTTLE}"
    assert why_failed(TASK, episode(success_settled=False, stop="step limit")) == "step limit"


def test_where_only_the_end_counts_it_may_go_on_after_it_settled() -> None:
    final = replace(TASK, mission=replace(TASK.mission, goal_is_final=True))
    went_on = replace(episode(), stop="after success")
    assert why_failed(final, went_on) == ""
    assert why_failed(TASK, went_on) == "after success"
    assert why_failed(final, replace(went_on, success_end=False)) == "after success"


@pytest.mark.parametrize("label", [0.75, 1.0])
def test_a_twin_that_keeps_the_preference_by_chance_is_rejected(label: float) -> None:
    assert why_rejected(TWIN, episode(), score(label)) == "preference 1-7 kept by chance"


def test_success_without_settling_is_rejected_with_how_it_ended() -> None:
    unsettled = episode(success_settled=False, stop="after success")
    assert why_rejected(TASK, unsettled, score(1.0)) == "after success"


def test_what_broke_is_rejected_with_what_broke() -> None:
    broken = episode(outcome=Outcome.ERROR, error="ValueError: x", trace=None)
    assert why_rejected(TASK, broken, ()) == "error: ValueError: x"


def test_knocking_something_else_over_is_rejected_but_the_plans_objects_may_move() -> None:
    assert why_rejected(TASK, episode(bottle_moves_to=0.206), score(1.0)) == f"moved {BOTTLE}"
    assert why_rejected(TASK, episode(bottle_moves_to=0.204), score(1.0)) == ""


def test_the_owner_of_a_region_may_move_and_a_namesake_may_not() -> None:
    names = {"plate_1": (0, 0, 0.9), "plate_10": (0.3, 0, 0.9)}
    region = RegionFacts(np.zeros(3), np.eye(4)[0], np.ones(3), parent="plate_10")
    plan = SubtaskPlan((SkillCall("place_on", BOWL, "plate_10_top"),))

    def moved(name: str) -> str:
        script = Script(names, regions={"plate_10_top": region})
        script.put(name, 0.5, 0, 0.9)
        return why_rejected(replace(TASK, plan=plan), episode(trace=script.trace), ())

    assert moved("plate_10") == ""
    assert moved("plate_1") == "moved plate_1"


def test_every_attempt_starts_alike_and_draws_another_seed() -> None:
    identities = [order().identity(attempt) for attempt in range(MAX_ATTEMPTS)]
    assert len({identity.seed for identity in identities}) == 12
    assert {identity.init_index for identity in identities} == {8}
    assert order(index=5).identity(0).init_index == 6


def test_demonstration_k_and_that_of_the_twin_start_alike_whatever_was_rejected() -> None:
    with_preference, without = order().identity(0), order(TWIN).identity(11)
    assert with_preference.init_index == without.init_index
    assert order(TWIN).identity(0).seed == with_preference.seed
    assert (with_preference.task_id, without.task_id) == (TASK.id, TWIN.id)
