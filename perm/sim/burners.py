"""Burners of stoves: sites that can be seen while a knob is turned on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from perm.core.arrays import FloatArray
from perm.sim.blueprint import Blueprint, Threshold


@dataclass(frozen=True)
class Burner:
    """A site that glows while a joint is turned on.

    Attributes:
        site: Its id.
        joints: Places of the joints in qpos; one that is turned on will do.
        turned_on: The condition.
        dark: Its alpha while it does not glow; LIBERO takes it from 1 to let it glow.
    """

    site: int
    joints: tuple[int, ...]
    turned_on: Threshold
    dark: float

    def alpha(self, qpos: FloatArray) -> float:
        """Return the alpha of the site after a control step that ended in qpos (nq,)."""
        glows = any(self.turned_on.holds(float(qpos[place])) for place in self.joints)
        return 1 - self.dark if glows else self.dark


def find_burners(blueprint: Blueprint, model: Any) -> Iterator[Burner]:
    """Yield the burners of a scene, as they are in a mujoco.MjModel where none glows."""
    for entity in blueprint.entities.values():
        if entity.burner:
            site = model.site(entity.burner)
            joints = tuple(int(model.joint(name).qposadr[0]) for name in entity.joints)
            yield Burner(site.id, joints, entity.conditions["turnon"], float(site.rgba[3]))
