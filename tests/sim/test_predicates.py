from dataclasses import replace

import mujoco
import numpy as np
import pytest

from perm.core.conventions import hold_action
from perm.core.errors import PermError
from perm.core.layout import Entity
from perm.core.mission import Goal
from perm.sim.env import SimEnv
from perm.sim.starts import start_of

from .scenes import scene, task

pytestmark = pytest.mark.sim

BOWL_ON_PLATE = ("on", "akita_black_bowl_1", "plate_1")


def put(env, joint: str, position) -> None:
    """Set the first coordinates of a joint."""
    position = np.atleast_1d(position)
    env.data.joint(joint).qpos[: len(position)] = position
    mujoco.mj_forward(env.model, env.data)


def joint_of(env, name: str) -> str:
    return env.blueprint.entities[name].joints[-1]


def test_one_alternative_of_a_goal_is_enough() -> None:
    env, mission = scene("019_1"), task("3-3_019_1").mission
    env.begin(start_of(mission, 0, env))
    assert not env.reached(mission.goal)
    plate = env.data.body(env.blueprint.entities["yellow_plate_1"].root_body).xpos
    put(env, joint_of(env, "akita_black_bowl_1"), plate + np.array([0, 0, 0.01]))
    for _ in range(10):
        env.step(hold_action())
    assert env.holds(("on", "akita_black_bowl_1", "yellow_plate_1"))
    assert not env.holds(BOWL_ON_PLATE)
    assert env.reached(mission.goal)
    assert not env.reached(Goal((mission.layout.goal,)))
    there, elsewhere = ("on", "akita_black_bowl_1", "yellow_plate_1"), BOWL_ON_PLATE
    assert not env.reached(Goal(mission.goal.any_of, none_of=((there,),)))
    assert env.reached(Goal(mission.goal.any_of, none_of=((there, elsewhere),)))


@pytest.mark.parametrize(
    ("angle", "on", "off"), [(0.5, True, False), (0.499, False, False), (-0.001, False, True)]
)
def test_a_stove_is_turned_on_from_half_a_radian_and_off_only_below_zero(
    angle: float, on: bool, off: bool
) -> None:
    env = scene("104")
    put(env, "flat_stove_1_button", angle)
    assert env.holds(("turnon", "flat_stove_1")) is on
    assert env.holds(("turnoff", "flat_stove_1")) is off


def test_asking_changes_nothing() -> None:
    env, mission = scene("104"), task("1-7_104").mission
    env.begin(start_of(mission, 0, env))
    put(env, "flat_stove_1_button", 1.0)
    before = env.state, env.model.site_rgba.copy(), env.data.qacc_warmstart.copy()
    assert env.holds(("turnon", "flat_stove_1"))
    assert not env.holds(("up", "plate_1"))
    after = env.state, env.model.site_rgba, env.data.qacc_warmstart
    assert all(map(np.array_equal, before, after))


def test_an_atom_about_something_else_is_refused() -> None:
    with pytest.raises(PermError, match=r"no state is kept of 'cup_1'\. Known: akita"):
        scene("104").holds(("on", "cup_1", "plate_1"))


def test_a_predicate_that_libero_does_not_define_is_refused() -> None:
    with pytest.raises(PermError, match="LIBERO defines no 'open' for it"):
        scene("104").holds(("open", "plate_1"))


def test_inside_an_object_that_is_no_region_is_refused() -> None:
    with pytest.raises(PermError, match="only regions have an inside"):
        scene("104").holds(("in", "akita_black_bowl_1", "plate_1"))


def test_an_unknown_category_is_refused_before_anything_is_built() -> None:
    layout = task("1-7_104").mission.layout
    objects = (*layout.objects[:-1], Entity("plate_1", "plait"))
    with pytest.raises(
        PermError, match=r"Unknown category of plate_1 'plait'\. Did you mean plate"
    ):
        SimEnv(replace(layout, objects=objects))
