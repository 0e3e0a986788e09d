"""Puts fixtures and objects where an init index says; nothing has settled yet."""

import functools
from importlib.util import find_spec
from pathlib import Path

import mujoco
import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import PermError
from perm.core.mission import Mission
from perm.core.seeding import derive_seed
from perm.sim.bodies import entity_boxes, support_height
from perm.sim.env import SimEnv
from perm.sim.sampling import Placement

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
    seed = derive_seed(0, env.layout.digest, index, "placement", attempt)
    placement = env.sampler.sample(seed)
    env.clear()
    for name, (pos, quat) in placement.fixtures.items():
        body = env.fixture_bodies[name]
        env.model.body_pos[body], env.model.body_quat[body] = pos, quat
    if mission.init_states is not None:
        _set_state(env, stored_states(mission.init_states)[index])
    else:
        _place_objects(env, placement)
    mujoco.mj_forward(env.model, env.data)
    _lift_out_of_support(env)
    env.restart()


def _place_objects(env: SimEnv, placement: Placement) -> None:
    data, arm = env.data, env.blueprint.arm
    for joint, position in placement.joints.items():
        data.joint(joint).qpos[:] = position
    for name, pose in placement.objects.items():
        data.joint(env.blueprint.entities[name].joints[-1]).qpos[:] = np.concatenate(pose)
    data.qpos[:7] = arm.rest_qpos
    data.qpos[7:9] = arm.rest_fingers


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
    workspace = env.blueprint.workspace
    for atom in env.layout.init:
        if atom[0] == "on" and atom[2].startswith(workspace):
            _lift(env, atom[1], surface)
    mujoco.mj_forward(env.model, env.data)


def _lift(env: SimEnv, name: str, surface: float) -> None:
    entity = env.blueprint.entities.get(name)
    if entity is None or not entity.movable:
        return
    low = float(entity_boxes(env, name).corners[:, 2].min())
    if low < surface:
        env.data.joint(entity.joints[-1]).qpos[2] += surface - low + LIFT_GAP
