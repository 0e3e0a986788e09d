from dataclasses import replace

import numpy as np
import pytest

from perm.bddl.read import read_layout
from perm.core.conventions import hold_action
from perm.core.errors import PermError
from perm.core.layout import Entity
from perm.core.task import Goal
from perm.sim.env import SimEnv
from perm.sim.predicates import holds, reached
from perm.sim.starts import start_of
from perm.suites.paths import libero_bddl_folder

from .scenes import scene, task

pytestmark = pytest.mark.sim

BOWL_ON_PLATE = ("on", "akita_black_bowl_1", "plate_1")


def put(env, name: str, pos) -> None:
    joint = env.model.joint(env.scene.objects_dict[name].joints[-1])
    env.data.qpos[joint.qposadr[0] : joint.qposadr[0] + 3] = pos
    env.scene.sim.forward()


def test_one_alternative_of_a_goal_is_enough() -> None:
    env, mission = scene("019_1"), task("3-3_019_1").mission
    env.begin(start_of(mission, 0, env))
    assert not reached(env.scene, mission.goal)
    plate = env.data.xpos[env.scene.obj_body_id["yellow_plate_1"]]
    put(env, "akita_black_bowl_1", plate + np.array([0, 0, 0.01]))
    for _ in range(10):
        env.step(hold_action())
    assert holds(env.scene, ("on", "akita_black_bowl_1", "yellow_plate_1"))
    assert not holds(env.scene, BOWL_ON_PLATE)
    assert reached(env.scene, mission.goal)
    assert not reached(env.scene, Goal((mission.layout.goal,)))


def test_asking_whether_the_stove_is_on_does_not_light_it() -> None:
    layout = read_layout(libero_bddl_folder() / "libero_goal/turn_on_the_stove.bddl")
    env = SimEnv(layout)
    knob = env.model.joint("flat_stove_1_button").qposadr[0]
    env.data.qpos[knob] = 1.0
    env.scene.sim.forward()
    colours = env.model.site_rgba.copy()
    assert holds(env.scene, ("turnon", "flat_stove_1"))
    assert (env.model.site_rgba == colours).all()


def test_an_atom_about_something_else_is_refused() -> None:
    env = scene("104")
    with pytest.raises(PermError, match=r"no state is kept of 'cup_1'\. Known: akita"):
        holds(env.scene, ("on", "cup_1", "plate_1"))


def test_an_unknown_category_is_refused_before_anything_is_built() -> None:
    layout = task("1-7_104").mission.layout
    objects = (*layout.objects[:-1], Entity("plate_1", "plait"))
    with pytest.raises(
        PermError, match=r"Unknown category of plate_1 'plait'\. Did you mean plate"
    ):
        SimEnv(replace(layout, objects=objects))
