import mujoco
import numpy as np
import pytest

from perm.core.geometry import rotation_from_vector
from perm.sim.arm import GOOD_POSITION, GOOD_ROTATION, LIMIT_ROOM, Arm, arm_of, hand_at, reach
from perm.sim.env import SimEnv
from perm.sim.starts import start_of

from .scenes import scene, task

pytestmark = pytest.mark.sim

EVEN = np.eye(7)


@pytest.fixture
def env() -> SimEnv:
    env = scene("104")
    env.begin(start_of(task("1-7_104").mission, 41, env))
    return env


@pytest.fixture
def arm(env: SimEnv) -> Arm:
    return arm_of(env)


def test_the_hand_and_its_jacobian_are_mujocos(env: SimEnv, arm: Arm) -> None:
    model, data = env.model, mujoco.MjData(env.model)
    data.qpos[:] = env.data.qpos
    linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    site = model.site(env.blueprint.arm.grip_site).id
    rng = np.random.default_rng(0)
    for _ in range(20):
        joints = rng.uniform(arm.low, arm.high)
        data.qpos[:7] = joints
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_jacSite(model, data, linear, angular, site)
        pos, rotation, jacobian = hand_at(arm, joints)
        assert np.abs(pos - data.site_xpos[site]).max() < 1e-12
        assert np.abs(rotation - data.site_xmat[site].reshape(3, 3)).max() < 1e-12
        assert np.abs(jacobian - np.vstack([linear, angular])[:, :7]).max() < 1e-12


def test_joints_found_for_a_pose_bring_the_hand_there(arm: Arm) -> None:
    pos, rotation, _ = hand_at(arm, arm.rest)
    goal = pos + np.array([0.04, -0.05, -0.03])
    turned = rotation_from_vector(np.array([0.1, 0.0, 0.2])) @ rotation
    joints, reached, dexterity = reach(arm, goal, turned, arm.rest, EVEN)
    there, rotation, jacobian = hand_at(arm, joints)
    assert reached
    assert np.linalg.norm(there - goal) < GOOD_POSITION
    assert np.abs(rotation - turned).max() < GOOD_ROTATION
    assert dexterity == pytest.approx(np.linalg.svd(jacobian)[1][-1], abs=1e-6)


def test_what_is_too_far_away_is_told_and_no_joint_leaves_its_limits(arm: Arm) -> None:
    pos, rotation, _ = hand_at(arm, arm.rest)
    joints, reached, _ = reach(arm, pos + np.array([1.5, 0.0, 0.0]), rotation, arm.rest, EVEN)
    assert not reached
    assert (joints >= arm.low + LIMIT_ROOM - 1e-12).all()
    assert (joints <= arm.high - LIMIT_ROOM + 1e-12).all()
