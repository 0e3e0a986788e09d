"""Settled: reached, at rest, and let go."""

import numpy as np

from perm.core.conventions import DT
from perm.core.mission import Goal, Mission
from perm.sim.recorder import Recorder

SETTLED_STEPS = 10
REST_SPEED = 0.01
"""Below this an object is at rest [m/s]."""
OPEN_WIDTH = 0.06
"""From this distance between the fingers on the gripper is open [m]."""


def is_settled(recorder: Recorder, mission: Mission, preferred: Goal | None = None) -> bool:
    """Return whether the goal has held for 10 steps with its objects at rest and let go.

    A goal that is passed has to have been reached; it cannot hold.

    What has to be at rest and let go are the first arguments of the goal's atoms: objects, or
    drawers, doors and knobs, which rest when the joints do and are let go when no finger touches a
    fixture.

    Args:
        recorder: What happened so far.
        mission: Whose goal is meant.
        preferred: In place of that goal, the one with the preferred choice.
    """
    if recorder.n_rows <= SETTLED_STEPS:
        return False
    goal, column = (mission.goal, "success") if preferred is None else (preferred, "preferred")
    holds = bool(recorder.tail(column, SETTLED_STEPS).all())
    if not holds and not (mission.goal_is_passed and recorder.column(column).any()):
        return False
    moved = {atom[1] for atoms in goal.any_of for atom in atoms}
    indices = [i for i, name in enumerate(recorder.object_names) if name in moved]
    joints = recorder.tail("joint_pos", SETTLED_STEPS)
    if joints.size and np.ptp(joints, axis=0).max() > REST_SPEED * DT * SETTLED_STEPS:
        return False
    if len(indices) < len(moved) and recorder.tail("on_fixture", SETTLED_STEPS).any():
        return False
    if not indices:
        return True
    if recorder.tail("contact", SETTLED_STEPS)[:, indices].any():
        return False
    positions = recorder.tail("object_pos", SETTLED_STEPS)[:, indices]
    if np.ptp(positions, axis=0).max() > REST_SPEED * DT * SETTLED_STEPS:
        return False
    return bool(recorder.tail("gripper_width", 1)[0] >= OPEN_WIDTH)
