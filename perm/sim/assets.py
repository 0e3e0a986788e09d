"""Meshes and textures: from paths that can travel to files that are installed here."""

import xml.etree.ElementTree as ET
from importlib.util import find_spec
from pathlib import Path

from perm.core.errors import PermError


def with_assets(mjcf: str) -> str:
    """Make the asset paths of a scene absolute; they begin with the name of a package.

    Raises:
        PermError: A file is not installed.
    """
    root = ET.fromstring(mjcf)
    for element in root.iter():
        if path := element.get("file"):
            element.set("file", _asset(path))
    return ET.tostring(root, encoding="unicode")


def _asset(path: str) -> str:
    """Find `robosuite/models/a.stl` in the installed package."""
    package, _, rest = path.partition("/")
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (found := Path(folder) / rest).is_file():
            return str(found)
    raise PermError(f"There is no {path}; is the package {package} installed?")
