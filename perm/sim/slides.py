"""Drawers: what slides, where to, and what goes with it."""

from collections.abc import Collection
from dataclasses import dataclass

import mujoco

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes
from perm.core.errors import PermError
from perm.sim.bodies import body_pose, collision_geoms, geom_boxes, subtree
from perm.sim.env import SimEnv


@dataclass(frozen=True)
class Slide:
    """A drawer that moves along a line.

    Attributes:
        joint: Its name.
        outward: Direction in which it opens, unit vector (3,).
        boxes: Shape of what moves.
        position: Of the joint now [m].
        shut, wide: Of the joint when it is pushed home, and when it is pulled out.
        contents: Objects in it, which move with it.
    """

    joint: str
    outward: FloatArray
    boxes: Boxes
    position: float
    shut: float
    wide: float
    contents: Collection[str]

    def goal(self, skill: str) -> float:
        """Return where "open" or "close" brings the joint."""
        return self.wide if skill == "open" else self.shut


def find_slide(env: SimEnv, name: str) -> Slide:
    """Return the drawer that a region belongs to, as it stands now.

    Raises:
        PermError: Nothing slides there.
    """
    region = env.blueprint.regions.get(name)
    joints = [env.model.joint(joint) for joint in region.joints] if region else []
    sliding = [joint for joint in joints if joint.type[0] == mujoco.mjtJoint.mjJNT_SLIDE]
    if region is None or not sliding:
        raise PermError(f"{name!r} is no drawer; nothing slides there.")
    joint = sliding[0]
    axis = env.data.xaxis[joint.id].copy()
    low, high = (float(limit) for limit in joint.range)
    opens_down = not env.blueprint.entities[region.parent].conditions["open"].above
    boxes = geom_boxes(env, collision_geoms(env, subtree(env, int(joint.bodyid[0]))))
    return Slide(
        joint=joint.name,
        outward=-axis if opens_down else axis,
        boxes=boxes,
        position=float(env.data.qpos[joint.qposadr[0]]),
        shut=high if opens_down else low,
        wide=low if opens_down else high,
        contents=_contents(env, boxes),
    )


def _contents(env: SimEnv, boxes: Boxes) -> Collection[str]:
    low, high = boxes.corners.min(axis=0), boxes.corners.max(axis=0)
    objects = [name for name, entity in env.blueprint.entities.items() if entity.movable]
    places = {name: body_pose(env, name)[0] for name in objects}
    return {name for name, pos in places.items() if (low < pos).all() and (pos < high).all()}
