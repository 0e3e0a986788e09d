"""Puts fixtures and objects where an init index says; nothing has settled yet."""

import functools
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import PermError
from perm.core.seeding import derive_seed
from perm.core.task import Mission
from perm.sim.bodies import entity_boxes, support_height
from perm.sim.env import SimEnv
from perm.sim.scene import global_numpy_seed

LIFT_GAP = 0.001
"""Free height given to an object that was stored inside its support [m]."""


@functools.lru_cache(maxsize=8)
def stored_states(name: str) -> FloatArray:
    """Return LIBERO's own stored init states of a problem file, shape (50, S).

    Args:
        name: "<suite>/<file stem>".

    Raises:
        PermError: The installed package has none.
    """
    spec = find_spec("libero")
    folder = Path((spec.submodule_search_locations or [""])[0]) if spec else Path()
    path = folder / "libero" / "init_files" / f"{name}.pruned_init.npz"
    if not path.is_file():
        raise PermError(f"The installed LIBERO has no init states for {name}.")
    with np.load(path, allow_pickle=False) as archive:
        return np.asarray(archive[archive.files[0]], dtype=np.float64)


def place_scene(mission: Mission, index: int, env: SimEnv, attempt: int) -> None:
    """Put the scene into LIBERO's stored state or a sampled one.

    Args:
        mission: Says whether there are stored states.
        index: Init index.
        env: A scene of the mission's layout; its state is overwritten.
        attempt: Number of the draw.

    Raises:
        PermError: There is no stored state, or it does not fit, or there is no room.
    """
    mujoco.mj_resetData(env.model, env.data)
    seed = derive_seed(0, env.layout.digest, index, "placement", attempt)
    with global_numpy_seed(seed):
        placements = _sample(env)
    for pos, quat, item in placements.values():
        if item.name in env.scene.fixtures_dict:
            body = env.fixture_bodies[item.name]
            env.model.body_pos[body], env.model.body_quat[body] = pos, quat
        elif mission.init_states is None:
            pose = np.concatenate([np.asarray(pos), np.asarray(quat)])
            env.scene.sim.data.set_joint_qpos(item.joints[-1], pose)
    if mission.init_states is not None:
        _set_state(env, stored_states(mission.init_states)[index])
    else:
        robot = env.scene.robots[0]
        env.data.qpos[robot._ref_joint_pos_indexes] = robot.init_qpos
        env.data.qpos[robot._ref_gripper_joint_pos_indexes] = robot.gripper.init_qpos
    mujoco.mj_forward(env.model, env.data)
    _lift_out_of_support(env)
    _reset_robot(env)


def _sample(env: SimEnv) -> dict[str, Any]:
    """Sample all poses with LIBERO's own samplers; fixtures first stand where they are put."""
    from robosuite.utils.errors import RandomizationError

    scene = env.scene
    try:
        placements = scene.placement_initializer.sample()
        for pos, quat, item in placements.values():
            if item.name in scene.fixtures_dict:
                body = env.fixture_bodies[item.name]
                env.model.body_pos[body], env.model.body_quat[body] = pos, quat
        mujoco.mj_forward(env.model, env.data)
        placements = scene.conditional_placement_initializer.sample(scene.sim, placements)
        sampled: dict[str, Any] = scene.conditional_placement_on_objects_initializer.sample(
            placements
        )
    except RandomizationError as error:
        raise PermError(
            f"LIBERO's sampler found no room for the objects of this layout: {error}"
        ) from error
    return sampled


def _set_state(env: SimEnv, state: FloatArray) -> None:
    size = 1 + env.model.nq + env.model.nv
    if len(state) != size:
        raise PermError(
            f"LIBERO's stored init state has {len(state)} numbers, the scene needs {size}."
        )
    env.data.qpos[:] = state[1 : 1 + env.model.nq]
    env.data.qvel[:] = state[1 + env.model.nq :]


def _lift_out_of_support(env: SimEnv) -> None:
    """Lift objects whose lowest point is under the work surface that they stand on.

    The living room's surface is 2.4 cm above the height that LIBERO's sampler uses.
    """
    surface = support_height(env)
    workspace = env.scene.workspace_name
    for atom in env.layout.init:
        if atom[0] == "on" and atom[2].startswith(workspace):
            _lift(env, atom[1], surface)
    mujoco.mj_forward(env.model, env.data)


def _lift(env: SimEnv, name: str, surface: float) -> None:
    if name not in env.scene.objects_dict:
        return
    low = float(entity_boxes(env, name).corners[:, 2].min())
    if low < surface:
        joint = env.scene.objects_dict[name].joints[-1]
        address = env.model.jnt_qposadr[env.model.joint(joint).id]
        env.data.qpos[address + 2] += surface - low + LIFT_GAP


def _reset_robot(env: SimEnv) -> None:
    robot = env.scene.robots[0]
    robot.gripper.current_action = np.zeros(robot.gripper.dof)
    robot.controller.update(force=True)
    robot.controller.reset_goal()
