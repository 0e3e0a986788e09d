"""From a path to a pose for each control step."""

from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import DT
from perm.core.geometry import interpolate_rotation, rotation_vector


@dataclass(frozen=True)
class TimedPath:
    """Reference poses, one per control step, the start excluded.

    Attributes:
        pos: (N, 3) [m].
        rotation: (N, 3, 3).
    """

    pos: FloatArray
    rotation: FloatArray


def time_path(
    points: FloatArray,
    start: FloatArray,
    stop: FloatArray,
    speed: float,
    acceleration: float,
    turn_speed: float,
) -> TimedPath:
    """Run along a path with a trapezoidal speed, turning evenly from start to stop.

    Args:
        points: Polyline (K, 3), K >= 2 [m].
        start: Rotation at its beginning (3, 3).
        stop: Rotation at its end (3, 3).
        speed: Largest speed along the path [m/s].
        acceleration: [m/s^2].
        turn_speed: Largest rotation speed [rad/s].
    """
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    angle = float(np.linalg.norm(rotation_vector(stop @ start.T)))
    share = _progress(float(lengths[-1]), angle, speed, acceleration, turn_speed)
    along = share * lengths[-1]
    pos = np.stack([np.interp(along, lengths, points[:, i]) for i in range(3)], axis=1)
    rotation = np.stack([interpolate_rotation(start, stop, float(s)) for s in share])
    return TimedPath(pos, rotation)


def _progress(
    length: float, angle: float, speed: float, acceleration: float, turn_speed: float
) -> FloatArray:
    """Share of the path done after each control step, shape (N,), the last is 1."""
    cruise = min(speed, float(np.sqrt(acceleration * length))) if length > 1e-6 else 0.0
    if not cruise:
        n = max(1, int(np.ceil(angle / turn_speed / DT - 1e-9)))
        return np.arange(1, n + 1) / n
    ramp = cruise / acceleration
    duration = length / cruise + ramp
    # The turn goes with the way, fastest where the way is; it may need more time than the way.
    slowdown = max(1.0, angle * cruise / length / turn_speed)
    ramp, duration = ramp * slowdown, duration * slowdown
    n = int(np.ceil(duration / DT - 1e-9))
    time = np.arange(1, n + 1) / n * duration
    top = 1.0 / (duration - ramp)
    rising = 0.5 * top / ramp * time**2
    level = top * (time - ramp / 2)
    falling = 1.0 - 0.5 * top / ramp * (duration - time) ** 2
    share = np.where(time < ramp, rising, np.where(time <= duration - ramp, level, falling))
    return np.clip(share, 0.0, 1.0)
