import importlib
from collections import namedtuple

import numpy as np
import pytest

from perm.core.arrays import FloatArray

pytestmark = pytest.mark.sim


def random_arm(seed: int):
    """An arm state with a random pose's inertia and Jacobian."""
    from perm.sim.osc import empty_arm_state

    rng = np.random.default_rng(seed)
    arm = empty_arm_state()
    root = rng.normal(size=(7, 7))
    arm.mass[:] = root @ root.T + np.eye(7)
    arm.jacobian[:] = rng.normal(size=(6, 7))
    if seed % 4 == 0:  # a singular pose
        arm.jacobian[3] = 2 * arm.jacobian[0]
    arm.jacobian_pos[:], arm.jacobian_turn[:] = arm.jacobian[:3], arm.jacobian[3:]
    return arm


def test_the_operational_space_matrices_are_robosuites_to_the_last_bit() -> None:
    from robosuite.utils.control_utils import opspace_matrices as robosuites

    from perm.sim.compiled import opspace_matrices
    from perm.sim.linking import link_libraries

    link_libraries()
    for seed in range(200):
        arm = random_arm(seed)
        _, *theirs = robosuites(arm.mass, arm.jacobian, arm.jacobian_pos, arm.jacobian_turn)
        for mine, reference in zip(opspace_matrices(arm), theirs, strict=True):
            assert np.array_equal(mine, reference), seed


@pytest.mark.parametrize("matrix", [np.zeros((3, 3)), np.diag([2.0, 1.0, 0.0]), np.eye(6)])
def test_the_pseudo_inverse_leaves_out_what_is_singular(matrix: FloatArray) -> None:
    from perm.sim.compiled import pinv
    from perm.sim.linking import link_libraries
    from perm.sim.osc import make_room

    link_libraries()
    found = pinv(np.asfortranarray(matrix), make_room(len(matrix)))
    assert found == pytest.approx(np.linalg.pinv(matrix), abs=1e-12)


def test_a_record_whose_fields_have_moved_is_noticed_before_stale_code_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from perm.sim import compiled, osc

    moved = namedtuple("Gains", reversed(osc.Gains._fields))
    monkeypatch.setattr(osc, "Gains", moved)
    with pytest.raises(ImportError, match="Gains has changed"):
        importlib.reload(compiled)
    monkeypatch.undo()
    importlib.reload(compiled)
