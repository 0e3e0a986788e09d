"""Static facts of a scene, so that a metric needs nothing but the Trace."""

import mujoco
import numpy as np

from perm.core.geometry import matrix_to_quat
from perm.core.shape import find_handle, find_rim
from perm.core.trace import ObjectFacts, RegionFacts
from perm.sim.bodies import body_pose, entity_boxes
from perm.sim.env import SimEnv


def object_facts(env: SimEnv) -> dict[str, ObjectFacts]:
    """Return the facts of all movable objects, in state order.

    Sizes are those of the collision shape. `lowest_offset`, rims and handles are taken in the pose
    that things have now, so they should stand as they are used.
    """
    return {entity.name: _facts(env, entity.name, entity.category) for entity in env.layout.objects}


def _facts(env: SimEnv, name: str, category: str) -> ObjectFacts:
    boxes = entity_boxes(env, name)
    corners, rim, handle = boxes.corners, find_rim(boxes), find_handle(boxes)
    position, rotation = body_pose(env, name)
    local = (corners - position) @ rotation
    low, high = local.min(axis=0), local.max(axis=0)
    return ObjectFacts(
        category=category,
        half_extents=(high - low) / 2,
        centre=(high + low) / 2,
        lowest_offset=float(corners[:, 2].min() - position[2]),
        rim=rim.radius if rim else None,
        handle=(handle.point - position) @ rotation if handle else None,
    )


def region_facts(env: SimEnv) -> dict[str, RegionFacts]:
    """Return the named places of the scene as they are now."""
    return {name: region_fact(env, name) for name in env.blueprint.regions}


def region_fact(env: SimEnv, name: str) -> RegionFacts:
    """Return one place as it is now."""
    site = env.model.site(name).id
    region = env.blueprint.regions[name]
    slides = [
        joint
        for joint in map(env.model.joint, region.joints)
        if joint.type[0] == mujoco.mjtJoint.mjJNT_SLIDE
    ]
    return RegionFacts(
        pos=env.data.site_xpos[site].copy(),
        quat=matrix_to_quat(env.data.site_xmat[site].reshape(3, 3)),
        size=np.array(env.model.site_size[site], dtype=np.float64),
        parent=region.parent or env.blueprint.workspace,
        joint=slides[0].name if slides else None,
        axis=env.data.xaxis[slides[0].id].copy() if slides else None,
    )
