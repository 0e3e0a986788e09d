"""What a model answers, checked and turned into the environment's actions."""

from collections.abc import Mapping

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import ACTION_SIZE, GRIPPER_CLOSE, GRIPPER_OPEN
from perm.policies.errors import PolicyServerError

GRIPPERS: Mapping[str, tuple[float, float]] = {
    "minus1_open": (-1.0, 1.0),
    "minus1_close": (1.0, -1.0),
    "zero_open_one_close": (0.0, 1.0),
    "zero_close_one_open": (1.0, 0.0),
}
"""Gripper conventions: the model's numbers for open and for closed."""


def read_chunk(answer: object, gripper: str, strict: bool) -> FloatArray:
    """Return a model's answer as actions of the environment.

    Entries of the arm are passed on as they are; what lies outside [-1, 1] is clipped by the
    simulator and counted there.

    Args:
        answer: An array, or lists of lists, of shape (n, 7), n >= 1.
        gripper: A name in `GRIPPERS`.
        strict: Refuse gripper entries outside the range of the convention.

    Returns:
        Shape (n, 7), gripper -1 open and 1 closed.

    Raises:
        PolicyServerError: Wrong shape, not numbers, NaN or infinity, or `strict` and out of range.
    """
    actions = _as_numbers(answer)
    if not np.isfinite(actions).all():
        row, column = np.argwhere(~np.isfinite(actions))[0]
        raise PolicyServerError(
            f"The policy server sent {actions[row, column]} as entry {column} of action {row}."
        )
    opened, closed = GRIPPERS[gripper]
    if strict:
        _check_range(actions[:, -1], gripper)
    scale = (GRIPPER_CLOSE - GRIPPER_OPEN) / (closed - opened)
    actions[:, -1] = actions[:, -1] * scale + (GRIPPER_OPEN - opened * scale)
    return actions


def _as_numbers(answer: object) -> FloatArray:
    try:
        array = np.asarray(answer)
    except ValueError:  # rows of different lengths
        array = np.empty(0, dtype=object)
    is_numeric = array.dtype.kind in "fiu"
    if is_numeric and array.ndim == 2 and array.shape[1] == ACTION_SIZE and len(array):
        return array.astype(np.float64)
    got = f"shape {array.shape}" if is_numeric else f"type {type(answer).__name__}, not numbers"
    raise PolicyServerError(
        f"The policy server sent actions of {got}; the profile wants shape (n, {ACTION_SIZE}) "
        "with n >= 1: one row a step, no batch axis."
    )


def _check_range(values: FloatArray, gripper: str) -> None:
    low, high = sorted(GRIPPERS[gripper])
    outside = values[(values < low) | (values > high)]
    if len(outside):
        raise PolicyServerError(
            f"The policy server sent gripper {outside[0]:g}; the profile's convention {gripper} "
            f"goes from {low:g} to {high:g}. Is it the model's convention? Known: "
            f"{', '.join(GRIPPERS)}. A model that only overshoots needs strict_gripper: false."
        )
