from collections.abc import Callable
from typing import Any

import pytest

from perm.core.mission import Goal, SkillCall
from perm.core.task import Level, MetricSpec
from perm.suites import values


def test_text_loses_surrounding_blanks() -> None:
    assert values.read_text(" Move higher ") == "Move higher"


def test_a_metric_is_a_name_and_its_parameters() -> None:
    read = values.read_metric({"name": "edge_pick", "side": "right"})
    assert read == MetricSpec("edge_pick", {"side": "right"})


def test_a_task_may_give_parameters_without_the_name() -> None:
    assert values.read_metric({"side": "left"}) == MetricSpec("", {"side": "left"})


def test_a_goal_is_a_list_of_alternatives() -> None:
    written = {"any_of": [[["on", "red_1", "plate_1"]], [["on", "blue_1", "plate_1"]]]}
    on_red, on_blue = ("on", "red_1", "plate_1"), ("on", "blue_1", "plate_1")
    assert values.read_goal(written) == Goal(any_of=((on_red,), (on_blue,)))


def test_a_plan_is_a_list_of_skill_calls() -> None:
    plan = values.read_plan([["pick", "mug_1", {"at": "rim"}], ["place_on", "mug_1", "plate_1"]])
    assert plan.calls == (
        SkillCall("pick", "mug_1", params={"at": "rim"}),
        SkillCall("place_on", "mug_1", "plate_1"),
    )
    assert plan.source == "rules"


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (values.read_text, 104, r'expected text, found a number; write "104" with the quotes'),
        (values.read_text, None, r"expected text, found None"),
        (values.read_text, "  ", r"expected text, found '  '"),
        (values.read_text, ["a"], r"expected text, found \['a'\]"),
        (values.read_text, "a\nb", r"expected one line, found 'a\\nb'"),
        (values.read_count, 0, r"expected a whole number above 0, found 0"),
        (values.read_count, 2.5, r"expected a whole number above 0, found 2\.5"),
        (values.read_count, True, r"expected a whole number above 0, found True"),
        (values.read_flag, "no", r"expected true or false, found 'no'"),
        (values.read_texts, "a", r"expected a list of texts, found 'a'"),
        (values.read_texts, [], r"expected a list of texts, found \[\]"),
        (values.read_ids, ["a", "b", "a"], r"listed twice: a"),
        (values.read_level, "skil", r"Unknown level 'skil'\. Did you mean skill\?"),
        (values.read_metric, "edge_pick", r"expected names with values, found 'edge_pick'"),
        (values.read_metric, {"side": {"a": 1}}, r"side: expected numbers or texts, found \{'a'"),
        (values.read_stages, {"carry": 0.1}, r"expected stages with settings, found"),
        (values.read_stages, [1], r"expected stages with settings, found \[1\]"),
        (values.read_goal, [["on"]], r"expected any_of with a list of alternatives"),
        (values.read_goal, {"any_of": []}, r"expected a list of alternatives, found \[\]"),
        (values.read_goal, {"any_of": ["on"]}, r"expected a list of predicates, found 'on'"),
        (values.read_plan, [["pik", "mug_1"]], r"Unknown skill 'pik'\. Did you mean pick\?"),
        (values.read_plan, [["pick"]], r"pick takes 1 name\(s\), found 0: \['pick'\]"),
        (values.read_plan, [["place_on", "mug_1"]], r"place_on takes 2 name\(s\), found 1"),
        (values.read_plan, [["pick", "a", "b"]], r"pick takes 1 name\(s\), found 2"),
        (values.read_plan, [[{"gap": 1}]], r"expected a list of texts, found \[\]"),
        (
            values.read_plan,
            [["pick", "mug_1", {"att": "rim"}]],
            r"Unknown setting of pick 'att'\. Did you mean at or tilt\?",
        ),
        (
            values.read_plan,
            [["pick", "mug_1", {"at": "rin"}]],
            r"Unknown at of pick 'rin'\. Did you mean rim\?",
        ),
        (
            values.read_plan,
            [["place_in", "mug_1", "plate_1", {"gap": 0.01}]],
            r"Unknown setting of place_in 'gap'\. No setting of place_in is known\.",
        ),
        (values.read_plan, [["close"]], r"close takes 1 name\(s\), found 0: \['close'\]"),
        (
            values.read_scale,
            {"event": "grasp", "raw_at_0": 0.1, "raw_at_100": 1.3, "cuts": [0, 50, 80]},
            r"expected cuts, event, raw_at_0, raw_at_100, reason, unit, found event, raw_at_0",
        ),
        (values.read_scale, 0.5, r"expected names with values, found 0\.5"),
        (values.read_stages, {"cary": {}}, r"Unknown stage 'cary'\. Did you mean carry\?"),
        (
            values.read_stages,
            {"carry": {"extra_hight": 0.1}},
            r"Unknown setting of carry 'extra_hight'\. Did you mean extra_height\?",
        ),
        (
            values.read_stages,
            {"motion": {"speed_scale": "half"}},
            r"speed_scale of motion: expected a number, found 'half'",
        ),
        (
            values.read_stages,
            {"motion": {"speed_scale": True}},
            r"speed_scale of motion: expected a number, found True",
        ),
        (
            values.read_stages,
            {"pick": {"side": "rigth"}},
            r"Unknown side of pick 'rigth'\. Did you mean right\?",
        ),
        (values.read_stages, {"pick": {"side": 3}}, r"Unknown side of pick '3'\. Known: back,"),
        (
            values.read_better,
            "lager",
            r"Unknown direction 'lager'\. Did you mean larger or smaller\?",
        ),
        (values.read_plan, ["pick"], r"expected a call such as \[pick, mug_1\], found 'pick'"),
    ],
)
def test_a_wrong_value_is_told_what_was_expected(
    read: Callable[[Any], object], value: object, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        read(value)


def test_a_level_is_read_by_its_word() -> None:
    assert values.read_level("profile") is Level.PROFILE


def test_the_expert_is_told_settings_by_stage() -> None:
    stages = {"pick": {"side": "right"}, "motion": {"speed_scale": 1}}
    assert values.read_stages(stages) == stages
