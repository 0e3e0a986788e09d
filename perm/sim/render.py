"""Camera images: what a policy sees while it plays, and frames of an episode that is over.

Rendering goes through robosuite's own context, so that pixels are LIBERO's. Cameras see the scene
as it was at the beginning of the physics step in which LIBERO samples; an episode keeps that
`view_qpos`, and frames can be drawn from it later.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import FloatArray, ImageArray
from perm.core.conventions import CAMERAS
from perm.core.episode import Start
from perm.sim.env import SimEnv


def render_view(env: SimEnv, camera: str, size: int) -> ImageArray:
    """Return what a camera sees now, (size, size, 3), bottom row first."""
    sim = env.scene.sim
    if sim._render_context_offscreen is None:
        _open_context(sim)
    return np.asarray(sim.render(camera_name=camera, width=size, height=size), dtype=np.uint8)


def render_frames(
    env: SimEnv,
    start: Start,
    view_qpos: FloatArray,
    size: int,
    cameras: Sequence[str] = CAMERAS,
) -> dict[str, ImageArray]:
    """Draw frames of an episode from what its cameras saw.

    Args:
        env: A scene of the episode's layout; its own state is overwritten.
        start: The episode's start, for the fixtures.
        view_qpos: Rows of `Episode.view_qpos`, shape (N, nq).
        size: Height and width [px].
        cameras: Names of cameras.

    Returns:
        By camera, (N, size, size, 3), raw: bottom row first.
    """
    env.begin(start)
    frames: dict[str, list[ImageArray]] = {camera: [] for camera in cameras}
    for qpos in view_qpos:
        env.data.qpos[:] = qpos
        mujoco.mj_forward(env.model, env.data)
        env.scene._post_process()
        for camera in cameras:
            frames[camera].append(render_view(env, camera, size))
    return {camera: _stack(images, size) for camera, images in frames.items()}


def _stack(images: Iterable[ImageArray], size: int) -> ImageArray:
    kept = list(images)
    return np.stack(kept) if kept else np.zeros((0, size, size, 3), np.uint8)


def _open_context(sim: Any) -> None:
    """Give the simulation an off-screen context that draws as LIBERO's does."""
    from robosuite.utils.binding_utils import MjRenderContextOffscreen

    context = MjRenderContextOffscreen(sim, device_id=-1)
    context.vopt.geomgroup[0] = 0  # collision geoms
    context.vopt.geomgroup[1] = 1  # visual geoms
