from types import SimpleNamespace

import numpy as np
import pytest

from perm.core.task import Goal
from perm.sim.settled import SETTLED_STEPS, is_settled

pytestmark = pytest.mark.sim

GOAL = Goal(((("on", "bowl_1", "plate_1"),),))


def recorder(rows: int = SETTLED_STEPS + 5, **changes):
    """A recorder of a bowl that rests on the plate, let go; changes replace whole columns."""
    columns = {
        "success": np.ones(rows, bool),
        "joint_pos": np.zeros((rows, 1)),
        "contact": np.zeros((rows, 2, 2), bool),
        "object_pos": np.zeros((rows, 2, 3)),
        "gripper_width": np.full(rows, 0.078),
        "on_fixture": np.zeros(rows, bool),
    } | changes
    return SimpleNamespace(
        n_rows=rows,
        object_names=("bowl_1", "plate_1"),
        tail=lambda name, count: columns[name][-count:],
    )


def test_a_bowl_at_rest_and_let_go_is_settled() -> None:
    assert is_settled(recorder(), GOAL)


def test_reached_for_less_than_ten_steps_is_not_settled() -> None:
    success = np.ones(15, bool)
    success[-SETTLED_STEPS] = False
    assert not is_settled(recorder(success=success), GOAL)
    assert not is_settled(recorder(rows=SETTLED_STEPS), GOAL)


def test_held_over_the_plate_is_not_settled() -> None:
    contact = np.zeros((15, 2, 2), bool)
    contact[-1, 0, 1] = True
    assert not is_settled(recorder(contact=contact), GOAL)


def test_touching_something_that_is_not_moved_does_not_matter() -> None:
    contact = np.zeros((15, 2, 2), bool)
    contact[:, 1] = True
    assert is_settled(recorder(contact=contact), GOAL)


def test_still_sliding_is_not_settled() -> None:
    pos = np.zeros((15, 2, 3))
    pos[:, 0, 0] = np.linspace(0, 0.02, 15)
    assert not is_settled(recorder(object_pos=pos), GOAL)


def test_closed_fingers_are_not_settled() -> None:
    assert not is_settled(recorder(gripper_width=np.full(15, 0.04)), GOAL)


def test_a_drawer_that_still_moves_is_not_settled() -> None:
    joints = np.linspace(0, 0.05, 15)[:, None]
    assert not is_settled(recorder(joint_pos=joints), GOAL)


def test_a_drawer_is_let_go_when_no_finger_touches_a_fixture() -> None:
    opened = Goal(((("open", "cabinet_1_top_region"),),))
    touching = np.zeros(15, bool)
    assert is_settled(recorder(on_fixture=touching), opened)
    touching[-3] = True
    assert not is_settled(recorder(on_fixture=touching), opened)
    assert is_settled(recorder(on_fixture=touching), GOAL)
