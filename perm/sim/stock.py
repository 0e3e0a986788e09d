"""LIBERO's own `ControlEnv`, stepped by its own code: the reference for replay and for doubt."""

from typing import Any

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.layout import Layout
from perm.sim.env import SimEnv
from perm.sim.scene import HORIZON, construct, hide_markers


class StockEnv(SimEnv):
    """A scene whose steps are LIBERO's, observations, rewards and all."""

    def __init__(self, layout: Layout) -> None:
        """Build LIBERO's environment from the layout's problem file.

        Raises:
            PermError: A category is unknown, or the objects cannot be placed.
        """
        self.layout = layout
        self.studio = None
        self._view_qpos = np.zeros(0)
        self._proprio = {}
        self._control_env = construct(layout, _control_env)
        self.scene = self._control_env.env
        hide_markers(self.scene)

    def step(self, action: FloatArray) -> None:
        """Execute one action with LIBERO's `step`."""
        self._control_env.step(np.asarray(action, dtype=np.float64))
        self._look(self.data.qpos.copy())


def _control_env(path: str) -> Any:
    from libero.libero.envs.env_wrapper import ControlEnv

    return ControlEnv(
        bddl_file_name=path,
        use_camera_obs=False,
        has_offscreen_renderer=False,
        horizon=HORIZON,
        ignore_done=True,
    )
