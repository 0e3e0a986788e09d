"""Where objects and named places are in the course of an episode."""

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import unknown_name
from perm.core.geometry import quat_to_matrix
from perm.core.trace import Trace


def object_centre(trace: Trace, name: str, row: int) -> FloatArray:
    """Return the middle of an object's bounding box in the world frame, shape (3,) [m]."""
    rotation = quat_to_matrix(trace.object_quat[name][row])
    centre: FloatArray = trace.object_pos[name][row] + rotation @ trace.objects[name].centre
    return centre


def centre_path(trace: Trace, name: str) -> FloatArray:
    """Return `object_centre` at all rows, shape (T+1, 3) [m]."""
    rotations = quat_to_matrix(trace.object_quat[name])
    path: FloatArray = trace.object_pos[name] + rotations @ trace.objects[name].centre
    return path


def region_poses(trace: Trace, name: str) -> tuple[FloatArray, FloatArray]:
    """Return where a region is: it moves with a movable object or a drawer that it belongs to.

    Args:
        trace: Any trace.
        name: A region.

    Returns:
        Centres, shape (T+1, 3) [m], and rotations, shape (T+1, 3, 3), in the world frame.

    Raises:
        PermError: Neither a region nor an object of the trace has this name.
    """
    if name not in trace.regions:
        raise unknown_name("target", name, [*trace.objects, *trace.regions])
    region, n_rows = trace.regions[name], trace.n_steps + 1
    rotation = quat_to_matrix(region.quat)
    if region.parent not in trace.objects:
        slid = np.zeros((n_rows, 3))
        if region.joint is not None and region.axis is not None:
            joint = trace.joint_pos[region.joint]
            slid = (joint - joint[0])[:, None] * region.axis
        return region.pos + slid, np.tile(rotation, (n_rows, 1, 1))
    pos, turns = trace.object_pos[region.parent], quat_to_matrix(trace.object_quat[region.parent])
    turns = turns @ turns[0].T
    return pos + turns @ (region.pos - pos[0]), turns @ rotation


def target_path(trace: Trace, name: str) -> FloatArray:
    """Return where the origin of an object or a region is, shape (T+1, 3) [m].

    Raises:
        PermError: There is neither an object nor a region of this name.
    """
    return trace.object_pos[name] if name in trace.objects else region_poses(trace, name)[0]
