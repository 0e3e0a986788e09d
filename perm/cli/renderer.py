"""Which OpenGL renders without a screen here: EGL if it works, else OSMesa."""

import os
from ctypes.util import find_library

from perm.cli.attempt import attempt
from perm.core.errors import PermError

BACKENDS = {"egl": "EGL", "osmesa": "OSMesa"}
"""Value of `MUJOCO_GL` and the system library behind it, in the order of preference."""
_WITHOUT_PICTURES = ("disable", "disabled", "off", "false", "0")
_VALID = (*BACKENDS, "glfw", "glx", "enable", "enabled", "on", "true", "1", *_WITHOUT_PICTURES)
"""What MuJoCo takes on Linux."""

_PROGRAM = """
import mujoco
model = mujoco.MjModel.from_xml_string(
    '<mujoco><worldbody><light pos="0 0 3"/>'
    '<geom type="sphere" size=".2" rgba="1 .5 0 1"/></worldbody></mujoco>'
)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
with mujoco.Renderer(model, 64, 64) as renderer:
    renderer.update_scene(data)
    print(renderer.render().max())
"""


def probe(backend: str, timeout_s: float = 20.0) -> str:
    """Render one frame in a process of its own: a failed attempt cannot be undone.

    Args:
        backend: "egl" or "osmesa".
        timeout_s: A driver that hangs is given up after this time [s].

    Returns:
        "" if the frame shows something, else why not.
    """
    brightest, reason = attempt(_PROGRAM, timeout_s, **_variables(backend))
    if reason and find_library(BACKENDS[backend]) is None:
        return f"the library {BACKENDS[backend]} is not installed"
    return "the frame is black" if brightest.strip() == "0" else reason


def choose_renderer(pictures: bool = False) -> str:
    """Decide how MuJoCo renders in this process and its children; call it before any import.

    A `MUJOCO_GL` that is already set is left alone.

    Args:
        pictures: Whether pictures will be asked for.

    Returns:
        The value of `MUJOCO_GL`.

    Raises:
        PermError: Nothing renders, or `MUJOCO_GL` is none of MuJoCo's values, or turns pictures
            off that will be asked for.
    """
    if chosen := os.environ.get("MUJOCO_GL"):
        _check_choice(chosen, pictures)
        return chosen
    for backend in BACKENDS:
        if not probe(backend):
            os.environ.update(_variables(backend))
            return backend
    raise PermError("Nothing renders here, neither EGL nor OSMesa: `perm doctor` says what to do.")


def _check_choice(chosen: str, pictures: bool) -> None:
    if chosen not in _VALID:
        raise PermError(
            f"MUJOCO_GL={chosen} names no renderer. Set it to egl, osmesa or glfw, to off where no "
            "pictures are needed, or unset it: perm chooses then."
        )
    if pictures and chosen in _WITHOUT_PICTURES:
        raise PermError(
            f"MUJOCO_GL={chosen} turns pictures off, but some were asked for. Set it to egl, "
            "osmesa or glfw, or unset it: perm chooses then."
        )


def _variables(backend: str) -> dict[str, str]:
    """PyOpenGL reads its own variable, and MuJoCo refuses to start if the two differ."""
    return {"MUJOCO_GL": backend, "PYOPENGL_PLATFORM": backend}
