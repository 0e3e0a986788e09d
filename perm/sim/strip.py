"""The model without what only can be seen: a hundred times smaller, and the same motion."""

from typing import Any

import mujoco


def physics_model(mjcf: str) -> Any:
    """Compile a scene for physics only.

    Bodies, joints, sites, actuators, sensors and cameras keep their numbers; geoms do not. Geoms
    that cannot touch anything are left out, and meshes, materials, textures and lights that nothing
    needs any more. LIBERO gives such geoms no mass of their own.

    Args:
        mjcf: The scene with absolute paths of assets.

    Returns:
        A mujoco.MjModel.
    """
    spec = mujoco.MjSpec.from_string(mjcf)
    for geom in list(spec.geoms):
        if geom.contype == 0 and geom.conaffinity == 0:
            geom.delete()
    needed = {geom.meshname for geom in spec.geoms}
    for mesh in list(spec.meshes):
        if mesh.name not in needed:
            mesh.delete()
    for element in (*spec.geoms, *spec.sites):
        element.material = ""
    for element in (*spec.materials, *spec.textures, *spec.lights):
        element.delete()
    # Nothing reads the sensors; observations are taken from poses.
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_SENSOR
    return spec.compile()
