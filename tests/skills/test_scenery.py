import mujoco
import numpy as np
import pytest

from perm.sim.env import SimEnv
from perm.sim.starts import start_of
from perm.skills.scenery import Scenery

from ..sim.scenes import scene, task

pytestmark = pytest.mark.sim

STACKING = task("unseen/073")
LEFT, RIGHT = "akita_black_bowl_1", "akita_black_bowl_2"


@pytest.fixture
def env() -> SimEnv:
    """Two bowls and a tray on the floor."""
    env = scene("073")
    env.begin(start_of(STACKING.mission, 30, env))
    return env


def lift_into(env: SimEnv, name: str, other: str, up: float) -> None:
    """Put an object over another one, so much higher than it stands [m]."""
    joint, place = (env.model.joint(env.blueprint.entities[n].joints[-1]) for n in (name, other))
    address, there = joint.qposadr[0], place.qposadr[0]
    env.data.qpos[address : address + 3] = env.data.qpos[there : there + 3] + np.array([0, 0, up])
    mujoco.mj_kinematics(env.model, env.data)


def test_side_by_side_nothing_lies_in_another(env: SimEnv) -> None:
    assert list(Scenery(env).contents(LEFT)) == []


def test_what_was_put_into_a_bowl_is_in_it_and_not_the_other_way_round(env: SimEnv) -> None:
    lift_into(env, LEFT, RIGHT, 0.02)
    assert list(Scenery(env).contents(RIGHT)) == [LEFT]
    assert list(Scenery(env).contents(LEFT)) == []


def test_under_the_shelf_one_lands_on_the_table() -> None:
    under = task("unseen/052")
    env = scene("052")
    env.begin(start_of(under.mission, 30, env))
    scenery = Scenery(env)
    (_, surface), *_ = scenery.landings("wooden_two_layer_shelf_1_bottom_region")
    assert surface == scenery.support_z
