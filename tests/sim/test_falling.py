import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.sim.bodies import body_pose, entity_boxes
from perm.sim.env import SimEnv
from perm.sim.falling import Falling
from perm.sim.load import Held, Load
from perm.sim.starts import start_of

from .scenes import scene, task

pytestmark = pytest.mark.sim

TASK = task("1-7_104")
BOWL, CABINET = "akita_black_bowl_1", "wooden_cabinet_1"
HELD = Load(Held(BOWL, np.zeros(3), np.eye(3)))


@pytest.fixture
def env() -> SimEnv:
    """A bowl, a plate, a cabinet and more on a table."""
    env = scene("104")
    env.begin(start_of(TASK.mission, 41, env))
    return env


def lean(rotation: FloatArray) -> float:
    return float(np.arccos(min(1.0, rotation[2, 2])))


def test_what_falls_5_cm_lies_where_it_stood(env: SimEnv) -> None:
    pos, rotation = body_pose(env, BOWL)
    rest, turned = Falling(env).rest(pos + np.array([0.0, 0.0, 0.05]), rotation, HELD)
    assert rest == pytest.approx(pos, abs=1e-3)
    assert lean(turned) < 0.01


def test_what_is_thrown_lands_farther_on(env: SimEnv) -> None:
    pos, rotation = body_pose(env, BOWL)
    high = pos + np.array([0.0, 0.0, 0.10])
    rest, _ = Falling(env).rest(high, rotation, HELD, np.array([0.2, 0.0, 0.0]))
    flight = 0.2 * np.sqrt(2 * 0.10 / 9.81)
    assert rest[0] - pos[0] > flight - 0.005


def test_what_is_let_go_over_an_edge_leans_on_it(env: SimEnv) -> None:
    corners = entity_boxes(env, CABINET).corners
    edge = np.array([corners[:, 0].max(), corners[:, 1].mean(), corners[:, 2].max()])
    rest, turned = Falling(env).rest(edge + np.array([0.02, 0.0, 0.0]), np.eye(3), HELD)
    assert rest[2] < edge[2] - 0.1 or lean(turned) > 0.2


def test_nothing_in_the_scene_moves(env: SimEnv) -> None:
    before = env.state
    Falling(env).rest(np.array([0.0, 0.0, 1.2]), np.eye(3), HELD)
    assert np.array_equal(env.state, before)


def test_the_same_fall_ends_the_same_whatever_fell_before(env: SimEnv) -> None:
    pos, rotation = body_pose(env, BOWL)
    falling = Falling(env)
    high = pos + np.array([0.01, 0.0, 0.08])
    first = falling.rest(high, rotation, HELD)
    falling.rest(pos + np.array([0.2, 0.1, 0.3]), rotation, HELD, np.array([0.3, 0.0, 0.0]))
    again = falling.rest(high, rotation, HELD)
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])
