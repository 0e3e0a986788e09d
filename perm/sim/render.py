"""Camera images, drawn apart from the simulation: while a policy plays, or of an episode later.

Nothing is simulated here. The poses of bodies, cameras and lights follow from the configuration
that the cameras saw, `view_qpos`; which burners glow follows from the end of the control step
before, `glow_qpos`, for LIBERO decides it between two steps. The pixels are LIBERO's own.
"""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import FloatArray, ImageArray
from perm.core.conventions import CAMERAS
from perm.core.episode import Episode, Start
from perm.core.errors import PermError
from perm.sim.assets import with_assets
from perm.sim.blueprint import Blueprint
from perm.sim.burners import find_burners
from perm.sim.culling import Culling
from perm.sim.offscreen import Offscreen

DRAWN_GROUPS = (1, 2)
"""Geom groups that LIBERO draws; what is in group 0 is for contacts."""
HIDDEN_GROUP = 5
MAX_GEOMS = 1000
"""robosuite's limit of what is in a picture."""


class Studio:
    """Where a scene is drawn. Keep it: opening one takes seconds, for all meshes are compiled."""

    def __init__(self, blueprint: Blueprint) -> None:
        """Compile the scene and open an off-screen context.

        Raises:
            PermError: A package with meshes is missing, or nothing renders here.
        """
        self._model = model = mujoco.MjModel.from_xml_string(with_assets(blueprint.mjcf))
        model.site_rgba[:] = blueprint.site_rgba
        self._data = mujoco.MjData(model)
        self._burners = tuple(find_burners(blueprint, model))
        self._fixtures: dict[str, Any] = {
            name: model.body(entity.root_body)
            for name, entity in blueprint.entities.items()
            if not entity.movable
        }
        self._groups = model.geom_group.copy()
        self._culling = Culling(model, DRAWN_GROUPS)
        self._scene = mujoco.MjvScene(model, maxgeom=MAX_GEOMS)
        self._camera = mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = np.isin(range(mujoco.mjNGROUP), DRAWN_GROUPS)
        self._offscreen = Offscreen(model)

    def furnish(self, start: Start) -> None:
        """Put the fixtures where an episode's start has them.

        Raises:
            PermError: The start belongs to another scene.
        """
        joints = tuple(self._model.joint(i).name for i in range(self._model.njnt))
        if start.joints != joints or set(start.fixture_pos) != set(self._fixtures):
            raise PermError(
                "This start belongs to another scene. "
                f"Start: {', '.join((*start.joints, *sorted(start.fixture_pos)))}. "
                f"Scene: {', '.join((*joints, *sorted(self._fixtures)))}."
            )
        for name, body in self._fixtures.items():
            body.pos[:] = start.fixture_pos[name]
            body.quat[:] = start.fixture_quat[name]

    def draw(
        self,
        view_qpos: FloatArray,
        glow_qpos: FloatArray,
        size: int,
        cameras: Sequence[str] = CAMERAS,
    ) -> dict[str, ImageArray]:
        """Return what cameras see.

        Args:
            view_qpos: Configuration that they see, (nq,).
            glow_qpos: Configuration at the end of the control step before, (nq,): burners that
                are turned on there glow.
            size: Height and width [px].
            cameras: Names of cameras.

        Returns:
            By camera, (size, size, 3), raw: bottom row first.
        """
        model, data = self._model, self._data
        for burner in self._burners:
            model.site_rgba[burner.site, 3] = burner.alpha(glow_qpos)
        data.qpos[:] = view_qpos
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)  # lights and cameras may follow a centre of mass
        mujoco.mj_camlight(model, data)
        return {camera: self._shoot(model.camera(camera).id, size) for camera in cameras}

    def close(self) -> None:
        """Free the context; more than once does no harm. Drawing afterwards is an error."""
        self._offscreen.close()

    def _shoot(self, camera: int, size: int) -> ImageArray:
        model, data, scene = self._model, self._data, self._scene
        model.geom_group[:] = np.where(self._culling.seen(data, camera), self._groups, HIDDEN_GROUP)
        self._camera.fixedcamid = camera
        kinds = mujoco.mjtCatBit.mjCAT_ALL.value
        mujoco.mjv_updateScene(model, data, self._option, None, self._camera, kinds, scene)
        return self._offscreen.shoot(scene, size)


def draw_episode(
    studio: Studio,
    episode: Episode,
    size: int,
    cameras: Sequence[str] = CAMERAS,
    rows: slice = slice(None),
) -> dict[str, ImageArray]:
    """Draw frames of a finished episode.

    Args:
        studio: Where its scene is drawn.
        episode: One with its start, states and view_qpos.
        size: Height and width [px].
        cameras: Names of cameras.
        rows: Which of its T + 1 rows; all by default.

    Returns:
        By camera, (rows, size, size, 3), raw: bottom row first.

    Raises:
        PermError: The episode's start belongs to another scene.
    """
    start, states, view = episode.start, episode.states, episode.view_qpos
    assert start is not None
    assert states is not None
    assert view is not None
    studio.furnish(start)
    chosen = range(len(view))[rows]
    frames = {camera: np.empty((len(chosen), size, size, 3), np.uint8) for camera in cameras}
    for i, row in enumerate(chosen):
        glow = states[max(row - 1, 0), 1 : 1 + view.shape[1]]
        for camera, image in studio.draw(view[row], glow, size, cameras).items():
            frames[camera][i] = image
    return frames
