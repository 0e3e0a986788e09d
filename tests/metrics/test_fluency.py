import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.metrics.fluency import log_dimensionless_jerk

SMOOTHEST = -5.322033893165353
"""Of the path of least jerk, worked out by hand."""


def least_jerk(n: int, distance: float = 0.5) -> FloatArray:
    u = np.linspace(0.0, 1.0, n)[:, None]
    return distance * (10 * u**3 - 15 * u**4 + 6 * u**5) * np.array([0.6, 0.8, 0.0])


def test_the_path_of_least_jerk_has_the_value_worked_out_by_hand() -> None:
    assert log_dimensionless_jerk(least_jerk(2001), 2.0 / 2000) == pytest.approx(
        SMOOTHEST, abs=0.02
    )


def test_neither_length_nor_duration_matters() -> None:
    here = log_dimensionless_jerk(least_jerk(201), 0.01)
    assert here == pytest.approx(log_dimensionless_jerk(least_jerk(201, 2.0), 0.05))


def test_a_shaking_hand_is_less_smooth() -> None:
    shaking = least_jerk(201) + 1e-3 * np.random.default_rng(0).normal(size=(201, 3))
    assert log_dimensionless_jerk(shaking, 0.01) < SMOOTHEST - 5


def test_nothing_can_be_said_of_a_hand_at_rest_or_of_three_positions() -> None:
    assert log_dimensionless_jerk(np.zeros((50, 3)), 0.05) is None
    assert log_dimensionless_jerk(least_jerk(3), 0.05) is None
