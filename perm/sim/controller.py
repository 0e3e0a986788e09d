"""The robot's controller on the fast path: state between control steps, goals from actions."""

from typing import Any

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
        from robosuite.utils import transform_utils as transforms

        from perm.sim import compiled

        self._update_arm, self._aim = compiled.update_arm, compiled.aim
        self._control_step = compiled.control_step
        self._quat2mat = transforms.quat2mat
        self._address = model._address, data._address
        self._site = model.site(arm.grip_site).id
        self._seen = seen
        # Views of MuJoCo's memory; they keep the model and the data alive.
        self._physics = Physics(*(getattr(data, name) for name in Physics._fields))
        self._gains, self._speed = _gains(model, arm), arm.finger_speed
        self._reach = np.array(
            (arm.action_low, arm.action_high, arm.action_middle, arm.scale, arm.output_middle)
        )
        self.arm = empty_arm_state()
        self.command = Command(np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros(2), np.zeros(1))
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
        scene = (*self._address, self._site, self.is_current, self._physics)
        arm, command, seen = self.arm, self.command, self._seen
        speed = self._speed
        turns = call_compiled(
            self._aim, *scene, arm.pos, arm.rotation, command, self._reach, speed, seen.last, action
        )
        if turns:
            # Through robosuite's function: it goes by single precision.
            turn = self._quat2mat(_quat(command.turn))
            command.rotation[:] = np.dot(turn, arm.rotation)
        call_compiled(self._control_step, *scene, arm, command, self._gains, seen)
        self.is_current = False


def _quat(turn: FloatArray) -> FloatArray:
    """Return axis times angle (3,) as a quaternion xyzw; robosuite's arithmetic, fewer calls."""
    angle = np.sqrt(np.dot(turn, turn))
    quat = np.array([0.0, 0.0, 0.0, 1.0])
    if angle:
        quat[:3] = turn / angle * np.sin(angle / 2.0)
        quat[3] = np.cos(angle / 2.0)
    return quat


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
