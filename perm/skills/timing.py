"""From a path to a pose for each control step: time-optimal within limits, by TOPP-RA."""

import functools
from typing import Any

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import DT
from perm.skills.pose import Path, rotations_at

TURN_ACCELERATION = 6.0
"""[rad/s^2]."""
AXIS_SPEED, TURN_SPEED = 0.25, 1.4
"""What LIBERO's controller does at most: along an axis of the world [m/s], turning [rad/s]."""
GRID = 0.01
"""Distance between the points at which the limits are kept [m]."""
STILL = 1e-3
"""A path shorter than this is a point [m]."""


def time_path(path: Path, speed: float, acceleration: float, turn_speed: float) -> Path:
    """Return the poses at the control steps of a run from rest to rest, the start excluded.

    Args:
        path: Where to go.
        speed: Largest speed [m/s].
        acceleration: Largest acceleration along each axis of the world [m/s^2].
        turn_speed: Largest rotation speed of the hand [rad/s].
    """
    way = path.way
    if way[-1] < STILL:
        return Path(path.pos[-1:], path.rotation[-1:])
    keep = np.concatenate([[True], np.diff(way) > 1e-9])
    path, way = Path(path.pos[keep], path.rotation[keep]), way[keep]
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path.pos, axis=0), axis=1))])
    angle = np.concatenate([[0.0], np.cumsum(path.turns)])
    # TOPP-RA knows limits of single coordinates: the way and the angle are two of their own.
    coordinates = np.column_stack([path.pos, length, angle])
    fastest = np.array([AXIS_SPEED] * 3 + [speed, min(turn_speed, TURN_SPEED)])
    hardest = np.array([acceleration] * 4 + [TURN_ACCELERATION])
    done = _progress(coordinates, way / way[-1], fastest, hardest, way[-1]) * way[-1]
    pos = np.column_stack([np.interp(done, way, path.pos[:, i]) for i in range(3)])
    return Path(pos, rotations_at(path, done))


def _progress(
    coordinates: FloatArray,
    share: FloatArray,
    fastest: FloatArray,
    hardest: FloatArray,
    way: float,
) -> FloatArray:
    """Share of the way done after each control step, shape (N,), the last is 1."""
    toppra = _toppra()
    curve = toppra.SplineInterpolator(share, coordinates)
    limits = [
        toppra.constraint.JointVelocityConstraint(np.column_stack([-fastest, fastest])),
        toppra.constraint.JointAccelerationConstraint(np.column_stack([-hardest, hardest])),
    ]
    grid = np.linspace(0.0, 1.0, max(20, int(way / GRID)) + 1)
    solver = toppra.algorithm.TOPPRA(limits, curve, gridpoints=grid)
    _, speeds, _ = solver.compute_parameterization(0.0, 0.0)
    # Between two points the speed along the path changes evenly.
    steps = 2 * np.diff(grid) / np.maximum(speeds[1:] + speeds[:-1], 1e-9)
    times = np.concatenate([[0.0], np.cumsum(steps)])
    n = max(1, int(np.ceil(times[-1] / DT - 1e-9)))
    moments = np.arange(1, n + 1) / n * times[-1]
    k = np.clip(np.searchsorted(times, moments) - 1, 0, len(grid) - 2)
    into = moments - times[k]
    rate = (speeds[k + 1] - speeds[k]) / steps[k]
    done: FloatArray = grid[k] + speeds[k] * into + rate * into**2 / 2
    return np.clip(done, 0.0, 1.0)


@functools.cache
def _toppra() -> Any:
    """Import it when it is needed: it takes a second."""
    import toppra
    import toppra.algorithm
    import toppra.constraint

    toppra.setup_logging("ERROR")
    return toppra
