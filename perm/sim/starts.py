"""Where an episode starts: a pure function of (layout, init index).

Index i of an unedited layout is LIBERO's stored state i, with objects lifted out of their support
and fixture poses drawn from (layout digest, i); an edited layout is sampled by LIBERO's own
placement. Either way the scene settles before it is used.
"""

import functools
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import hold_action
from perm.core.episode import Start
from perm.core.errors import PermError
from perm.core.layout import Atom
from perm.core.seeding import derive_seed
from perm.core.task import Mission
from perm.sim.bodies import entity_boxes, root_body, support_height
from perm.sim.env import SimEnv
from perm.sim.predicates import holds, reached
from perm.sim.scene import global_numpy_seed

N_STARTS = 50
SAMPLE_TRIES = 20
MIN_SETTLE, MAX_SETTLE = 20, 80
"""Control steps."""
REST_SPEED = 0.005
"""Below this an object is at rest: linear [m/s]; ten times that for rotation [rad/s]."""
MAX_SHIFT = 0.01
"""Sideways shift while settling beyond which a sampled state is drawn again [m]."""
MAX_TILT = np.deg2rad(5)
LIFT_GAP = 0.001
"""Free height given to an object that was stored inside its support [m]."""


def start_of(mission: Mission, index: int, env: SimEnv) -> Start:
    """Return the start with an init index, from the mission's file of starts if it has one.

    Args:
        mission: What is played.
        index: Init index, 0 to 49.
        env: A scene of the mission's layout; its state is overwritten.

    Raises:
        PermError: The index is out of range, the file belongs to another layout, or no clean
            start can be sampled.
    """
    if not 0 <= index < N_STARTS:
        raise PermError(f"Init index {index} is out of range; there are 0 to {N_STARTS - 1}.")
    if mission.starts is not None:
        start = load_starts(Path(mission.starts))[index]
        if start.layout_digest == mission.layout.digest:
            return start
        raise PermError(
            f"{mission.starts} was made for another version of layout {mission.id}. "
            "Make it anew with scripts/make_starts.py."
        )
    return make_start(mission, index, env)


def make_start(mission: Mission, index: int, env: SimEnv) -> Start:
    """Build the start with an init index: stored or sampled, then settled and checked."""
    problem = ""
    for attempt in range(SAMPLE_TRIES):
        _place(mission, index, env, attempt)
        problem = _settle(env, mission)
        if not problem:
            return _snapshot(env)
        if mission.init_states is not None:
            break
    raise PermError(f"Init state {index} of layout {mission.id} is not clean: {problem}.")


def _snapshot(env: SimEnv) -> Start:
    model = env.model
    bodies = env.fixture_bodies
    state = env.state
    state[0] = 0.0
    return Start(
        state=state,
        warmstart=env.data.qacc_warmstart.copy(),
        fixture_pos={name: model.body_pos[body].copy() for name, body in bodies.items()},
        fixture_quat={name: model.body_quat[body].copy() for name, body in bodies.items()},
        joints=env.joints,
        layout_digest=env.layout.digest,
    )


def _place(mission: Mission, index: int, env: SimEnv, attempt: int) -> None:
    """Put fixtures and objects where the init index says, not yet settled."""
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


def _settle(env: SimEnv, mission: Mission) -> str:
    """Let everything come to rest; return what is wrong with the result, or ""."""
    names = [entity.name for entity in env.layout.objects]
    before = {name: _pose(env, name) for name in names}
    for step in range(MAX_SETTLE):
        env.step(hold_action(gripper=0.0))
        if step + 1 >= MIN_SETTLE and _at_rest(env, names):
            break
    else:
        return f"objects still move after {MAX_SETTLE} steps"
    # LIBERO's stored states are what they are; only sampled ones are drawn again.
    sampled = mission.init_states is None
    return _find_problem(env, mission, before) if sampled else _goal_problem(env, mission)


def _find_problem(
    env: SimEnv, mission: Mission, before: dict[str, tuple[FloatArray, FloatArray]]
) -> str:
    for name, (pos, up) in before.items():
        pos_now, up_now = _pose(env, name)
        shift = float(np.linalg.norm((pos_now - pos)[:2]))
        tilt = float(np.arccos(np.clip(up_now @ up, -1, 1)))
        if shift > MAX_SHIFT or tilt > MAX_TILT:
            return f"{name} moved {shift * 100:.1f} cm and tilted {np.rad2deg(tilt):.0f} degrees"
    for atom in env.layout.init:
        if _checkable(env, atom) and not holds(env.scene, atom):
            return f"{' '.join(atom)} does not hold any more"
    return _goal_problem(env, mission)


def _goal_problem(env: SimEnv, mission: Mission) -> str:
    return "the goal is already true" if reached(env.scene, mission.goal) else ""


def _checkable(env: SimEnv, atom: Atom) -> bool:
    """Whether an `:init` atom is about objects; a fixture stands where it was put."""
    return atom[1] in env.scene.objects_dict and all(
        name in env.scene.object_states_dict for name in atom[1:]
    )


def _pose(env: SimEnv, name: str) -> tuple[FloatArray, FloatArray]:
    """Position and the body axis that points most upwards now, in the world frame."""
    body = root_body(env, name)
    return env.data.xpos[body].copy(), env.data.xmat[body].reshape(3, 3)[:, 2].copy()


def _at_rest(env: SimEnv, names: list[str]) -> bool:
    for name in names:
        joint = env.scene.objects_dict[name].joints[-1]
        address = env.model.jnt_dofadr[env.model.joint(joint).id]
        velocity = env.data.qvel[address : address + 6]
        if np.abs(velocity[:3]).max() > REST_SPEED or np.abs(velocity[3:]).max() > 10 * REST_SPEED:
            return False
    return True


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


def save_starts(path: Path, starts: list[Start]) -> None:
    """Write the starts of one layout into one npz file."""
    first = starts[0]
    names = list(first.fixture_pos)
    np.savez(
        path,
        layout_digest=np.array(first.layout_digest),
        joints=np.array(first.joints),
        fixtures=np.array(names),
        states=np.array([s.state for s in starts]),
        warmstarts=np.array([s.warmstart for s in starts]),
        fixture_pos=np.array([[s.fixture_pos[n] for n in names] for s in starts]),
        fixture_quat=np.array([[s.fixture_quat[n] for n in names] for s in starts]),
    )


@functools.lru_cache(maxsize=8)
def load_starts(path: Path) -> tuple[Start, ...]:
    """Read what `save_starts` wrote."""
    with np.load(path, allow_pickle=False) as file:
        names = [str(name) for name in file["fixtures"]]
        pos, quat = file["fixture_pos"], file["fixture_quat"]
        return tuple(
            Start(
                state=state,
                warmstart=file["warmstarts"][i],
                fixture_pos=dict(zip(names, pos[i], strict=True)),
                fixture_quat=dict(zip(names, quat[i], strict=True)),
                joints=tuple(str(name) for name in file["joints"]),
                layout_digest=str(file["layout_digest"]),
            )
            for i, state in enumerate(file["states"])
        )
