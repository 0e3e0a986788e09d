from dataclasses import asdict

import pytest

from perm.core.errors import PermError
from perm.core.vocabulary import EXPERT_STAGES
from perm.core.vocabulary import SKILLS as VOCABULARY
from perm.skills.catalogue import SKILLS, find_skill
from perm.skills.grasps import Depths
from perm.skills.skill import Motion


def fingers(name: str) -> list[bool]:
    """Whether each GRIP of a skill closes them."""
    return [w.closed for w in SKILLS[name].waypoints if w.motion is Motion.GRIP]


def test_every_skill_is_listed_under_its_own_name_and_plans_may_name_it() -> None:
    for name, skill in SKILLS.items():
        assert skill.name == name
        assert name in VOCABULARY


def test_only_knobs_cannot_be_turned_yet() -> None:
    assert set(VOCABULARY) - set(SKILLS) == {"turn_on", "turn_off"}


def test_a_preference_may_put_only_known_skills_in_place_of_a_placement() -> None:
    assert set(EXPERT_STAGES["place"]["skill"]) <= set(SKILLS)


@pytest.mark.parametrize(
    ("name", "closings"),
    [
        ("pick", [True]),
        ("place_on", [False]),
        ("place_in", [False]),
        ("slide_in", [False]),
        ("throw", [False]),
        ("lay_down", [False]),
        ("push", []),
        ("drag", [True, False]),
        ("open", [True, False]),
        ("close", []),
    ],
)
def test_the_fingers_close_to_take_and_open_to_let_go(name: str, closings: list[bool]) -> None:
    assert fingers(name) == closings


def test_a_throw_lets_go_before_its_motion_ends() -> None:
    (throwing,) = [w for w in SKILLS["throw"].waypoints if w.opens is not None]
    assert throwing.motion is Motion.LINE
    assert throwing.opens > 0


@pytest.mark.parametrize("name", ["push", "open", "close"])
def test_what_is_pushed_or_pulled_moves_with_the_hand_once(name: str) -> None:
    assert [w.moves for w in SKILLS[name].waypoints].count(True) == 1


def test_a_pick_has_the_parameters_that_its_grasps_take() -> None:
    params = SKILLS["pick"].params
    assert {name: params[name] for name in asdict(Depths())} == asdict(Depths())


def test_into_something_with_walls_one_lets_go_higher() -> None:
    assert SKILLS["place_in"].params["gap"] > SKILLS["place_on"].params["gap"]


def test_an_unknown_skill_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(PermError, match=r"Unknown skill 'place'\. Did you mean place_"):
        find_skill("place")
