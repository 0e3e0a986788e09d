import numpy as np
import pytest

from perm.core.mission import SkillCall
from perm.sim.load import Load
from perm.sim.rehearsal import Rehearsal
from perm.sim.starts import start_of
from perm.skills.actor import Actor
from perm.skills.care import PlanningError
from perm.skills.execution import perform
from perm.skills.rehearsing import choose
from perm.skills.style import PickStyle, Style

from ..sim.scenes import scene, task

pytestmark = pytest.mark.sim

TASK = task("1-7_104")
BOWL = "akita_black_bowl_1"


def actor(style: Style) -> Actor:
    env = scene("104")
    env.begin(start_of(TASK.mission, 41, env))
    return Actor.of(env, style, seed=1)


def test_a_call_ends_with_the_arm_where_it_was_rehearsed_to_end() -> None:
    doing, calls = actor(Style()), TASK.plain_plan.calls
    for number in range(len(calls)):
        rehearsed = choose(doing, calls[number : number + 2], doing.now())
        for action in perform(doing, calls[number], rehearsed):
            scene("104").step(action)
        assert np.abs(doing.now().joints - rehearsed.end.joints).max() < 0.05


def test_what_is_put_down_lies_where_it_was_rehearsed_to_lie() -> None:
    doing, calls = actor(Style()), TASK.plain_plan.calls
    for number in range(len(calls)):
        rehearsed = choose(doing, calls[number : number + 2], doing.now())
        for action in perform(doing, calls[number], rehearsed):
            scene("104").step(action)
    ((name, pos, _),) = rehearsed.end.moved
    assert name == BOWL
    assert doing.scenery.pose(BOWL)[0] == pytest.approx(pos, abs=0.02)


def test_to_choose_moves_nothing() -> None:
    doing = actor(Style())
    before = scene("104").state
    choose(doing, TASK.plain_plan.calls, doing.now())
    assert np.array_equal(scene("104").state, before)


def test_the_same_seed_chooses_the_same() -> None:
    first, again = (
        choose(doing, TASK.plain_plan.calls, doing.now())
        for doing in (actor(Style()) for _ in range(2))
    )
    assert len(first.legs) == len(again.legs)
    for one, other in zip(first.legs, again.legs, strict=True):
        assert (one.path is None) == (other.path is None)
        if one.path is not None and other.path is not None:
            assert np.array_equal(one.path.pos, other.path.pos)


def test_what_has_no_handle_cannot_be_taken_by_it() -> None:
    doing = actor(Style(pick=PickStyle(at="handle")))
    with pytest.raises(PlanningError, match=r"^offers no place for the hand$"):
        choose(doing, [SkillCall("pick", BOWL)], doing.now())


def test_a_way_down_that_is_free_is_so_for_a_rehearsal_that_was_asked_nothing_before() -> None:
    soup = task("1-1_004")
    env = scene("004")
    env.begin(start_of(soup.mission, 4, env))
    doing, calls = Actor.of(env, Style(), seed=1), soup.plan.calls
    for action in perform(doing, calls[0], choose(doing, calls[:2], doing.now())):
        env.step(action)
    now = doing.now()
    rehearsed = choose(doing, calls[1:2], now)
    way, load = rehearsed.legs[1].path, doing.load(now, calls[1])
    assert way is not None
    reach = Rehearsal(env).follow(way, rehearsed.end.joints, load)
    assert reach.problem == ""


def test_on_their_way_the_fingers_go_round_what_they_come_to_take() -> None:
    laid = task("2-14_072")
    env = scene("072")
    env.begin(start_of(laid.mission, 5, env))
    sideways = Style(pick=PickStyle(tilt=1.45, least_tilt=0.9))
    doing, calls = Actor.of(env, sideways, seed=1), laid.plan.calls
    way = choose(doing, calls[:1], doing.now()).legs[0].path
    assert way is not None
    assert Rehearsal(env).follow(way, doing.now().joints, Load()).problem == ""
