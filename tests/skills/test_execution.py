import numpy as np
import pytest

from perm.core.geometry import rotation_from_vector
from perm.sim.load import Held
from perm.skills.execution import slipped

PAN = Held("pan", np.array([0.20, 0.0, 0.01]), np.eye(3))
"""A pan, 20 cm from the fingers that hold its handle."""


def test_what_pivots_between_the_finger_tips_has_not_slipped() -> None:
    tilted = rotation_from_vector(np.array([0.0, 0.5, 0.0]))
    after = Held("pan", tilted @ PAN.pos, tilted @ PAN.rotation)
    assert np.linalg.norm(after.pos - PAN.pos) > 0.09
    assert slipped(PAN, after) == pytest.approx(0.0, abs=1e-12)


def test_what_slides_through_the_fingers_has_slipped_so_far() -> None:
    after = Held("pan", PAN.pos - np.array([0.04, 0.0, 0.0]), PAN.rotation)
    assert slipped(PAN, after) == pytest.approx(0.04)
