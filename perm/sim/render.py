"""Camera images: what a policy sees while it plays, and frames of an episode that is over.

Rendering goes through robosuite's own context, so that pixels are LIBERO's. Cameras see the scene
as it was at the beginning of the physics step in which LIBERO samples, `view_qpos`; it is set up
again in data of its own, so that looking never touches the simulation.
"""

import atexit
import weakref
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import FloatArray, ImageArray
from perm.core.conventions import CAMERAS
from perm.core.episode import Start
from perm.sim.env import SimEnv


def render_views(
    env: SimEnv, qpos: FloatArray, size: int, cameras: Sequence[str] = CAMERAS
) -> dict[str, ImageArray]:
    """Return what cameras see of a configuration.

    Args:
        env: The scene; fixtures are where they stand now.
        qpos: Configuration (nq,).
        size: Height and width [px].
        cameras: Names of cameras.

    Returns:
        By camera, (size, size, 3), raw: bottom row first.
    """
    if env.studio is None:
        env.studio = _open_studio(env)
    studio = env.studio
    studio.data.qpos[:] = qpos
    mujoco.mj_forward(env.model, studio.data._data)
    return {
        camera: np.asarray(
            studio.render(camera_name=camera, width=size, height=size), dtype=np.uint8
        )
        for camera in cameras
    }


def render_frames(
    env: SimEnv,
    start: Start,
    view_qpos: FloatArray,
    size: int,
    cameras: Sequence[str] = CAMERAS,
) -> dict[str, ImageArray]:
    """Draw frames of an episode from what its cameras saw.

    Args:
        env: A scene of the episode's layout; it is put back to the episode's start.
        start: The episode's start, for the fixtures.
        view_qpos: Rows of `Episode.view_qpos`, shape (N, nq).
        size: Height and width [px].
        cameras: Names of cameras.

    Returns:
        By camera, (N, size, size, 3), raw: bottom row first.
    """
    env.begin(start)
    frames = {camera: np.zeros((len(view_qpos), size, size, 3), np.uint8) for camera in cameras}
    for i, qpos in enumerate(view_qpos):
        for camera, image in render_views(env, qpos, size, cameras).items():
            frames[camera][i] = image
    return frames


def _open_studio(env: SimEnv) -> Any:
    """Return a simulation of the same model with data and an off-screen context of its own."""
    from robosuite.utils.binding_utils import MjRenderContextOffscreen, MjSim

    studio = MjSim(env.model)
    context = MjRenderContextOffscreen(studio, device_id=-1)
    context.vopt.geomgroup[0] = 0  # collision geoms
    context.vopt.geomgroup[1] = 1  # visual geoms
    # robosuite ends EGL at exit and then frees contexts, which EGL answers with an error.
    atexit.register(_close_if_alive, weakref.ref(studio))
    return studio


def _close_if_alive(studio: weakref.ref[Any]) -> None:
    alive = studio()
    if alive is not None:
        close_studio(alive)


def close_studio(studio: Any) -> None:
    """Free a studio's context; more than once does no harm."""
    context = studio._render_context_offscreen
    if context is not None:
        context.gl_ctx.make_current()
        context.con.free()
        context.gl_ctx.free()
        studio._render_context_offscreen = None
