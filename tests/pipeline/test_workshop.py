from dataclasses import replace

import pytest

from perm.core.episode import Episode, EpisodeId, Outcome
from perm.core.satisfaction import SatisfactionScore
from perm.core.task import Task
from perm.pipeline.workshop import ATTEMPTS_PER_START, Order, why_rejected
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
    assert why_rejected(TASK, episode(bottle_moves_to=0.22), score(1.0)) == f"moved {BOTTLE}"
    assert why_rejected(TASK, episode(bottle_moves_to=0.205), score(1.0)) == ""


def test_attempts_draw_other_seeds_and_after_some_another_start() -> None:
    identities = [order().identity(attempt) for attempt in range(2 * ATTEMPTS_PER_START)]
    assert len({identity.seed for identity in identities}) == len(identities)
    assert [i.init_index for i in identities[:ATTEMPTS_PER_START]] == [8] * ATTEMPTS_PER_START
    assert [i.init_index for i in identities[ATTEMPTS_PER_START:]] == [5] * ATTEMPTS_PER_START


def test_a_twin_starts_like_its_task_and_draws_the_same() -> None:
    with_preference, without = order().identity(0), order(TWIN).identity(0)
    assert with_preference.init_index == without.init_index
    assert with_preference.seed == without.seed
    assert (with_preference.task_id, without.task_id) == (TASK.id, TWIN.id)
