from pathlib import Path

import numpy as np
import pytest

from perm.sim.stock import StockEnv

from .scenes import scene

pytestmark = pytest.mark.sim

SAME = (
    "body_mass", "body_inertia", "body_ipos", "body_iquat", "body_invweight0", "dof_invweight0",
    "dof_M0", "dof_armature", "dof_damping", "qpos0", "jnt_range", "actuator_ctrlrange",
    "site_pos", "site_size", "site_bodyid",
)  # fmt: skip


def test_what_moves_is_the_same_without_what_only_can_be_seen() -> None:
    env = scene("104")
    whole = StockEnv(env.layout).model
    for name in SAME:
        assert np.array_equal(getattr(whole, name), getattr(env.model, name)), name
    assert whole.stat.meaninertia == env.model.stat.meaninertia
    assert env.model.ngeom < whole.ngeom
    assert env.model.nbuffer < whole.nbuffer / 20


def test_only_geoms_that_can_touch_something_are_left() -> None:
    model = scene("104").model
    assert ((model.geom_contype != 0) | (model.geom_conaffinity != 0)).all()
    assert (model.ntex, model.nmat, model.nlight) == (0, 0, 0)


def test_stored_paths_name_no_machine() -> None:
    mjcf = scene("104").blueprint.mjcf
    assert str(Path.home()) not in mjcf
    assert 'file="/' not in mjcf
