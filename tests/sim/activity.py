"""How much happened: comparing two scenes in which nothing moves would show little."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from perm.core.arrays import BoolArray
from perm.core.layout import Atom
from perm.sim.bodies import collision_geoms, root_body, subtree
from perm.sim.env import SimEnv


class Activity:
    """Counts contacts, movements and changes of answers over the episodes of a scene.

    Attributes:
        contacts: Largest number of contacts.
        touches: Moments at which the robot touched an object.
        moved: Largest distance of an object from where its episode began [m].
        moments: Moments so far.
    """

    def __init__(self, env: SimEnv, atoms: tuple[Atom, ...]) -> None:
        """Take a scene and the questions whose answers are followed."""
        self.contacts = self.touches = self.moments = 0
        self.moved = 0.0
        self._env, self._atoms = env, atoms
        self._bodies = [root_body(env, entity.name) for entity in env.layout.objects]
        self._robot = _geoms_under(env, [env.model.body("robot0_base").id])
        self._objects = _geoms_under(env, self._bodies)
        self._true: Counter[Atom] = Counter()
        self.begin()

    def begin(self) -> None:
        """Begin an episode."""
        self._where = self._env.data.xpos[self._bodies].copy()

    def note(self, moment: Mapping[str, Any]) -> None:
        """Count a moment as `perm.sim` has it; see `Witness.moment`."""
        data = self._env.data
        pairs = data.contact.geom[: data.ncon]
        self.contacts = max(self.contacts, len(pairs))
        self.touches += bool((self._robot[pairs] & self._objects[pairs[:, ::-1]]).any())
        distances = np.linalg.norm(data.xpos[self._bodies] - self._where, axis=1)
        self.moved = max(self.moved, float(distances.max()))
        self._true.update(atom for atom in self._atoms if moment[" ".join(atom)])
        self.moments += 1

    @property
    def changed(self) -> tuple[Atom, ...]:
        """Atoms that were true at some moments and false at others."""
        return tuple(atom for atom, count in self._true.items() if count < self.moments)


def _geoms_under(env: SimEnv, bodies: list[int]) -> BoolArray:
    mask = np.zeros(env.model.ngeom, dtype=bool)
    for body in bodies:
        mask[collision_geoms(env, subtree(env, body))] = True
    return mask
