from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from perm.core.mission import Goal, Mission
from perm.sim.settled import SETTLED_STEPS, is_settled

pytestmark = pytest.mark.sim


def mission(*atom: str, passed: bool = False) -> Mission:
    layout: Any = None
    return Mission("1", layout, "Do it", Goal(((atom,),)), 300, goal_is_passed=passed)


ON_PLATE = mission("on", "bowl_1", "plate_1")


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
        column=columns.__getitem__,
    )


def test_a_bowl_at_rest_and_let_go_is_settled() -> None:
    assert is_settled(recorder(), ON_PLATE)


def test_a_preferred_goal_in_place_of_the_mission_s_has_to_hold_itself() -> None:
    both = Goal(((("on", "bowl_1", "plate_1"), ("on", "bowl_2", "plate_1")),))
    one, none = np.ones(15, bool), np.zeros(15, bool)
    assert not is_settled(recorder(success=one, preferred=none), ON_PLATE, both)
    assert is_settled(recorder(success=none, preferred=one), ON_PLATE, both)
    assert is_settled(recorder(success=one, preferred=none), ON_PLATE)


def test_reached_for_less_than_ten_steps_is_not_settled() -> None:
    success = np.ones(15, bool)
    success[-SETTLED_STEPS] = False
    assert not is_settled(recorder(success=success), ON_PLATE)
    assert not is_settled(recorder(rows=SETTLED_STEPS), ON_PLATE)


def test_a_goal_that_is_passed_has_to_be_reached_once_and_its_objects_at_rest() -> None:
    passed = mission("in", "bowl_1", "caddy_1_back_region", passed=True)
    never = np.zeros(15, bool)
    once = never.copy()
    once[1] = True
    assert not is_settled(recorder(success=never), passed)
    assert is_settled(recorder(success=once), passed)
    assert not is_settled(recorder(success=once), ON_PLATE)
    assert not is_settled(recorder(success=once, gripper_width=np.full(15, 0.04)), passed)


def test_held_over_the_plate_is_not_settled() -> None:
    contact = np.zeros((15, 2, 2), bool)
    contact[-1, 0, 1] = True
    assert not is_settled(recorder(contact=contact), ON_PLATE)


def test_touching_something_that_is_not_moved_does_not_matter() -> None:
    contact = np.zeros((15, 2, 2), bool)
    contact[:, 1] = True
    assert is_settled(recorder(contact=contact), ON_PLATE)


def test_still_sliding_is_not_settled() -> None:
    pos = np.zeros((15, 2, 3))
    pos[:, 0, 0] = np.linspace(0, 0.02, 15)
    assert not is_settled(recorder(object_pos=pos), ON_PLATE)


def test_closed_fingers_are_not_settled() -> None:
    assert not is_settled(recorder(gripper_width=np.full(15, 0.04)), ON_PLATE)


def test_a_drawer_that_still_moves_is_not_settled() -> None:
    joints = np.linspace(0, 0.05, 15)[:, None]
    assert not is_settled(recorder(joint_pos=joints), ON_PLATE)


def test_a_drawer_is_let_go_when_no_finger_touches_a_fixture() -> None:
    opened = mission("open", "cabinet_1_top_region")
    touching = np.zeros(15, bool)
    assert is_settled(recorder(on_fixture=touching), opened)
    touching[-3] = True
    assert not is_settled(recorder(on_fixture=touching), opened)
    assert is_settled(recorder(on_fixture=touching), ON_PLATE)
