from dataclasses import replace

import pytest

from perm.core.episode import Episode, EpisodeId, Outcome
from perm.core.mission import SkillCall, SubtaskPlan
from perm.pipeline.trials_failure import kind_of
from perm.suites.library import load_library

from ..metrics.traces import Script

TASK = load_library().find_task("1-7_104")
BOWL, PLATE = "akita_black_bowl_1", "plate_1"


def script() -> Script:
    """The hand is over the bowl."""
    return Script({BOWL: (0, 0, 0.9), PLATE: (0.2, 0, 0.9)}).move(0, 0, 0.92)


def ended(played: Script, stop: str = "step limit") -> Episode:
    return Episode(
        identity=EpisodeId(TASK.id, 30, 0),
        prompt=TASK.prompt,
        policy="expert",
        outcome=Outcome.FAILURE,
        stop=stop,
        trace=played.trace,
    )


@pytest.mark.parametrize(
    ("stop", "kind"),
    [
        ("gave up: plan: goal in collision", "plan"),
        ("gave up: grasp: empty hand", "grasp"),
        ("gave up: slip: the bowl is gone", "slip"),
        ("gave up: place: no room", "place"),
        ("gave up: tracking: too far from the path", "other"),
    ],
)
def test_the_expert_says_itself_why_it_gave_up(stop: str, kind: str) -> None:
    assert kind_of(TASK, ended(script(), stop)) == kind


def test_what_broke_is_something_else() -> None:
    broken = replace(ended(script()), outcome=Outcome.ERROR, trace=None, error="ValueError: x")
    assert kind_of(TASK, broken) == "other"


def test_a_success_that_moved_something_else_is_a_knock() -> None:
    assert kind_of(TASK, replace(ended(script()), stop="settled")) == "knock"


def test_never_holding_what_the_plan_picks_is_a_grasp() -> None:
    assert kind_of(TASK, ended(script().wait(20))) == "grasp"


def test_holding_something_that_the_plan_does_not_move_is_a_grasp() -> None:
    bottle = Script({BOWL: (0, 0, 0.9), "wine_bottle_1": (0.2, 0, 0.9)})
    assert kind_of(TASK, ended(bottle.grip("wine_bottle_1").let_go())) == "grasp"


def test_fingers_that_close_on_nothing_have_lost_it() -> None:
    carried = script().grip(BOWL).move(0, 0, 1.1)
    assert kind_of(TASK, ended(carried.slip().open())) == "slip"


def test_fingers_that_open_have_placed_it_wrong() -> None:
    carried = script().grip(BOWL).move(0, 0, 1.1)
    assert kind_of(TASK, ended(carried.let_go())) == "place"


def test_what_is_still_held_was_never_placed() -> None:
    assert kind_of(TASK, ended(script().grip(BOWL).move(0, 0, 1.1))) == "place"


def test_a_push_that_did_not_get_there_is_no_grasp() -> None:
    push = replace(TASK, plan=SubtaskPlan((SkillCall("push", BOWL, "left"),)))
    assert kind_of(push, ended(script().wait(20))) == "place"
