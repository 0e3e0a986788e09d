"""Settled: reached, at rest, and let go."""

import numpy as np

from perm.core.conventions import DT
from perm.core.task import Task
from perm.sim.recorder import Recorder

SETTLED_STEPS = 10
REST_SPEED = 0.01
"""Below this an object is at rest [m/s]."""
OPEN_WIDTH = 0.06
"""From this distance between the fingers on the gripper is open [m]."""


def is_settled(recorder: Recorder, task: Task) -> bool:
    """Return whether the goal has held for 10 steps with its objects at rest and let go.

    The preferred goal where a second portion is asked for. A goal that is passed has to have been
    reached; it cannot hold.

    What has to be at rest and let go are the first arguments of the goal's atoms: objects, or
    drawers, doors and knobs, which rest when the joints do and are let go when no finger touches a
    fixture.
    """
    if recorder.n_rows <= SETTLED_STEPS:
        return False
    awaited = "preferred" if task.awaits_preferred else "success"
    goal = (task.awaits_preferred and task.preferred_goal) or task.mission.goal
    holds = bool(recorder.tail(awaited, SETTLED_STEPS).all())
    if not holds and not (task.mission.goal_is_passed and recorder.column(awaited).any()):
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
