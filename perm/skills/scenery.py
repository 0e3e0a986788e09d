"""What the expert knows of the scene: shapes, places, joints."""

from collections.abc import Collection

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.boxes import Boxes
from perm.core.errors import PermError
from perm.core.geometry import quat_to_matrix
from perm.sim.bodies import body_pose, entity_boxes, support_height
from perm.sim.env import SimEnv
from perm.sim.facts import region_fact
from perm.sim.slides import Slide, find_slide

OFF_CENTRE = (0.35, 0.6)
"""How far off the middle of a region something may be put, as shares of its half size."""
HIGHER = 0.003
"""How much higher than the foot of an object the foot of what stands in it is, at least [m]."""


class Scenery:
    """Reads the scene as it stands now; changes nothing.

    Attributes:
        support_z: Height of the work surface [m].
    """

    def __init__(self, env: SimEnv) -> None:
        """Take the scene to look at."""
        self._env = env
        self.support_z = support_height(env)

    @property
    def names(self) -> Collection[str]:
        """Objects and fixtures of the scene."""
        return self._env.blueprint.entities.keys()

    @property
    def movables(self) -> set[str]:
        """Objects of the scene."""
        return {name for name, one in self._env.blueprint.entities.items() if one.movable}

    def boxes(self, name: str) -> Boxes:
        """Return the collision shape of an object or fixture."""
        return entity_boxes(self._env, name)

    def pose(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Return position (3,) [m] and rotation (3, 3) of its origin."""
        return body_pose(self._env, name)

    def contents(self, name: str) -> Collection[str]:
        """Return the objects that stand in or on an object, and go along when it is taken."""
        if name not in self.movables:
            return ()
        own = self.boxes(name).corners
        low, high = own.min(axis=0), own.max(axis=0)
        found = []
        for other in self.movables - {name}:
            middle = self.pose(other)[0][:2]
            if (low[:2] < middle).all() and (middle < high[:2]).all():
                foot = self.boxes(other).corners[:, 2].min()
                if low[2] + HIGHER < foot < high[2] + HIGHER:
                    found.append(other)
        return found

    def category(self, name: str) -> str:
        """Return the category of an object or fixture."""
        entities = (*self._env.layout.objects, *self._env.layout.fixtures)
        return next(entity.category for entity in entities if entity.name == name)

    def point(self, name: str) -> FloatArray:
        """Return where an object, fixture or region is: its origin or its centre [m], (3,)."""
        if name in self._env.blueprint.entities:
            return self.pose(name)[0]
        if name in self._env.blueprint.regions:
            return region_fact(self._env, name).pos
        raise PermError(f"There is no {name!r} in the scene.")

    def landings(self, target: str) -> list[tuple[FloatArray, float]]:
        """Return where to put something: points (2,) and heights of the surface there [m].

        A target is an object or fixture (its origin, the top of its floor) or a region: its
        centre first, then places round it.
        """
        centre, points = self.point(target)[:2], [np.zeros(2)]
        if target in self._env.blueprint.regions:
            fact = region_fact(self._env, target)
            half = (np.abs(quat_to_matrix(fact.quat)) @ fact.size)[:2] * np.eye(2)
            signs = (1.0, -1.0)
            points += [s * off * half[k] for off in OFF_CENTRE for k in (1, 0) for s in signs]
        return [(centre + off, self._surface(target, centre + off)) for off in points]

    def _surface(self, target: str, point: FloatArray) -> float:
        owner = self.owner(target)
        if owner not in self._env.blueprint.entities:
            return self.support_z
        return self._floor(target, owner, point)

    def slide(self, name: str) -> Slide:
        """Return the drawer that a region belongs to.

        Raises:
            PermError: Nothing slides there.
        """
        return find_slide(self._env, name)

    def owner(self, target: str) -> str:
        """Return the object or fixture that a target is or belongs to; of a region its parent."""
        region = self._env.blueprint.regions.get(target)
        return (region.parent or self._env.blueprint.workspace) if region else target

    def _floor(self, target: str, owner: str, point: FloatArray) -> float:
        """Height of the highest surface of an object under a point, in a region the lowest [m]."""
        boxes = self.boxes(owner)
        away = np.column_stack([point - boxes.centre[:, :2], np.zeros(len(boxes.centre))])
        local = np.einsum("nji,nj->ni", boxes.rotation, away)
        over = (np.abs(local[:, :2]) <= boxes.half[:, :2] + 0.002).all(axis=1)
        top = boxes.centre[:, 2] + (np.abs(boxes.rotation[:, 2, :]) * boxes.half).sum(axis=1)
        if target in self._env.blueprint.regions:
            # What is over a region (an upper shelf or drawer) is not what one lands on.
            centre = region_fact(self._env, target).pos[2]
            over &= boxes.centre[:, 2] < centre + 0.01
            if not over.any():
                return self.support_z
        if not over.any():
            over[:] = True
        return float(top[over].max())
