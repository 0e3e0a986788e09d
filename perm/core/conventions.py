"""Action, gripper, camera and side conventions, in one place and tested against the simulator.

Actions are LIBERO's: 7 numbers in [-1, 1] at 20 Hz, a delta of the end-effector pose in the
world frame and a gripper command.
"""

import numpy as np

from perm.core.arrays import FloatArray

CONTROL_HZ = 20
DT = 1.0 / CONTROL_HZ
ACTION_SIZE = 7
POSITION_SCALE = 0.05
"""Metres of commanded displacement for an action entry of 1 (entries 0 to 2)."""
ROTATION_SCALE = 0.5
"""Radians of commanded rotation for an action entry of 1 (entries 3 to 5, axis-angle, world)."""
GRIPPER_OPEN = -1.0
GRIPPER_CLOSE = 1.0
GRIPPER_MAX_WIDTH = 0.078
"""Largest distance between the finger pads [m]."""

N_STARTS = 50
"""Init indices of a layout: 0 to 49."""
DEMO_INDICES = tuple(range(30))
"""Init indices that demonstrations and calibrations start from."""
BAR_INDICES = tuple(range(30, N_STARTS))
"""Init indices that are only measured: no scale is ever fitted on what it is then used to judge."""

CAMERAS = ("agentview", "robot0_eye_in_hand")
"""AgentView and Eye-in-Hand, by their names in the simulator."""

EDIT_CLEARANCE = 0.03
"""Free width that an edit of a layout leaves round what it adds or moves [m]."""

SIDES = {
    "left": np.array([0.0, -1.0, 0.0]),
    "right": np.array([0.0, 1.0, 0.0]),
    "front": np.array([1.0, 0.0, 0.0]),
    "back": np.array([-1.0, 0.0, 0.0]),
}
"""LIBERO's words for directions, as unit vectors of the world frame; front is the camera's side."""


def hold_action(gripper: float = GRIPPER_OPEN) -> FloatArray:
    """Return the action that keeps the arm where it is, shape (7,)."""
    action = np.zeros(ACTION_SIZE)
    action[6] = gripper
    return action


SIMULATIONS = ("core", "stock")
"""What steps a scene: perm's own core, or LIBERO's `ControlEnv`; the states are the same bits."""
