"""How smoothly a hand moved, whatever was asked."""

import math

import numpy as np

from perm.core.arrays import FloatArray


def log_dimensionless_jerk(pos: FloatArray, dt: float) -> float | None:
    """Return minus the logarithm of the dimensionless jerk of a path: the larger, the smoother.

    -ln(T^3 / v^2 * integral of |jerk|^2 dt), with the duration T and the largest speed v. It
    depends neither on the length of the path nor on its duration.

    Args:
        pos: Positions (N, 3) [m], evenly spaced in time.
        dt: Time between two of them [s].

    Returns:
        The value, or None for fewer than four positions or where nothing moved or jerked.

    Source: Hogan and Sternad, J. Mot. Behav. 41 (2009), 529-534.
    """
    if len(pos) < 4:
        return None
    speed = float(np.linalg.norm(np.diff(pos, axis=0), axis=1).max()) / dt
    jerk = np.diff(pos, n=3, axis=0) / dt**3
    total = float((jerk**2).sum()) * dt
    if speed == 0 or total == 0:
        return None
    duration = dt * (len(pos) - 1)
    return -math.log(duration**3 / speed**2 * total)
