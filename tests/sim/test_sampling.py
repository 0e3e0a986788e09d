from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from perm.bddl.read import read_layout
from perm.core.mission import Goal, Mission
from perm.sim.env import SimEnv
from perm.sim.placement import place_scene
from perm.sim.sampling import Sampler
from perm.sim.settling import settle_scene
from perm.sim.stock import StockEnv
from perm.suites.paths import libero_bddl_folder

from .scenes import task

pytestmark = pytest.mark.sim

PICK = "pick_up_the_black_bowl_in_the_top_drawer_of_the_wooden_cabinet_and_place_it_on_the_plate"
IN_DRAWER = Path("libero_spatial") / f"{PICK}.bddl"
OPEN = (
    Path("libero_10")
    / "KITCHEN_SCENE4_put_the_black_bowl_in_the_bottom_drawer_of_the_cabinet_and_close_it.bddl"
)
MICROWAVE = Path("libero_90") / "KITCHEN_SCENE7_open_the_microwave.bddl"


def mission_of(path: Path) -> Mission:
    layout = read_layout(libero_bddl_folder() / path)
    known = task("1-7_104").mission
    return replace(known, layout=layout, goal=Goal((layout.goal,)), init_states=None, starts=None)


def test_the_same_seed_gives_the_same_placement_whatever_was_drawn_before() -> None:
    sampler = Sampler(mission_of(IN_DRAWER).layout)
    first = sampler.sample(3)
    other = sampler.sample(4)
    again = sampler.sample(3)
    for name, (pos, quat) in first.objects.items():
        assert np.array_equal(again.objects[name][0], pos)
        assert np.array_equal(again.objects[name][1], quat)
    assert first.joints == again.joints
    assert first.joints != other.joints
    sampler.close()


@pytest.mark.parametrize("path", [IN_DRAWER, OPEN, MICROWAVE])
def test_a_placement_is_that_of_liberos_own_reset(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LIBERO moves the robot first and then samples: from there on both draw the same numbers."""
    from robosuite.environments.robot_env import RobotEnv

    seed, reset = 7, RobotEnv._reset_internal

    def reset_and_seed(env: RobotEnv) -> None:
        reset(env)
        np.random.seed(seed)  # noqa: NPY002 - LIBERO knows no other generator

    layout = mission_of(path).layout
    stock, sampler = StockEnv(layout), Sampler(layout)
    monkeypatch.setattr(RobotEnv, "_reset_internal", reset_and_seed)
    stock.scene.object_property_initializers.clear()  # LIBERO adds them again at each reset
    stock.scene.reset()
    placement = sampler.sample(seed)
    model, data = stock.scene.sim.model._model, stock.scene.sim.data._data
    for name, (pos, quat) in placement.fixtures.items():
        body = model.body(stock.blueprint.entities[name].root_body)
        assert np.array_equal(body.pos, pos), name
        assert np.array_equal(body.quat, quat), name
    for name, pose in placement.objects.items():
        joint = stock.blueprint.entities[name].joints[-1]
        assert np.array_equal(data.joint(joint).qpos, np.concatenate(pose)), name
    for joint, position in placement.joints.items():
        assert data.joint(joint).qpos[0] == position, joint
    assert placement.fixtures
    assert placement.objects
    stock.close()
    sampler.close()


def test_what_init_puts_in_a_drawer_and_on_a_cabinet_comes_to_rest_there() -> None:
    mission = mission_of(IN_DRAWER)
    env = SimEnv(mission.layout)
    for index in range(3):
        place_scene(mission, index, env, 0)
        settle_scene(env, mission)
        assert env.holds(("in", "akita_black_bowl_1", "wooden_cabinet_1_top_region"))
        assert env.holds(("on", "akita_black_bowl_2", "wooden_cabinet_1_top_side"))
        assert env.holds(("open", "wooden_cabinet_1_top_region"))
    env.close()


def test_what_init_opens_is_open() -> None:
    mission = mission_of(OPEN)
    env = SimEnv(mission.layout)
    place_scene(mission, 0, env, 0)
    assert env.holds(("open", "white_cabinet_1_bottom_region"))
    assert not env.holds(("open", "white_cabinet_1_top_region"))
    assert settle_scene(env, mission) == ""
    env.close()
