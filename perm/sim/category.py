"""Measures a category of objects: one of it, alone, turned as it rests where LIBERO puts it."""

import itertools
import xml.etree.ElementTree as ET
from contextlib import closing
from typing import Any

import mujoco
import numpy as np

from perm.bddl.changes import Spot
from perm.bddl.edit import AddObject, edit_layout
from perm.bddl.read import parse_layout
from perm.bddl.write import with_derived
from perm.core.arrays import FloatArray, ImageArray
from perm.core.catalogue import Measures
from perm.core.errors import unknown_name
from perm.core.layout import DerivedCategory
from perm.core.mission import Goal, Mission
from perm.sim.bodies import root_body
from perm.sim.derived import register_derived
from perm.sim.env import SimEnv
from perm.sim.offscreen import Offscreen
from perm.sim.placement import place_scene
from perm.sim.quiet import import_robosuite
from perm.sim.settling import settle_scene

SIZE = 160
"""Height and width of the pictures [px]."""
VIEWS = ((0.0, -20.0), (90.0, -20.0), (180.0, -20.0), (270.0, -20.0), (0.0, -89.0))
"""From where it is looked at: azimuth and elevation [degrees]."""
BACKGROUND = 10
"""Group of what is not the object, in the picture of segments."""
LEAST = 0.05
"""A colour with a smaller share is not told."""


_TABLE = parse_layout(
    "(define (problem LIBERO_Kitchen_Tabletop_Manipulation) (:domain robosuite)"
    " (:language nothing) (:regions (there (:target kitchen_table) (:ranges ((0.2 0.2 0.3 0.3)))))"
    " (:fixtures kitchen_table - kitchen_table) (:objects cube_1 - butter)"
    " (:obj_of_interest) (:init (On cube_1 kitchen_table_there))"
    " (:goal (And (On cube_1 cube_1))))"
)
_CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def categories() -> list[str]:
    """Return the categories that LIBERO knows, sorted; some of them have no files."""
    import_robosuite()
    from libero.libero.envs.base_object import OBJECTS_DICT

    return sorted(OBJECTS_DICT)


def measure_category(category: str, derived: DerivedCategory | None = None) -> Measures:
    """Return what one object of a category is like.

    Raises:
        PermError: LIBERO does not know it.
        FileNotFoundError: A file of it is not installed.
    """
    import_robosuite()
    from libero.libero.envs.base_object import OBJECTS_DICT
    from libero.libero.envs.objects.articulated_objects import ArticulatedObject

    register_derived([derived] if derived else [])
    if category not in OBJECTS_DICT:
        raise unknown_name("category", category, OBJECTS_DICT)
    thing = OBJECTS_DICT[category](name=category)
    movable = not isinstance(thing, ArticulatedObject)
    model = _alone(thing)
    data = _posed(model, _at_rest(category, derived) if movable else None)
    points = _visible_points(model, data)
    size = np.ptp(points, axis=0)
    return Measures(
        movable=movable,
        size=(round(float(size[0]), 3), round(float(size[1]), 3), round(float(size[2]), 3)),
        min_width=round(_min_width(points), 3),
        radius=round(_radius(points), 3),
        mass=round(float(model.body_mass.sum()), 4),
        colours=_colours(model, data),
    )


def _alone(thing: Any) -> Any:
    """Return the model of a scene with nothing but a thing, a floor and a light."""
    from robosuite.models.world import MujocoWorldBase

    world = MujocoWorldBase()
    world.merge_assets(thing)
    world.worldbody.append(thing.get_obj())
    floor = {"name": "floor", "type": "plane", "size": "3 3 0.1", "rgba": "0 0 0 1"}
    ET.SubElement(world.worldbody, "geom", floor)
    return mujoco.MjModel.from_xml_string(world.get_xml())


def _posed(model: Any, turn: FloatArray | None) -> Any:
    """Return the state with a free thing turned (4,) wxyz; drawers and doors are as modelled."""
    data = mujoco.MjData(model)
    if turn is not None:
        data.qpos[3:7] = turn
    mujoco.mj_forward(model, data)
    return data


def _at_rest(category: str, derived: DerivedCategory | None) -> FloatArray:
    """Return how an object is turned once LIBERO has put it on a table, (4,) wxyz."""
    layout = with_derived(
        edit_layout(_TABLE, [AddObject("it", category, Spot(0.0, 0.0))]),
        [derived] if derived else [],
    )
    with closing(SimEnv(layout)) as env:
        mission = Mission("catalogue", layout, layout.language, Goal((layout.goal,)), max_steps=1)
        place_scene(mission, 0, env, 0)
        settle_scene(env, mission)
        return np.array(env.data.xquat[root_body(env, "it")])


def _visible_points(model: Any, data: Any) -> FloatArray:
    """Return points of all that is seen but the floor, (N, 3) [m]."""
    seen = [g for g in range(model.ngeom) if model.geom_group[g] == 1]
    shown = seen or [g for g in range(model.ngeom) if model.geom_bodyid[g] > 0]
    return np.concatenate([_points(model, data, geom) for geom in shown])


def _points(model: Any, data: Any, geom: int) -> FloatArray:
    """Return the corners of a mesh, or of the box round another shape, (N, 3) [m]."""
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
        mesh = model.geom_dataid[geom]
        first = model.mesh_vertadr[mesh]
        local = model.mesh_vert[first : first + model.mesh_vertnum[mesh]]
    else:
        centre, half = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
        local = centre + half * _CORNERS
    return np.asarray(local @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])


def _min_width(points: FloatArray) -> float:
    angles = np.deg2rad(np.arange(0.0, 180.0))
    directions = np.stack([np.cos(angles), np.sin(angles)])
    return float(np.ptp(points[:, :2] @ directions, axis=0).min())


def _radius(points: FloatArray) -> float:
    middle = (points[:, :2].min(axis=0) + points[:, :2].max(axis=0)) / 2
    return float(np.linalg.norm(points[:, :2] - middle, axis=1).max())


def _colours(model: Any, data: Any) -> dict[str, float]:
    """Return the share of each colour in what is seen from all round, the largest first."""
    camera, option = mujoco.MjvCamera(), mujoco.MjvOption()
    option.geomgroup[:] = [0, 1, 1, 0, 0, 0]
    points = _visible_points(model, data)
    camera.lookat[:] = (points.min(axis=0) + points.max(axis=0)) / 2
    camera.distance = 1.6 * float(np.linalg.norm(np.ptp(points, axis=0)))
    model.vis.headlight.ambient[:], model.vis.headlight.diffuse[:] = 0.4, 0.6
    scene, offscreen = mujoco.MjvScene(model, maxgeom=200), Offscreen(model)
    pixels = []
    try:
        for camera.azimuth, camera.elevation in VIEWS:
            kinds = mujoco.mjtCatBit.mjCAT_DYNAMIC.value | mujoco.mjtCatBit.mjCAT_STATIC.value
            mujoco.mjv_updateScene(model, data, option, None, camera, kinds, scene)
            picture = offscreen.shoot(scene, SIZE)
            scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = 1
            scene.flags[mujoco.mjtRndFlag.mjRND_IDCOLOR] = 0
            segments = offscreen.shoot(scene, SIZE)
            scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = 0
            pixels.append(picture[segments.any(axis=2)])
    finally:
        offscreen.close()
    return shares(np.concatenate(pixels))


def shares(pixels: ImageArray) -> dict[str, float]:
    """Return the share of each colour among pixels (N, 3), the largest first, small ones left out.

    A colour is a range of hue; what is dark or pale has its own words.
    """
    rgb = pixels.astype(np.float64) / 255
    value, low = rgb.max(axis=1), rgb.min(axis=1)
    chroma = value - low
    saturation = np.divide(chroma, value, out=np.zeros_like(value), where=value > 0)
    hue = _hue(rgb, value, chroma)
    words = np.full(len(rgb), "red", dtype="<U8")
    for start, word in (
        (15, "orange"),
        (42, "yellow"),
        (68, "green"),
        (170, "blue"),
        (265, "purple"),
    ):
        words[hue >= start] = word
    words[hue >= 330] = "red"
    words[(words == "orange") & (value < 0.6)] = "brown"
    words[(words == "red") & (value < 0.25)] = "brown"
    words[(words == "orange") & (saturation < 0.4)] = "beige"
    words[(words == "yellow") & (saturation < 0.25)] = "beige"
    words[(words == "red") & (saturation < 0.4) & (value > 0.5)] = "pink"
    pale = saturation < 0.15
    words[pale & (value >= 0.7)] = "white"
    words[pale & (value < 0.7)] = "grey"
    words[value < 0.15] = "black"
    found, counts = np.unique(words, return_counts=True)
    parts = {
        str(word): round(float(n) / len(words), 2) for word, n in zip(found, counts, strict=True)
    }
    return dict(sorted(((w, p) for w, p in parts.items() if p >= LEAST), key=lambda x: -x[1]))


def _hue(rgb: FloatArray, value: FloatArray, chroma: FloatArray) -> FloatArray:
    """Return the hue of each colour (N,) [degrees]."""
    red, green, blue = rgb.T
    safe = np.where(chroma > 0, chroma, 1.0)
    sextant = np.select(
        [value == red, value == green],
        [((green - blue) / safe) % 6, (blue - red) / safe + 2],
        (red - green) / safe + 4,
    )
    return np.asarray(60 * sextant)
