import pytest

from perm.bddl.read import read_layout
from perm.core.layout import Layout
from perm.core.mission import Goal, SkillCall, SubtaskPlan
from perm.core.task import MetricSpec
from perm.suites.grounding import goal_problems, metric_problems, plan_problems
from perm.suites.paths import libero_bddl_folder

BOWL = "akita_black_bowl_1"


def kitchen() -> Layout:
    return read_layout(libero_bddl_folder() / "libero_goal/put_the_bowl_on_the_plate.bddl")


def target_choice(candidates: object, preferred: object) -> MetricSpec:
    params = {"object": BOWL, "candidates": candidates, "preferred": preferred}
    return MetricSpec("target_choice", params)


def test_a_plan_may_place_on_an_object_and_in_a_region() -> None:
    region = "wooden_cabinet_1_top_region"
    calls = (SkillCall("place_on", BOWL, "plate_1"), SkillCall("place_in", BOWL, region))
    assert list(plan_problems(SubtaskPlan(calls), kitchen())) == []


def test_a_plan_cannot_move_what_is_not_there() -> None:
    plan = SubtaskPlan((SkillCall("place_on", "akita_black_bowl", "plat_1"),))
    moved, receiver = plan_problems(plan, kitchen())
    assert moved == f"Unknown object 'akita_black_bowl'. Did you mean {BOWL}?"
    assert receiver.startswith("Unknown object or region 'plat_1'. Did you mean plate_1")


def test_a_plan_cannot_move_a_fixture() -> None:
    plan = SubtaskPlan((SkillCall("pick", "flat_stove_1"),))
    (problem,) = plan_problems(plan, kitchen())
    assert problem.startswith("Unknown object 'flat_stove_1'.")


@pytest.mark.parametrize(
    ("skill", "name"),
    [
        ("open", "wooden_cabinet_1_top_region"),
        ("close", "wooden_cabinet_1_top_region"),
        ("close", "wooden_cabinet_1"),
        ("turn_on", "flat_stove_1"),
        ("turn_off", "flat_stove_1"),
    ],
)
def test_a_plan_may_work_what_libero_can_find_open_or_on(skill: str, name: str) -> None:
    assert list(plan_problems(SubtaskPlan((SkillCall(skill, name),)), kitchen())) == []


@pytest.mark.parametrize(
    ("skill", "name", "problem"),
    [
        ("close", BOWL, f"Unknown thing to close '{BOWL}'."),
        ("open", "wooden_cabinet_1_top_regio", "Did you mean wooden_cabinet_1_top_region"),
        ("close", "main_table_stove_region", "Unknown thing to close 'main_table_stove_region'."),
        ("turn_on", "flat_stove_1_cook_region", "Unknown thing to turn on 'flat_stove_1_cook_reg"),
        ("turn_off", BOWL, f"Unknown thing to turn off '{BOWL}'."),
    ],
)
def test_a_plan_cannot_work_what_has_no_joint_there(skill: str, name: str, problem: str) -> None:
    (found,) = plan_problems(SubtaskPlan((SkillCall(skill, name),)), kitchen())
    assert problem in found


def test_every_atom_of_a_goal_is_checked() -> None:
    goal = Goal(any_of=((("on", BOWL, "plate_1"),), (("onn", BOWL, "plate_1"), ("on", BOWL, "x"))))
    unknown_predicate, unknown_name = goal_problems(goal, kitchen())
    assert unknown_predicate.startswith(f"(onn {BOWL} plate_1): Unknown predicate 'onn'. Did you")
    assert unknown_name.startswith(f"(on {BOWL} x): Unknown object, fixture or region 'x'.")


def test_a_choice_between_things_of_the_scene_is_sound() -> None:
    metric = target_choice(["plate_1", "flat_stove_1_cook_region"], ["plate_1"])
    assert list(metric_problems(metric, kitchen())) == []


def test_a_choice_is_made_among_its_candidates() -> None:
    metric = target_choice(["plate_1", "flat_stov_1"], ["plate_2"])
    candidate, preferred = metric_problems(metric, kitchen())
    assert candidate.startswith(
        "candidates: Unknown object or region 'flat_stov_1'. Did you mean flat_stove_1"
    )
    assert preferred == "preferred: Unknown candidate 'plate_2'. Did you mean plate_1?"


def test_a_choice_that_cannot_go_wrong_is_refused() -> None:
    metric = target_choice(["plate_1"], ["plate_1"])
    assert list(metric_problems(metric, kitchen())) == [
        "preferred: has to hold some of the candidates, not all"
    ]


def test_candidates_are_a_list() -> None:
    metric = target_choice("plate_1", ["plate_1"])
    assert list(metric_problems(metric, kitchen())) == [
        "candidates: expected a list of names, found 'plate_1'"
    ]


def test_motion_measurements_take_one_object_or_several() -> None:
    for name in ("carry_height", "event_steps"):
        for value in (BOWL, [BOWL, "cream_cheese_1"]):
            assert list(metric_problems(MetricSpec(name, {"object": value}), kitchen())) == []


def test_a_grasp_is_that_of_one_object() -> None:
    metric = MetricSpec("edge_pick", {"side": "right", "object": [BOWL]})
    assert list(metric_problems(metric, kitchen())) == [
        f"object: expected a name, found ['{BOWL}']"
    ]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("akita_black_bowl", f"Unknown object 'akita_black_bowl'. Did you mean {BOWL}?"),
        (["flat_stove_1"], "Unknown object 'flat_stove_1'."),
        ([], "expected a list of names, found []"),
        ([3], "expected a list of names, found [3]"),
        (3, "expected a list of names, found 3"),
    ],
)
def test_the_measured_object_is_one_that_can_be_carried(value: object, problem: str) -> None:
    (found,) = metric_problems(MetricSpec("event_steps", {"object": value}), kitchen())
    assert found.startswith(f"object: {problem}")


def test_a_measurement_without_its_parameter_is_refused() -> None:
    assert list(metric_problems(MetricSpec("edge_pick"), kitchen())) == [
        "metric edge_pick lacks side."
    ]


def test_a_side_is_one_of_liberos_words() -> None:
    metric = MetricSpec("edge_pick", {"side": "rigth"})
    assert list(metric_problems(metric, kitchen())) == ["Unknown side 'rigth'. Did you mean right?"]
    metric = MetricSpec("edge_pick", {"side": ["right"]})
    (problem,) = metric_problems(metric, kitchen())
    assert problem.startswith("Unknown side \"['right']\".")


@pytest.mark.parametrize("target", ["wine_bottle_1", "flat_stove_1_cook_region"])
def test_one_keeps_away_from_an_object_or_a_region(target: str) -> None:
    metric = MetricSpec("target_distance", {"target": target, "object": BOWL})
    assert list(metric_problems(metric, kitchen())) == []


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("wine_botle_1", "Unknown object or region 'wine_botle_1'. Did you mean wine_bottle_1"),
        ("flat_stove_1", "Unknown object or region 'flat_stove_1'. Did you mean flat_stove_1_cook"),
        (["wine_bottle_1"], "expected a name, found ['wine_bottle_1']"),
    ],
)
def test_what_a_trace_does_not_follow_is_nothing_to_keep_away_from(
    target: object, problem: str
) -> None:
    (found,) = metric_problems(MetricSpec("target_distance", {"target": target}), kitchen())
    assert found.startswith(f"target: {problem}")


def test_a_distance_is_measured_to_something() -> None:
    assert list(metric_problems(MetricSpec("target_distance"), kitchen())) == [
        "metric target_distance lacks target."
    ]


def test_a_hand_comes_from_a_side_or_from_any() -> None:
    for side in ("left", "right", "front", "back", "any"):
        assert list(metric_problems(MetricSpec("approach_angle", {"from": side}), kitchen())) == []
    assert list(metric_problems(MetricSpec("approach_angle", {"from": "lfet"}), kitchen())) == [
        "Unknown from 'lfet'. Did you mean left?"
    ]
