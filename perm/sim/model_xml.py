"""The scene as MJCF that can travel: fixtures where they stand, asset paths relative."""

import xml.etree.ElementTree as ET

from perm.core.episode import Start
from perm.sim.env import SimEnv


def model_xml(env: SimEnv, start: Start) -> str:
    """Return the scene's MJCF with the fixtures of a start and relative asset paths.

    MuJoCo's own export belongs to whichever model was compiled last in the process, so the text
    comes from robosuite's model instead.
    """
    root = ET.fromstring(env.blueprint.mjcf)
    bodies = {element.get("name"): element for element in root.iter("body")}
    for name, body in env.fixture_bodies.items():
        element = bodies[env.model.body(body).name]
        element.set("pos", " ".join(map(repr, start.fixture_pos[name].tolist())))
        element.set("quat", " ".join(map(repr, start.fixture_quat[name].tolist())))
    return ET.tostring(root, encoding="unicode")
