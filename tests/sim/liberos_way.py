"""LIBERO as its users drive it: `reset`, `set_init_state`, `step`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from perm.core.arrays import AnyArray, FloatArray, ImageArray
from perm.core.conventions import CAMERAS
from perm.core.episode import Start
from perm.core.layout import Layout
from perm.sim.env import SimEnv
from perm.sim.scene import HORIZON, construct, place_again

SIZES = (128, 256)
"""Heights and widths of images [px]."""

ARM = {
    "pos": "ee_pos",
    "rotation": "ee_ori_mat",
    "velocity": "ee_pos_vel",
    "turn_rate": "ee_ori_vel",
    "joint_pos": "joint_pos",
    "joint_vel": "joint_vel",
    "jacobian": "J_full",
    "jacobian_pos": "J_pos",
    "jacobian_turn": "J_ori",
    "mass": "mass_matrix",
}
"""What perm and robosuite call the controller's memory."""


class LiberosWay:
    """LIBERO's `OffScreenRenderEnv`; it draws only when asked, and then in all sizes.

    Attributes:
        draws: Whether images are wanted; they take longer than all the rest.
        images: Those of the last step that drew; "agentview at 128".
    """

    def __init__(self, layout: Layout, state: FloatArray) -> None:
        """Build the environment, reset it and put it into a state."""
        self.draws = True
        self.images: dict[str, ImageArray] = {}
        self._env = construct(layout, _open)
        place_again(layout, self._scene.reset)
        for camera in CAMERAS:
            self._scene._observables[f"{camera}_image"].set_sensor(self._photographer(camera))
        self._told: dict[str, AnyArray] = self._env.set_init_state(state)

    @property
    def observations(self) -> dict[str, AnyArray]:
        """Those of the last step, without images."""
        return {name: value for name, value in self._told.items() if not name.endswith("_image")}

    @property
    def model(self) -> Any:
        """Its mujoco.MjModel."""
        return self._scene.sim.model._model

    @property
    def data(self) -> Any:
        """Its mujoco.MjData."""
        return self._scene.sim.data._data

    def step(self, action: FloatArray) -> None:
        """Execute an action."""
        self._lead_to_its_context()
        self._told, *_ = self._env.step(action)

    def hand_over(self, env: SimEnv) -> None:
        """Put one of perm's scenes into this state, with what the controller remembers.

        It remembers the arm as it was after `reset`, not as `set_init_state` has put it, and the
        first physics step goes by that.
        """
        model, data, bodies = self.model, self.data, env.fixture_bodies.items()
        env.begin(
            Start(
                state=np.concatenate([[data.time], data.qpos, data.qvel]),
                warmstart=data.qacc_warmstart.copy(),
                fixture_pos={name: model.body_pos[body].copy() for name, body in bodies},
                fixture_quat={name: model.body_quat[body].copy() for name, body in bodies},
                joints=env.joints,
                layout_digest=env.layout.digest,
            )
        )
        robot, controller = self._scene.robots[0], env._controller
        for ours, theirs in ARM.items():
            getattr(controller.arm, ours)[:] = getattr(robot.controller, theirs)
        controller.command.pos[:] = robot.controller.goal_pos
        controller.command.rotation[:] = robot.controller.goal_ori
        controller.command.fingers[:] = robot.gripper.current_action
        controller.is_current = not robot.controller.new_update

    def close(self) -> None:
        """Free the simulator and the cameras."""
        self._lead_to_its_context()
        self._env.close()

    def _lead_to_its_context(self) -> None:
        """LIBERO draws into whatever OpenGL context is current: let it be its own, not perm's."""
        self._scene.sim._render_context_offscreen.gl_ctx.make_current()

    @property
    def _scene(self) -> Any:
        return self._env.env

    def _photographer(self, camera: str) -> Callable[[Any], ImageArray]:
        """LIBERO's sensors of a camera, in all sizes, when images are wanted."""
        from robosuite.utils.observables import sensor

        create = self._scene._create_camera_sensors
        cameras = {size: create(camera, size, size, False, None)[0][0] for size in SIZES}
        blank = np.zeros((SIZES[0], SIZES[0], 3), np.uint8)

        @sensor(modality="image")  # type: ignore[untyped-decorator]
        def photograph(cache: Any) -> ImageArray:
            if not self.draws:
                return blank
            for size, shoot in cameras.items():
                self.images[f"{camera} at {size}"] = shoot(cache)
            return self.images[f"{camera} at {SIZES[0]}"]

        return photograph


def _open(path: str) -> Any:
    from libero.libero.envs import OffScreenRenderEnv

    return OffScreenRenderEnv(
        bddl_file_name=path,
        camera_heights=SIZES[0],
        camera_widths=SIZES[0],
        horizon=HORIZON,
        ignore_done=True,
    )
