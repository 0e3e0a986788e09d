"""Rotations as matrices and as wxyz quaternions, with nothing but numpy."""

import math
from typing import Any

import numpy as np

from perm.core.arrays import FloatArray


def quat_to_matrix(quat: FloatArray) -> FloatArray:
    """Return the rotation matrix of a unit quaternion.

    Args:
        quat: wxyz, shape (..., 4).

    Returns:
        Rotation matrices, shape (..., 3, 3).
    """
    w, x, y, z = np.moveaxis(np.asarray(quat, dtype=np.float64), -1, 0)
    rows = _rows(w, x, y, z)
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def matrix_to_quat(matrix: FloatArray) -> FloatArray:
    """Return the wxyz quaternion (w >= 0) of one rotation matrix of shape (3, 3).

    The symmetric matrix of the quaternion's products is taken, and of its columns the longest, so
    that half turns (a gripper that points down) are as exact as others.
    """
    # Plain floats: this is called a few times in each control step.
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = np.asarray(matrix, dtype=np.float64).tolist()
    trace = xx + yy + zz
    turn = (zy - yz, xz - zx, yx - xy)
    columns = (
        (1 + xx + yy + zz, *turn),
        (turn[0], 1 + 2 * xx - trace, xy + yx, xz + zx),
        (turn[1], xy + yx, 1 + 2 * yy - trace, yz + zy),
        (turn[2], xz + zx, yz + zy, 1 + 2 * zz - trace),
    )
    longest = max(range(4), key=lambda i: columns[i][i])
    quat: FloatArray = np.array(columns[longest])
    quat = quat / math.sqrt(quat @ quat)
    return -quat if quat[0] < 0 else quat


def axis_angle(quat: FloatArray) -> FloatArray:
    """Return axis times angle [rad] as robosuite's `quat2axisangle`: the angle is in [0, 2 pi].

    The sign of the quaternion is kept: LIBERO's files hold this, and models were trained on it.
    It is longer than pi where w < 0; `rotation_vector` gives the shortest rotation.

    Args:
        quat: Unit quaternions xyzw, shape (..., 4).

    Returns:
        Shape (..., 3); zero where there is no rotation.
    """
    xyzw = np.asarray(quat, dtype=np.float64)
    w = np.clip(xyzw[..., 3:], -1.0, 1.0)
    sine = np.sqrt(1.0 - w * w)
    turned = sine > 0
    vector = xyzw[..., :3] * 2.0 * np.arccos(w) / np.where(turned, sine, 1.0)
    return np.where(turned, vector, 0.0)


def rotation_vector(matrix: FloatArray) -> FloatArray:
    """Return axis times angle [rad] of one rotation matrix, shape (3,)."""
    w, *xyz = matrix_to_quat(matrix)
    vector = np.asarray(xyz)
    sine = float(np.linalg.norm(vector))
    if sine < 1e-12:
        return np.zeros(3)
    angle = 2 * float(np.arctan2(sine, w))
    return angle / sine * vector


def rotation_from_vector(vector: FloatArray) -> FloatArray:
    """Return the rotation matrix of axis times angle [rad], shape (3, 3)."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-12:
        return np.eye(3)
    half = angle / 2
    w, (x, y, z) = float(np.cos(half)), (np.sin(half) * vector / angle).tolist()
    # Plain floats: this is called for each pose of a path.
    return np.array(_rows(w, x, y, z))


def interpolate_rotation(start: FloatArray, stop: FloatArray, share: FloatArray) -> FloatArray:
    """Return rotations that are `share` (N,), 0 to 1, of the way from start to stop, (N, 3, 3)."""
    turn = rotation_vector(stop @ start.T)
    return np.array([rotation_from_vector(turn * one) @ start for one in share])


def _rows(w: Any, x: Any, y: Any, z: Any) -> list[list[Any]]:
    """Return the rotation matrix of a unit quaternion, of numbers or of arrays of them."""
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
