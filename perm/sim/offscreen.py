"""Pictures without a screen: one OpenGL context of MuJoCo's, ended in the right order."""

import atexit
import os
import weakref
from importlib import import_module
from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import ImageArray
from perm.core.errors import PermError


class Offscreen:
    """An off-screen OpenGL context with the meshes and textures of a model.

    It becomes the current context of the thread whenever it draws.
    """

    def __init__(self, model: Any) -> None:
        """Open a context for a mujoco.MjModel.

        Raises:
            PermError: Nothing renders here.
        """
        try:
            self._gl = _context_class()(1, 1)  # nothing is drawn on its own surface
            self._gl.make_current()
            self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50)
        except (ImportError, RuntimeError, mujoco.FatalError) as error:
            raise PermError(
                f"There is no OpenGL without a screen here ({error}). "
                "`perm doctor` says what to do."
            ) from error
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self._release = weakref.finalize(self, _release, self._gl, self._context)
        # Exit handlers run backwards: this one has to come before the one that ends EGL, which was
        # registered a moment ago, while weakref's own may be older.
        self._release.atexit = False
        atexit.register(self._release)

    def shoot(self, scene: Any, size: int) -> ImageArray:
        """Return the picture of a mujoco.MjvScene, (size, size, 3), bottom row first."""
        self._gl.make_current()
        if self._context.offWidth != size:
            mujoco.mjr_resizeOffscreen(size, size, self._context)
        frame = mujoco.MjrRect(0, 0, size, size)
        mujoco.mjr_render(frame, scene, self._context)
        image = np.empty((size, size, 3), dtype=np.uint8)
        mujoco.mjr_readPixels(image, None, frame, self._context)
        return image

    def close(self) -> None:
        """Free the context; more than once does no harm. Drawing afterwards is an error."""
        self._release()
        atexit.unregister(self._release)


def _release(gl: Any, context: Any) -> None:
    try:
        gl.make_current()
    except Exception:  # noqa: BLE001 - whoever else used EGL has ended it, and this with it
        return
    context.free()
    gl.free()


def _context_class() -> Any:
    """Return MuJoCo's class for `MUJOCO_GL`, and EGL's if it is not set."""
    backend = os.environ.get("MUJOCO_GL", "egl").lower()
    if backend == "egl":
        _choose_card(import_module("mujoco.egl.egl_ext"))
    if backend in ("egl", "osmesa"):
        return import_module(f"mujoco.{backend}").GLContext
    return mujoco.GLContext


def _choose_card(egl: Any) -> None:
    """Draw on the first card that CUDA may use, as LIBERO does, where nobody chose one for EGL."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "").partition(",")[0]
    if first.isdecimal() and int(first) < len(egl.eglQueryDevicesEXT()):
        os.environ.setdefault("MUJOCO_EGL_DEVICE_ID", first)
