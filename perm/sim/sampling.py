"""LIBERO's own samplers of poses, on a scene of their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import PermError
from perm.core.layout import Layout
from perm.sim.scene import build_scene, global_numpy_seed

Pose = tuple[FloatArray, FloatArray]
"""Position (3,) [m] and quaternion (4,) wxyz."""


@dataclass(frozen=True)
class Placement:
    """Where everything starts.

    Attributes:
        fixtures, objects: Poses by name; of objects only those that LIBERO's samplers place.
        joints: Positions of drawers, doors and knobs that `:init` opens, closes or turns, by joint.
    """

    fixtures: Mapping[str, Pose]
    objects: Mapping[str, Pose]
    joints: Mapping[str, float]


class Sampler:
    """Draws placements of one layout."""

    def __init__(self, layout: Layout) -> None:
        """Let LIBERO build its scene, samplers and all.

        Raises:
            PermError: A category is unknown, or the objects cannot be placed.
        """
        self._scene: Any = build_scene(layout)

    def sample(self, seed: int) -> Placement:
        """Draw a placement; the same seed gives the same one, whatever was drawn before.

        LIBERO adds the pose drawn for a fixture to where its places are now. That is right only
        while fixtures stand where its model has them, as in its reset, which builds all anew.

        Raises:
            PermError: LIBERO's samplers found no room.
        """
        from robosuite.utils.errors import RandomizationError

        scene = self._scene
        model, data = scene.sim.model._model, scene.sim.data._data
        mujoco.mj_resetData(model, data)
        self._put_fixtures_back()
        try:
            with global_numpy_seed(seed):
                joints = self._set_joints()
                mujoco.mj_kinematics(model, data)
                placed = scene.placement_initializer.sample()
                placed = scene.conditional_placement_initializer.sample(scene.sim, placed)
                placed = scene.conditional_placement_on_objects_initializer.sample(placed)
        except RandomizationError as error:
            raise PermError(
                f"LIBERO's sampler found no room for the objects of this layout: {error}"
            ) from error
        poses = {item.name: _pose(pos, quat) for pos, quat, item in placed.values()}
        fixtures = {name: pose for name, pose in poses.items() if name in scene.fixtures_dict}
        objects = {name: pose for name, pose in poses.items() if name not in fixtures}
        return Placement(fixtures, objects, joints)

    def close(self) -> None:
        """Free the scene."""
        self._scene.close()

    def _put_fixtures_back(self) -> None:
        """Put fixtures where a newly built model has them."""
        model = self._scene.sim.model._model
        for fixture in self._scene.fixtures_dict.values():
            body, element = model.body(fixture.root_body), fixture.get_obj()
            body.pos = [float(x) for x in element.get("pos", "0 0 0").split()]
            body.quat = [float(x) for x in element.get("quat", "1 0 0 0").split()]

    def _set_joints(self) -> dict[str, float]:
        """Open, close and turn what `:init` says."""
        scene, joints = self._scene, {}
        for initializer in scene.object_property_initializers:
            position = initializer.sample()
            scene.object_states_dict[initializer.name].set_joint(position)
            for joint in scene.get_object(initializer.name).joints:
                joints[joint] = float(position)
        return joints


def _pose(pos: Any, quat: Any) -> Pose:
    return np.array(pos, dtype=np.float64), np.array(quat, dtype=np.float64)
