from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from perm.core.task import Level, MetricSpec, Preference
from perm.core.vocabulary import EXPERT_STAGES
from perm.skills.style import Style, apply_preferences, draw_style, leave_aside

PLAIN = Style()
MOTION, CARRY = PLAIN.motion, PLAIN.carry
TARGET = "wine_bottle_1"


def preference(expert) -> Preference:
    metric = MetricSpec("target_distance", {"target": TARGET})
    return Preference("x", "x", Level.MOTION, "x", metric, expert=expert)


def styled(*experts) -> Style:
    return apply_preferences(PLAIN, [preference(expert) for expert in experts])


def changes(style: Style) -> dict[str, Any]:
    """What differs from the plain manner, by stage and name."""
    return {
        f"{stage}.{name}": value
        for stage, values in asdict(style).items()
        for name, value in values.items()
        if value != asdict(PLAIN)[stage][name]
    }


def test_without_preferences_nothing_changes() -> None:
    assert styled() == PLAIN
    assert changes(styled({})) == {}


SETTINGS = [
    (
        "motion.speed_scale",
        0.5,
        {"motion.speed": MOTION.speed / 2, "motion.turn_speed": MOTION.turn_speed / 2},
    ),
    ("motion.acceleration_scale", 0.3, {"motion.acceleration": 0.3 * MOTION.acceleration}),
    ("motion.pause_scale", 4.0, {"motion.pause": 4.0 * MOTION.pause}),
    ("carry.extra_height", 0.12, {"carry.arc": CARRY.arc + 0.12}),
    ("carry.lift_scale", 0.5, {"carry.lift": CARRY.lift / 2}),
    ("carry.arc_scale", 0.0, {"carry.arc": 0.0}),
    ("carry.ground_gap", 0.02, {"carry.lift": 0.02, "carry.arc": 0.0, "carry.low": True}),
    ("carry.keep_away", 0.35, {"carry.away_from": (TARGET, 0.35)}),
    ("carry.turn", 0.4, {"carry.turn": 0.4}),
    ("pick.side", "left", {"pick.side": "left"}),
    ("pick.at", "handle", {"pick.at": "handle"}),
    ("pick.from", "left", {"pick.come_from": "left"}),
    ("pick.tilt", 0.7, {"pick.tilt": 0.7, "pick.least_tilt": 0.7}),
    ("pick.least_tilt", 0.5, {"pick.least_tilt": 0.5}),
    ("place.skill", "throw", {"place.skill": "throw"}),
    ("place.turn", 0.74, {"place.turn": 0.74}),
]


@pytest.mark.parametrize(("setting", "value", "expected"), SETTINGS)
def test_a_setting_changes_what_it_says_and_nothing_else(
    setting: str, value: Any, expected: dict[str, Any]
) -> None:
    stage, name = setting.split(".")
    found = changes(styled({stage: {name: value}}))
    assert found.keys() == expected.keys()
    assert all(found[name] == pytest.approx(value) for name, value in expected.items())


def test_every_setting_that_a_preference_may_have_is_followed() -> None:
    known = {f"{stage}.{name}" for stage, names in EXPERT_STAGES.items() for name in names}
    assert known == {setting for setting, _, _ in SETTINGS}


def test_a_tilt_may_be_less_where_the_preference_says_how_much_less() -> None:
    style = styled({"pick": {"from": "any", "tilt": 0.4, "least_tilt": 0.3}})
    assert (style.pick.tilt, style.pick.least_tilt) == (0.4, 0.3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"pick": {"side": "left"}}, {"motion": {"speed_scale": 1.3, "pause_scale": 0.0}}),
        ({"place": {"skill": "throw"}}, {"carry": {"extra_height": 0.12}}),
        ({"carry": {"turn": 0.4}}, {"carry": {"extra_height": 0.12}}),
        ({"pick": {"at": "rim"}}, {"pick": {"side": "back"}}),
    ],
    ids=["left and fast", "thrown and high", "turned and high", "rim and back"],
)
def test_two_preferences_combine_in_either_order(one, other) -> None:
    both = changes(styled(one, other))
    assert both == {**changes(styled(one)), **changes(styled(other))}
    assert both == changes(styled(other, one))


def test_factors_multiply_and_heights_add_up() -> None:
    style = styled(
        {"motion": {"speed_scale": 0.5}, "carry": {"extra_height": 0.1}},
        {"motion": {"speed_scale": 0.4}, "carry": {"extra_height": 0.05}},
    )
    assert style.motion.speed == pytest.approx(MOTION.speed * 0.5 * 0.4)
    assert style.carry.arc == pytest.approx(CARRY.arc + 0.15)


def test_the_plain_manner_varies_a_little_and_depends_on_the_seed_alone() -> None:
    first, again = (draw_style(np.random.default_rng(3)) for _ in range(2))
    assert first == again
    assert first != draw_style(np.random.default_rng(4))


def test_the_plain_manner_stays_near_to_what_is_usual() -> None:
    for seed in range(50):
        style = draw_style(np.random.default_rng(seed))
        pace = style.motion.speed / MOTION.speed
        assert pace == pytest.approx(1.0, abs=0.07)
        assert style.motion.acceleration == pytest.approx(pace * MOTION.acceleration)
        assert style.carry.lift == pytest.approx(CARRY.lift, abs=0.01)
        assert style.carry.arc == pytest.approx(CARRY.arc, abs=0.01)
        assert abs(style.pick.side_angle) <= 0.1
        assert style.pick.side is None
        assert style.place == PLAIN.place


def test_sides_that_nobody_asked_for_come_last() -> None:
    style = leave_aside(PLAIN, [preference({"pick": {"side": "front"}})])
    assert style.pick.usual_sides == ("back", "left", "right", "front")
    assert style.pick.avoid == {"front"}
    style = leave_aside(PLAIN, [preference({"pick": {"from": "left", "tilt": 0.69}})])
    assert style.pick.avoid == {"left"}


def test_any_side_is_no_side_to_avoid() -> None:
    assert leave_aside(PLAIN, [preference({"pick": {"from": "any", "tilt": 0.4}})]) == PLAIN
    assert leave_aside(PLAIN, [preference({"carry": {"extra_height": 0.1}})]) == PLAIN
