"""Lets a scene come to rest and tells what is wrong with the result."""

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import hold_action
from perm.core.layout import Atom
from perm.core.mission import Mission
from perm.sim.bodies import root_body
from perm.sim.env import SimEnv

MIN_SETTLE, MAX_SETTLE = 20, 80
"""Control steps."""
REST_SPEED = 0.005
"""Below this an object is at rest: linear [m/s]; ten times that for rotation [rad/s]."""
MAX_SHIFT = 0.01
"""Sideways shift while settling beyond which a sampled state is drawn again [m]."""
MAX_TILT = np.deg2rad(5)


def settle_scene(env: SimEnv, mission: Mission) -> str:
    """Let everything come to rest; return what is wrong with the result, or ""."""
    names = [entity.name for entity in env.layout.objects]
    before = {name: _pose(env, name) for name in names}
    held = [atom for atom in env.layout.init if _checkable(env, atom) and env.holds(atom)]
    for step in range(MAX_SETTLE):
        env.step(hold_action(gripper=0.0))
        if step + 1 >= MIN_SETTLE and _at_rest(env, names):
            break
    else:
        return f"objects still move after {MAX_SETTLE} steps"
    # LIBERO's stored states are what they are; only sampled ones are drawn again.
    sampled = mission.init_states is None
    return _find_problem(env, mission, before, held) if sampled else _goal_problem(env, mission)


def _find_problem(
    env: SimEnv,
    mission: Mission,
    before: dict[str, tuple[FloatArray, FloatArray]],
    held: list[Atom],
) -> str:
    """Return what is wrong after settling, or "".

    An atom of `:init` has to hold if it did when the scene was set up. LIBERO drops objects from
    above, and some of its predicates never hold where it puts them (a plate is too flat).
    """
    for name, (pos, up) in before.items():
        pos_now, up_now = _pose(env, name)
        shift = float(np.linalg.norm((pos_now - pos)[:2]))
        tilt = float(np.arccos(np.clip(up_now @ up, -1, 1)))
        if shift > MAX_SHIFT or tilt > MAX_TILT:
            return f"{name} moved {shift * 100:.1f} cm and tilted {np.rad2deg(tilt):.0f} degrees"
    for atom in held:
        if not env.holds(atom):
            return f"{' '.join(atom)} does not hold any more"
    return _goal_problem(env, mission)


def _goal_problem(env: SimEnv, mission: Mission) -> str:
    return "the goal is already true" if env.reached(mission.goal) else ""


def _checkable(env: SimEnv, atom: Atom) -> bool:
    """Whether an `:init` atom is about objects and what they are on or in.

    A fixture stands where it was put. That nothing left its region of the work surface is known
    from how little it moved; LIBERO's predicate is false there for what lies flat on the floor.
    """
    entities, regions = env.blueprint.entities, env.blueprint.regions
    return (
        atom[1] in entities
        and entities[atom[1]].movable
        and all(name in entities or (name in regions and regions[name].parent) for name in atom[1:])
    )


def _pose(env: SimEnv, name: str) -> tuple[FloatArray, FloatArray]:
    """Position and the body axis that points most upwards now, in the world frame."""
    body = root_body(env, name)
    return env.data.xpos[body].copy(), env.data.xmat[body].reshape(3, 3)[:, 2].copy()


def _at_rest(env: SimEnv, names: list[str]) -> bool:
    for name in names:
        joint = env.blueprint.entities[name].joints[-1]
        address = env.model.jnt_dofadr[env.model.joint(joint).id]
        velocity = env.data.qvel[address : address + 6]
        if np.abs(velocity[:3]).max() > REST_SPEED or np.abs(velocity[3:]).max() > 10 * REST_SPEED:
            return False
    return True
