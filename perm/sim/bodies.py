"""Geometry of what stands in the scene, read from the model: boxes, extents, contacts."""

import mujoco
import numpy as np

from perm.core.arrays import BoolArray, FloatArray, IntArray
from perm.core.boxes import Boxes, join_boxes
from perm.sim.env import SimEnv


def subtree(env: SimEnv, root: int) -> BoolArray:
    """Return which bodies hang on `root` (itself included), shape (nbody,)."""
    inside = np.zeros(env.model.nbody, dtype=bool)
    inside[root] = True
    for body in range(root + 1, env.model.nbody):
        inside[body] = inside[env.model.body_parentid[body]]
    return inside


def root_body(env: SimEnv, name: str) -> int:
    """Return the body id of an object or fixture."""
    return int(env.model.body(env.blueprint.entities[name].root_body).id)


def body_pose(env: SimEnv, name: str) -> tuple[FloatArray, FloatArray]:
    """Return position (3,) [m] and rotation (3, 3) of an object's or fixture's origin."""
    body = root_body(env, name)
    return env.data.xpos[body].copy(), env.data.xmat[body].reshape(3, 3).copy()


def collision_geoms(env: SimEnv, bodies: BoolArray) -> IntArray:
    """Return the ids of the geoms of some bodies that can touch something."""
    model = env.model
    solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    return np.flatnonzero(solid & bodies[model.geom_bodyid]).astype(np.int64)


def entity_boxes(env: SimEnv, name: str) -> Boxes:
    """Return the collision shape of an object or fixture as it stands now."""
    return geom_boxes(env, collision_geoms(env, subtree(env, root_body(env, name))))


def geom_boxes(env: SimEnv, geoms: IntArray) -> Boxes:
    """Return oriented boxes round geoms; exact for boxes, enclosing for other shapes."""
    model, data = env.model, env.data
    if len(geoms) == 0:
        return join_boxes([])
    rotation = data.geom_xmat[geoms].reshape(-1, 3, 3).copy()
    offset, half = model.geom_aabb[geoms, :3], model.geom_aabb[geoms, 3:]
    centre = data.geom_xpos[geoms] + np.einsum("nij,nj->ni", rotation, offset)
    return Boxes(centre, rotation, half.copy())


def support_height(env: SimEnv) -> float:
    """Return the height of the work surface [m]: the top of the table's geoms, or the floor."""
    geoms = collision_geoms(env, _workspace_bodies(env))
    planes = env.model.geom_type[geoms] == mujoco.mjtGeom.mjGEOM_PLANE
    if planes.all():
        floor = mujoco.mj_name2id(env.model, mujoco.mjtObj.mjOBJ_GEOM, "floor")
        return float(env.data.geom_xpos[floor, 2])
    return float(geom_boxes(env, geoms[~planes]).corners[:, 2].max())


def _workspace_bodies(env: SimEnv) -> BoolArray:
    """Bodies of the table: LIBERO calls it by the workspace's name, or just "table"."""
    names = [env.model.body(i).name for i in range(env.model.nbody)]
    named = np.array([name.startswith(env.blueprint.workspace) for name in names])
    return named if named.any() else np.array([name == "table" for name in names])
