import numpy as np
import pytest

from perm.skills.pose import Pose
from perm.skills.skill import Motion, Skill, Waypoint

LEVEL = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
"""A hand that comes along x."""


def test_a_waypoint_lies_back_from_its_frame_against_the_approach() -> None:
    frames = {"grasp": Pose(np.array([0.5, 0.1, 1.0]), LEVEL)}
    pose = Waypoint(Motion.LINE, "grasp", back=0.1).pose(frames)
    assert pose.pos == pytest.approx([0.4, 0.1, 1.0])
    assert pose.rotation == pytest.approx(LEVEL)


def test_a_category_changes_the_parameters_that_it_names_and_no_others() -> None:
    skill = Skill("pick", (), iter, {"top": 0.03, "rim": 0.02}, {"ketchup": {"top": 0.05}})
    assert skill.params_for("ketchup") == {"top": 0.05, "rim": 0.02}
    assert skill.params_for("plate") == {"top": 0.03, "rim": 0.02}
