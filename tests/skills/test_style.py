import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.task import Level, MetricSpec, Preference
from perm.skills.style import MotionStyle, apply_preferences, draw_style


def preference(expert, name: str = "x") -> Preference:
    return Preference(name, name, Level.MOTION, name, MetricSpec("m"), expert=expert)


def test_preferences_combine() -> None:
    style = apply_preferences(
        MotionStyle(),
        [
            preference({"carry": {"extra_height": 0.15}}),
            preference({"motion": {"speed_scale": 0.5}, "pick": {"side": "right"}}),
        ],
    )
    assert style.lift == pytest.approx(0.27)
    assert style.speed == pytest.approx(0.10)
    assert style.side == "right"


def test_the_plain_manner_varies_a_little_and_depends_on_the_seed_alone() -> None:
    first, again = (draw_style(np.random.default_rng(3)) for _ in range(2))
    assert first == again
    assert first != draw_style(np.random.default_rng(4))
    assert 0.11 <= first.lift <= 0.13
    assert first.side == "front"


@pytest.mark.parametrize(
    ("expert", "message"),
    [
        (
            {"carry": {"extra_hight": 0.1}},
            r"Unknown carry parameter of preference x 'extra_hight'\. Did",
        ),
        (
            {"cary": {"extra_height": 0.1}},
            r"Unknown stage of preference x 'cary'\. Did you mean carry",
        ),
        ({"pick": {"side": "top"}}, r"Unknown side of preference x 'top'"),
        ({"motion": {"speed_scale": "half"}}, r"motion\.speed_scale is a number, got 'half'"),
    ],
)
def test_what_no_skill_has_is_refused(expert, message: str) -> None:
    with pytest.raises(PermError, match=message):
        apply_preferences(MotionStyle(), [preference(expert)])
