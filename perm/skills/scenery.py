"""What the expert knows of the scene: shapes, obstacles, and what it holds."""

from collections.abc import Collection

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes, join_boxes
from perm.core.errors import PermError
from perm.sim.bodies import body_pose, entity_boxes, support_height
from perm.sim.env import SimEnv
from perm.sim.facts import region_fact
from perm.skills.clearance import Obstacles, Shape


class Scenery:
    """Reads the scene as it stands now; changes nothing.

    Attributes:
        support_z: Height of the work surface [m].
    """

    def __init__(self, env: SimEnv) -> None:
        """Take the scene to look at."""
        self._env = env
        self.support_z = support_height(env)

    def boxes(self, name: str) -> Boxes:
        """Return the collision shape of an object or fixture."""
        return entity_boxes(self._env, name)

    def pose(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Return position (3,) [m] and rotation (3, 3) of its origin."""
        return body_pose(self._env, name)

    def obstacles(self, without: Collection[str] = ()) -> Obstacles:
        """Return everything in the scene but the named things, as their collision shapes."""
        parts, names = [], []
        for name in self._env.blueprint.entities:
            if name in without:
                continue
            boxes = entity_boxes(self._env, name)
            if len(boxes.centre) == 0:
                continue
            parts.append(boxes)
            names += [name] * len(boxes.centre)
        return Obstacles(join_boxes(parts), tuple(names), self.support_z)

    def held_shape(self, name: str) -> Shape:
        """Return the hand together with an object as it sits between the fingers now."""
        corners = (self.boxes(name).corners - self._env.ee_pos) @ self._env.ee_rotation
        return Shape.holding(corners)

    def landing(self, target: str) -> tuple[FloatArray, float]:
        """Return where to put something: point (2,) and height of the surface there [m].

        A target is an object (its origin, the top of its floor) or a region (its centre, its
        bottom).
        """
        if target in self._env.blueprint.entities:
            position, _ = self.pose(target)
            return position[:2], self._floor(target, position[:2])
        if target in self._env.blueprint.regions:
            region = region_fact(self._env, target)
            parent = region.parent
            if parent in self._env.blueprint.entities:
                return region.pos[:2], self._floor(parent, region.pos[:2])
            return region.pos[:2], self.support_z
        raise PermError(f"There is no {target!r} in the scene to put something on or in.")

    def owner(self, target: str) -> str:
        """Return the object or fixture that a target is or belongs to; of a region its parent."""
        region = self._env.blueprint.regions.get(target)
        return (region.parent or self._env.blueprint.workspace) if region else target

    def _floor(self, name: str, point: FloatArray) -> float:
        """Height of the highest surface of an object under a point [m]."""
        boxes = self.boxes(name)
        local = np.einsum(
            "nji,nj->ni", boxes.rotation, np.array([*point, 0.0])[None] - boxes.centre
        )
        over = (np.abs(local[:, :2]) <= boxes.half[:, :2] + 0.002).all(axis=1)
        if not over.any():
            over[:] = True
        top = boxes.centre[:, 2] + (np.abs(boxes.rotation[:, 2, :]) * boxes.half).sum(axis=1)
        return float(top[over].max())
