"""The robot's controller on the fast path: state between control steps, goals from actions."""

import math
from typing import Any

import mujoco
import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import PermError
from perm.sim.blueprint import Arm
from perm.sim.linking import call_compiled, link_libraries
from perm.sim.osc import Command, Gains, Physics, empty_arm_state
from perm.sim.quiet import import_robosuite
from perm.sim.seen import Seen


class Controller:
    """robosuite's OSC_POSE and its gripper, bit for bit, on a model of its own.

    Attributes:
        arm: What it knows of the arm.
        command: Its goal.
        is_current: Whether `arm` is not updated in the next physics step.
    """

    def __init__(self, model: Any, data: Any, arm: Arm, seen: Seen) -> None:
        """Take a scene whose robot it moves, and where to note what is seen on the way.

        Raises:
            PermError: The robot's joints are not the first ones of the model.
        """
        _check_order(model, arm)
        link_libraries()
        import_robosuite()
        from perm.sim import compiled

        self._update_arm, self._control_step = compiled.update_arm, compiled.control_step
        self._model, self._data, self._robot = model, data, arm
        self._site = model.site(arm.grip_site).id
        self._seen = seen
        self._physics = Physics(*(getattr(data, name) for name in Physics._fields))
        self._gains = _gains(model, arm)
        self.arm = empty_arm_state()
        self.command = Command(np.zeros(3), np.zeros((3, 3)), np.zeros(2), np.zeros(1))
        self.is_current = False

    def restart(self) -> None:
        """Begin an episode where the scene is now; derived quantities have to be up to date."""
        call_compiled(self._update_arm, *self._address, self._site, self._physics, self.arm)
        self.command.pos[:] = self.arm.pos
        self.command.rotation[:] = self.arm.rotation
        self.command.fingers[:] = 0.0
        self.is_current = True

    def step(self, action: FloatArray) -> None:
        """Execute one action, (7,), in 25 physics steps."""
        mujoco.mj_step1(self._model, self._data)
        self._set_goal(action)
        call_compiled(
            self._control_step,
            *self._address,
            self._site,
            self.is_current,
            self._physics,
            self.arm,
            self.command,
            self._gains,
            self._seen,
        )
        self.is_current = False

    @property
    def _address(self) -> tuple[int, int]:
        return self._model._address, self._data._address

    def _set_goal(self, action: FloatArray) -> None:
        """Set the goal relative to the hand, the rotation only if the action turns it."""
        from robosuite.utils.control_utils import set_goal_orientation

        arm, robot = self.arm, self._robot
        if self.is_current:
            pos, rotation = arm.pos, arm.rotation
        else:
            pos = self._physics.site_xpos[self._site]
            rotation = self._physics.site_xmat[self._site].reshape(3, 3)
        clipped = np.clip(action[:6], robot.action_low, robot.action_high)
        delta = (clipped - robot.action_middle) * robot.scale + robot.output_middle
        if not all(math.isclose(turn, 0.0) for turn in delta[3:]):
            self.command.rotation[:] = set_goal_orientation(delta[3:], rotation)
        self.command.pos[:] = pos + delta[:3]
        self.command.squeeze[0] = -1.0 * robot.finger_speed * np.sign(action[6])


def _gains(model: Any, arm: Arm) -> Gains:
    low, high = model.actuator_ctrlrange[7:9].T
    return Gains(
        arm.kp,
        arm.kd,
        arm.rest_qpos,
        arm.torque_low,
        arm.torque_high,
        0.5 * (high + low),
        0.5 * (high - low),
    )


def _check_order(model: Any, arm: Arm) -> None:
    """Compiled code counts on the robot being first; LIBERO's scenes always have it there."""
    expected = [*arm.joints, *arm.fingers]
    first = [model.joint(i).name for i in range(min(len(expected), model.njnt))]
    if first != expected or model.nu != len(expected):
        raise PermError(f"The scene's first joints are {first}, not the robot's {expected}.")
