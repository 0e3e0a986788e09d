from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.core.conventions import GRIPPER_CLOSE, GRIPPER_OPEN, hold_action
from perm.core.errors import PermError
from perm.sim.starts import start_of
from perm.sim.stock import StockEnv

from .scenes import scene, task

pytestmark = pytest.mark.sim


def random_actions(n: int, seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    actions = rng.uniform(-1, 1, (n, 7))
    actions[:, 2] -= 0.3  # downwards, into the objects
    return np.clip(actions, -1, 1)


def play(env, start, actions):
    env.begin(start)
    states = [env.state]
    for action in actions:
        env.step(action)
        states.append(env.state)
    return np.array(states)


def test_the_same_start_and_actions_give_the_same_bits_whatever_ran_before() -> None:
    env, mission = scene("104"), task("1-7_104").mission
    first, other = start_of(mission, 3, env), start_of(mission, 8, env)
    actions = random_actions(40)
    once = play(env, first, actions)
    play(env, other, random_actions(15, seed=1))
    env.observe(image_size=64)
    assert np.array_equal(play(env, first, actions), once)


def test_steps_are_bit_for_bit_those_of_liberos_own_control_env() -> None:
    env, mission = scene("104"), task("1-7_104").mission
    start = start_of(mission, 0, env)
    actions = random_actions(25)
    ours = play(env, start, actions)
    stock = StockEnv(mission.layout)
    assert np.array_equal(play(stock, start, actions), ours)


def test_minus_one_opens_the_gripper_and_plus_one_closes_it() -> None:
    env, mission = scene("104"), task("1-7_104").mission
    env.begin(start_of(mission, 0, env))
    for _ in range(12):
        env.step(hold_action(GRIPPER_OPEN))
    opened = env.gripper_width
    for _ in range(20):
        env.step(hold_action(GRIPPER_CLOSE))
    assert opened > 0.075
    assert env.gripper_width < 0.01


@pytest.mark.parametrize(("entry", "axis"), [(0, 0), (1, 1), (2, 2)])
def test_the_first_entries_of_an_action_move_the_hand_along_the_worlds_axes(
    entry: int, axis: int
) -> None:
    env, mission = scene("104"), task("1-7_104").mission
    env.begin(start_of(mission, 0, env))
    before = env.ee_pos
    action = hold_action()
    action[entry] = 0.5
    for _ in range(10):
        env.step(action)
    moved = env.ee_pos - before
    assert moved[axis] > 0.03
    assert np.abs(np.delete(moved, axis)).max() < 0.01


def test_observations_carry_liberos_names_and_the_hands_position() -> None:
    env, mission = scene("104"), task("1-7_104").mission
    env.begin(start_of(mission, 0, env))
    obs = env.observe()
    assert {name: value.shape for name, value in obs.items()} == {
        "robot0_eef_pos": (3,),
        "robot0_eef_quat": (4,),
        "robot0_gripper_qpos": (2,),
        "robot0_joint_pos": (7,),
    }
    assert obs["robot0_eef_pos"] == pytest.approx(env.ee_pos)


@pytest.mark.parametrize("action", [np.zeros(8), np.zeros((1, 7)), np.full(7, np.nan)])
def test_an_action_of_another_form_is_refused(action: FloatArray) -> None:
    env, mission = scene("104"), task("1-7_104").mission
    env.begin(start_of(mission, 0, env))
    with pytest.raises(PermError, match="An action is 7 finite numbers"):
        env.step(action)


def test_a_start_of_another_layout_is_refused() -> None:
    env, mission = scene("104"), task("1-7_104").mission
    start = start_of(mission, 0, env)
    with pytest.raises(PermError, match="This start belongs to layout"):
        env.begin(replace(start, layout_digest="0" * 64))


def test_a_start_with_objects_in_another_order_is_refused() -> None:
    env, mission = scene("104"), task("1-7_104").mission
    start = start_of(mission, 0, env)
    joints = (*start.joints[:-2], start.joints[-1], start.joints[-2])
    with pytest.raises(PermError, match="joints are not the scene's"):
        env.begin(replace(start, joints=joints))


def test_a_start_with_numbers_of_one_more_object_is_refused() -> None:
    env, mission = scene("104"), task("1-7_104").mission
    start = start_of(mission, 0, env)
    with pytest.raises(PermError, match="numbers instead of"):
        env.begin(replace(start, state=np.append(start.state, np.zeros(13))))


def test_a_scene_that_flies_apart_is_an_error_and_not_a_reset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it stands
    env, mission = scene("104"), task("1-7_104").mission
    env.begin(start_of(mission, 0, env))
    env.data.qvel[-1] = 1e11
    with pytest.raises(PermError, match=r"unstable at wine_bottle_1_joint0|unstable at .*: MuJoCo"):
        env.step(hold_action())
    env.begin(start_of(mission, 0, env))
    env.step(hold_action())
