import pytest

from perm.core.errors import PermError
from perm.core.vocabulary import SKILLS as VOCABULARY
from perm.skills.library import SKILLS, Frame, Motion, find_skill


def test_the_library_has_the_skills_and_parameters_that_plans_may_name() -> None:
    assert set(SKILLS) == set(VOCABULARY)
    for name, skill in SKILLS.items():
        _, params = VOCABULARY[name]
        assert set(skill.params) <= set(params)


def test_a_pick_closes_the_fingers_at_the_grasp_and_a_placement_opens_them() -> None:
    for name, closed in (("pick", True), ("place_on", False), ("place_in", False)):
        grips = [w for w in SKILLS[name].waypoints if w.motion is Motion.GRIP]
        assert [w.closed for w in grips] == [closed]
    assert SKILLS["pick"].waypoints[0].frame is Frame.GRASP


def test_an_unknown_skill_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(PermError, match=r"Unknown skill 'place'\. Did you mean place_"):
        find_skill("place")
