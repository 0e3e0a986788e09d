"""LIBERO's predicates as pure queries of a scene, the same answers at the same moments."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from perm.bddl.predicates import GOAL_FORMS
from perm.core.arrays import BoolArray, FloatArray
from perm.core.errors import PermError, unknown_name
from perm.core.layout import Atom
from perm.sim.blueprint import Blueprint, BuiltEntity

NEAR = 0.03
"""How near the middles of two objects are when one is on the other [m]."""
UP = 1.0
"""Height from which on an object is up [m]."""
SINK, HEADROOM = 0.005, 0.10
"""How far under the top of a place, and over it, an object on it may be [m]."""
FLOOR_GAP = 0.01
"""How far under a place an object in it may be [m]."""


class Predicates:
    """Answers whether an atom holds now.

    Poses and contacts are those that MuJoCo derived last, at the beginning of the last physics
    step; joint positions are those after it. LIBERO looks at the same.
    """

    def __init__(self, blueprint: Blueprint, model: Any, data: Any) -> None:
        """Take a scene.

        Args:
            blueprint: What LIBERO says of it.
            model: A mujoco.MjModel of the scene, with or without what only can be seen.
            data: Its mujoco.MjData.
        """
        self._entities, self._regions = blueprint.entities, blueprint.regions
        self._data = data
        entities = blueprint.entities.items()
        self._body = {name: model.body(entity.root_body).id for name, entity in entities}
        self._site = {name: model.site(name).id for name in blueprint.regions}
        joints = {j for e in blueprint.entities.values() for j in e.joints}
        self._qpos = {name: int(model.joint(name).qposadr[0]) for name in joints}
        geoms = {model.geom(i).name: i for i in range(model.ngeom) if model.geom(i).name}
        self._geoms = {name: _mask(model.ngeom, entity, geoms) for name, entity in entities}

    def holds(self, atom: Atom) -> bool:
        """Return whether an atom holds now.

        Args:
            atom: ("on", "akita_black_bowl_1", "plate_1").

        Raises:
            PermError: LIBERO tracks no such thing, or knows no such predicate of it.
        """
        self._check(atom)
        predicate, *names = atom
        if predicate == "on":
            return self._on(*names)
        if predicate == "in":
            return self._in(*names)
        if predicate == "up":
            return bool(self._position(names[0])[2] >= UP)
        return self._joint_holds(predicate, names[0])

    def _check(self, atom: Atom) -> None:
        predicate = atom[0] if atom else ""
        if predicate not in GOAL_FORMS:
            raise unknown_name("predicate", predicate, GOAL_FORMS)
        if len(atom) - 1 != len(GOAL_FORMS[predicate][0]):
            raise PermError(f"{' '.join(atom)}: {predicate!r} takes another number of arguments.")
        for name in atom[1:]:
            if name not in self._entities and name not in self._regions:
                known = ", ".join(sorted((*self._entities, *self._regions)))
                raise PermError(f"{' '.join(atom)}: no state is kept of {name!r}. Known: {known}.")

    def _on(self, upper: str, lower: str) -> bool:
        position = self._position(upper)
        if lower in self._entities:
            support = self._position(lower)
            return bool(
                support[2] <= position[2]
                and self._touching(lower, upper)
                and np.linalg.norm(support[:2] - position[:2]) < NEAR
            )
        site, parent = self._site[lower], self._regions[lower].parent
        size = self._regions[lower].size
        rotation = self._data.site_xmat[site].reshape(3, 3)
        offset = rotation @ (position - self._data.site_xpos[site])
        over = size[2] - SINK < offset[2] < size[2] + HEADROOM
        beside = np.abs(offset[:2]) < size[:2]
        return bool(over and beside.all() and (not parent or self._touching(parent, upper)))

    def _in(self, inner: str, outer: str) -> bool:
        if outer not in self._regions:
            raise PermError(f"in {inner} {outer}: only regions have an inside.")
        site = self._site[outer]
        size = np.array(self._regions[outer].size)
        centre = self._data.site_xpos[site]
        half = np.abs(self._data.site_xmat[site].reshape(3, 3) @ size)
        low = centre - half
        low[2] -= FLOOR_GAP
        position = self._position(inner)
        return bool((position > low).all() and (position < centre + half).all())

    def _joint_holds(self, predicate: str, name: str) -> bool:
        """Opened or turned on is what any joint says, closed or turned off what all say."""
        region = self._regions.get(name)
        owner = self._entities.get(region.parent if region else name)
        joints = region.joints if region else owner.joints if owner else ()
        condition = owner.conditions.get(predicate) if owner else None
        if condition is None:
            if joints or (region and predicate.startswith("turn")):
                raise PermError(f"{predicate} {name}: LIBERO defines no {predicate!r} for it.")
            return predicate in ("close", "turnoff")  # what has no joint, no joint contradicts
        verdicts = (condition.holds(self._data.qpos[self._qpos[joint]]) for joint in joints)
        return any(verdicts) if predicate in ("open", "turnon") else all(verdicts)

    def _position(self, name: str) -> FloatArray:
        if name in self._body:
            position: FloatArray = self._data.xpos[self._body[name]]
        else:
            position = self._data.site_xpos[self._site[name]]
        return position

    def _touching(self, first: str, second: str) -> bool:
        pairs = self._data.contact.geom[: self._data.ncon]
        of_first, of_second = self._geoms[first][pairs], self._geoms[second][pairs]
        return bool((of_first & of_second[:, ::-1]).any())


def _mask(count: int, entity: BuiltEntity, geoms: Mapping[str, int]) -> BoolArray:
    mask = np.zeros(count, dtype=bool)
    mask[[geoms[name] for name in entity.geoms if name in geoms]] = True
    return mask
