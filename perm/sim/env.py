"""One LIBERO scene: begin it anywhere, step it, look at it."""

from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.core.conventions import ACTION_SIZE
from perm.core.episode import Start
from perm.core.errors import PermError
from perm.core.layout import Layout
from perm.core.policy import Observation
from perm.sim.scene import build_scene

SUBSTEPS = 25
"""Physics steps of 2 ms in one control step of 50 ms."""
VIEW_SUBSTEP = 24
"""The physics step after which LIBERO samples observations and images in an episode that began
from a stored state: one before the last."""


class SimEnv:
    """LIBERO's environment with its traps handled; state only until a camera is asked for.

    Everything that an episode depends on is in its Start: two episodes with the same Start and
    actions have the same states, whatever ran before.

    Attributes:
        layout: What was built.
        scene: LIBERO's inner environment; `perm.sim` and the expert may look into it.
        studio: Where images are drawn, see `perm.sim.render`; None until one is asked for.
    """

    def __init__(self, layout: Layout) -> None:
        """Build the scene; `begin` puts it into a state.

        Raises:
            PermError: A category is unknown, or the objects cannot be placed.
        """
        self.layout = layout
        self.scene: Any = build_scene(layout)
        self.studio: Any = None
        self._view_qpos = np.zeros(0)
        self._proprio: dict[str, AnyArray] = {}

    @property
    def model(self) -> Any:
        """The mujoco.MjModel."""
        return self.scene.sim.model._model

    @property
    def data(self) -> Any:
        """The mujoco.MjData."""
        return self.scene.sim.data._data

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of all joints in the order of the state."""
        return tuple(self.model.joint(i).name for i in range(self.model.njnt))

    @property
    def state(self) -> FloatArray:
        """[time, qpos, qvel], shape (1 + nq + nv,), a copy."""
        return np.concatenate([[self.data.time], self.data.qpos, self.data.qvel])

    @property
    def view_qpos(self) -> FloatArray:
        """The qpos that cameras saw last, shape (nq,); see `perm.sim.render`."""
        return self._view_qpos

    @property
    def fixture_bodies(self) -> dict[str, int]:
        """Body ids of the fixtures that have a pose of their own, by name."""
        bodies = {}
        for name, fixture in self.scene.fixtures_dict.items():
            index = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, fixture.root_body)
            if index >= 0:
                bodies[name] = index
        return bodies

    @property
    def ee_pos(self) -> FloatArray:
        """Position of the grip site in the world frame [m], shape (3,)."""
        return np.array(self.data.site_xpos[self.scene.robots[0].eef_site_id])

    @property
    def ee_rotation(self) -> FloatArray:
        """Rotation of the grip site, shape (3, 3): x opens the fingers, z is the approach."""
        return np.array(self.data.site_xmat[self.scene.robots[0].eef_site_id]).reshape(3, 3)

    @property
    def gripper_width(self) -> float:
        """Distance between the fingers [m]; their joints have opposite signs."""
        left, right = self.data.qpos[self.scene.robots[0]._ref_gripper_joint_pos_indexes]
        return float(left - right)

    def begin(self, start: Start) -> None:
        """Put the scene into a recorded start, bit for bit.

        Raises:
            PermError: The start belongs to another layout or another order of objects.
        """
        self._check_start(start)
        model, data = self.model, self.data
        mujoco.mj_resetData(model, data)
        for name, body in self.fixture_bodies.items():
            model.body_pos[body] = start.fixture_pos[name]
            model.body_quat[body] = start.fixture_quat[name]
        data.time = start.state[0]
        data.qpos[:] = start.state[1 : 1 + model.nq]
        data.qvel[:] = start.state[1 + model.nq :]
        robot = self.scene.robots[0]
        robot.gripper.current_action = np.zeros(robot.gripper.dof)
        mujoco.mj_forward(model, data)
        robot.controller.update(force=True)
        robot.controller.reset_goal()
        # Every forward pass writes the warm start, and the first solve depends on it.
        data.qacc_warmstart[:] = start.warmstart
        self.scene._post_process()
        self._look(data.qpos.copy())

    def step(self, action: FloatArray) -> None:
        """Execute one action of 50 ms.

        Args:
            action: Shape (7,), entries in [-1, 1]; see `perm.core.conventions`.

        Raises:
            PermError: The shape is wrong or a value is not finite.
        """
        action = np.asarray(action, dtype=np.float64)
        if action.shape != (ACTION_SIZE,) or not np.isfinite(action).all():
            raise PermError(f"An action is {ACTION_SIZE} finite numbers, got {action!r}.")
        for substep in range(1, SUBSTEPS + 1):
            self._control(action, is_new=substep == 1)
            before = self.data.qpos.copy() if substep == VIEW_SUBSTEP else None
            mujoco.mj_step2(self.model, self.data)
            if before is not None:
                self._look(before)
        self.scene._post_process()

    def _control(self, action: FloatArray, is_new: bool) -> None:
        """Take the first half of a physics step and let robosuite's controller set the torques.

        LIBERO makes a full forward pass before the controller, another inside it, and steps. The
        passes differ in nothing but the constraint solver, whose warm start each of them moves on;
        so the second one is only another solve here. The states are the same to the last bit.
        """
        model, data = self.model, self.data
        mujoco.mj_step1(model, data)
        mujoco.mj_fwdActuation(model, data)
        mujoco.mj_fwdAcceleration(model, data)
        mujoco.mj_fwdConstraint(model, data)
        sim = self.scene.sim
        sim.forward = lambda: mujoco.mj_fwdConstraint(model, data)
        try:
            self.scene._pre_action(action, policy_step=is_new)
        finally:
            del sim.forward

    def observe(self, image_size: int = 0) -> Observation:
        """Return what a policy sees.

        Args:
            image_size: Height and width of both camera images [px]; 0 for none.

        Returns:
            See `perm.core.policy.Observation`; images are raw, bottom row first.
        """
        if not image_size:
            return dict(self._proprio)
        from perm.sim.render import render_views

        images = render_views(self, self._view_qpos, image_size)
        return {**self._proprio, **{f"{name}_image": image for name, image in images.items()}}

    def close(self) -> None:
        """Free the simulator; using the environment afterwards is an error."""
        if self.studio is not None:
            from perm.sim.render import close_studio

            close_studio(self.studio)
        self.scene.close()
        self.scene = self.studio = None

    def _look(self, qpos: FloatArray) -> None:
        """Keep what sensors and cameras see at this moment."""
        robot, data = self.scene.robots[0], self.data
        quat = data.xquat[self.model.body(robot.robot_model.eef_name).id]
        self._view_qpos = qpos
        self._proprio = {
            "robot0_eef_pos": data.site_xpos[robot.eef_site_id].copy(),
            "robot0_eef_quat": quat[[1, 2, 3, 0]].copy(),
            "robot0_gripper_qpos": data.qpos[robot._ref_gripper_joint_pos_indexes].copy(),
            "robot0_joint_pos": data.qpos[robot._ref_joint_pos_indexes].copy(),
        }

    def _check_start(self, start: Start) -> None:
        if start.layout_digest != self.layout.digest:
            raise PermError(
                f"This start belongs to layout {start.layout_digest[:12]}, "
                f"the scene is {self.layout.digest[:12]}. Make the starts of this layout anew."
            )
        if start.joints != self.joints:
            raise PermError(
                f"The start's joints are not the scene's, in this order. "
                f"Start: {', '.join(start.joints)}. Scene: {', '.join(self.joints)}."
            )
        size = 1 + self.model.nq + self.model.nv
        if len(start.state) != size:
            raise PermError(f"The start's state has {len(start.state)} numbers instead of {size}.")
