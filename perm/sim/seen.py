"""What sensors and cameras see: one moment within each control step."""

from typing import Any, NamedTuple

import numpy as np

from perm.core.arrays import FloatArray


class Seen(NamedTuple):
    """The moment at which LIBERO samples observations and images.

    A tuple of arrays, so that compiled code can fill it. Cameras and poses show the beginning of
    the physics step in which LIBERO samples, joints its end.

    Attributes:
        last: Configuration at the end of the control step before, (nq,): burners that are turned on
            there glow.
        camera: Configuration that cameras see, (nq,).
        qpos, qvel: Joints, (nq,), (nv,).
        xpos, xquat: Poses of all bodies, (nbody, 3) [m], (nbody, 4) wxyz.
        site_xpos: Positions of all sites, (nsite, 3) [m].
    """

    last: FloatArray
    camera: FloatArray
    qpos: FloatArray
    qvel: FloatArray
    xpos: FloatArray
    xquat: FloatArray
    site_xpos: FloatArray

    @classmethod
    def of(cls, model: Any) -> "Seen":
        """Return room for what can be seen in a scene."""
        return cls(
            np.zeros(model.nq),
            np.zeros(model.nq),
            np.zeros(model.nq),
            np.zeros(model.nv),
            np.zeros((model.nbody, 3)),
            np.zeros((model.nbody, 4)),
            np.zeros((model.nsite, 3)),
        )

    def look(self, data: Any, camera: FloatArray) -> None:
        """See the scene as `data` has it, and the cameras a configuration (nq,)."""
        self.camera[:] = camera
        for name in ("qpos", "qvel", "xpos", "xquat", "site_xpos"):
            getattr(self, name)[:] = getattr(data, name)
