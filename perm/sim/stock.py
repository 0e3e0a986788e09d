"""LIBERO's own `ControlEnv`, stepped by its own code: the reference for replay and for doubt."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from perm.bddl.write import write_layout
from perm.core.arrays import FloatArray
from perm.core.layout import Layout
from perm.core.seeding import derive_seed
from perm.sim.env import SimEnv
from perm.sim.scene import check_categories, global_numpy_seed, hide_markers, silence_robosuite


class StockEnv(SimEnv):
    """A scene whose steps are LIBERO's, observations, rewards and all."""

    def __init__(self, layout: Layout) -> None:
        """Build LIBERO's environment from the layout's problem file.

        Raises:
            PermError: A category is unknown.
        """
        self.layout = layout
        self.studio = None
        self._view_qpos = np.zeros(0)
        self._proprio = {}
        self._control_env = _make_control_env(layout)
        self.scene = self._control_env.env
        hide_markers(self.scene)

    def step(self, action: FloatArray) -> None:
        """Execute one action with LIBERO's `step`."""
        self._control_env.step(np.asarray(action, dtype=np.float64))
        self._look(self.data.qpos.copy())


def _make_control_env(layout: Layout) -> Any:
    silence_robosuite()
    from libero.libero.envs.env_wrapper import ControlEnv

    check_categories(layout)
    with (
        TemporaryDirectory() as folder,
        global_numpy_seed(derive_seed(0, layout.digest, 0, "build")),
    ):
        path = Path(folder) / "layout.bddl"
        path.write_text(write_layout(layout), encoding="utf-8")
        return ControlEnv(
            bddl_file_name=str(path),
            use_camera_obs=False,
            has_offscreen_renderer=False,
            horizon=1_000_000,
            ignore_done=True,
        )
