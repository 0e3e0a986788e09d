"""The model without what only can be seen: a hundred times smaller, and the same motion."""

from typing import Any

import mujoco

from perm.core.errors import PermError


def physics_model(mjcf: str) -> Any:
    """Compile a scene for physics only.

    Bodies, joints, sites, actuators, sensors and cameras keep their numbers; geoms do not. Geoms
    that cannot touch anything are left out, and meshes, materials, textures and lights that nothing
    needs any more. LIBERO lets masses come from the geoms of other groups.

    Args:
        mjcf: The scene with absolute paths of assets.

    Returns:
        A mujoco.MjModel.

    Raises:
        PermError: A geom that cannot touch anything weighs something.
    """
    spec = mujoco.MjSpec.from_string(mjcf)
    lightest, heaviest = spec.compiler.inertiagrouprange
    for geom in list(spec.geoms):
        if geom.contype == 0 and geom.conaffinity == 0:
            if lightest <= geom.group <= heaviest:
                raise PermError(
                    f"Geom {geom.name!r} only can be seen, but its group, {geom.group}, weighs "
                    f"(inertiagrouprange {lightest} to {heaviest}). Put it into group 1."
                )
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
