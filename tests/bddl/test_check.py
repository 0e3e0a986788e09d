from dataclasses import replace

import pytest

from perm.bddl.check import BddlError, check_layout
from perm.bddl.read import parse_layout
from perm.core.layout import Entity, Layout

GOAL = "(And (On mug_1 plate_2) (Turnon flat_stove_1))"
GOAL_SECTION = f"(:goal\n    {GOAL}\n  )"
SENTENCE = "Put the Mug on the plate"
MUG_RANGES = "(:ranges ((-0.1 0.0 0.1 0.25)))"

GOAL_FAULTS = {
    "surplus bracket": (GOAL + ")", "28: at ')'", "')' too many, here or before"),
    "missing bracket": (GOAL[:-1], "26: at ':goal'", "'define' on line 1 is still open"),
    "empty and": ("(And)", "27: in :goal, at 'And'", "solved at step 0"),
    "empty": ("", "26: in :goal, at ':goal'", "0 expressions stand here instead of one"),
    "several without and": (
        "(On mug_1 plate_2)\n (Turnon flat_stove_1)",
        "28: in :goal, at 'Turnon'",
        "2 expressions stand here instead of one",
    ),
    "three arguments": (
        "(And (On mug_1 plate_2 plate_1))",
        "27: in :goal, at 'On'",
        "'on' takes 2 argument(s), not 3",
    ),
    "no argument": ("(And (Open))", "27: in :goal, at 'Open'", "'open' takes 1 argument(s), not 0"),
    "or": ("(Or (On mug_1 plate_2))", "27: in :goal, at 'Or'", "not 'Or' here"),
    "not": ("(Not (On mug_1 plate_2))", "27: in :goal, at 'Not'", "not 'Not' here"),
    "not inside": ("(And (Not (On mug_1 plate_2)))", "27: in :goal, at 'Not'", "only a flat"),
    "nested": ("(And\n(And (On mug_1 plate_2)))", "28: in :goal, at 'And'", "only a flat"),
    "brackets as argument": ("(On (mug_1) plate_2)", "27: in :goal, at 'mug_1'", "takes names"),
    "and without brackets": ("(And On mug_1 plate_2)", "27: in :goal, at 'On'", "bracket is exp"),
    "empty bracket": ("(And ())", "27: in :goal, at '('", "An empty bracket"),
    "unknown predicate": (
        "(And (Turnonn flat_stove_1))",
        "27: in :goal, at 'Turnonn'",
        "Did you mean turnon or turnoff?",
    ),
    "unknown object": (
        "(And (On mug_1 plate_2)\n (On mugg_1 plate_1))",
        "28: in :goal, at 'mugg_1'",
        "Did you mean mug_1?",
    ),
    "unknown region": (
        "(And (On mug_1 flat_stove_1_cok_region))",
        "27: in :goal, at 'flat_stove_1_cok_region'",
        "Did you mean flat_stove_1_cook_region",
    ),
    "the surface itself": (
        "(And (On mug_1 kitchen_table))",
        "27: in :goal, at 'kitchen_table'",
        "name one of its regions",
    ),
    "in an object": (
        "(And (In mug_1 plate_1))",
        "27: in :goal, at 'plate_1'",
        "no (in object object) here, only (in object part)",
    ),
}

FAULTS = {
    "no define": ("(define", "(defin", "1: at 'defin'", "opens with '(define'"),
    "no goal": (GOAL_SECTION, "", "1: in :goal, at ':goal'", "missing: add '(:goal ...)'"),
    "goals": ("(:goal", "(:goals", "26: in define, at ':goals'", "Did you mean :goal"),
    "no section": ("(:domain", "foo (:domain", "2: in define, at 'foo'", "Unknown section"),
    "scene properties": (
        "(:domain",
        "(:scene_properties (:floor wood)) (:domain",
        "2: in define, at ':scene_properties'",
        "remove it",
    ),
    "section twice": (
        "(:domain",
        "(:language Hi)\n(:domain",
        "4: in :language, at ':language'",
        "on line 2 already",
    ),
    "bracket missing in init": (
        "(On plate_2 plate_1)",
        "(On plate_2 plate_1",
        "26: at ':goal'",
        "':init' on line 20 is still open",
    ),
    "bracket surplus in objects": (
        "mug_1 - white_mug",
        "mug_1 - white_mug)",
        "18: at ')'",
        "yet '(' follows on line 19",
    ),
    "no language": (f"(:language {SENTENCE})", "", "1: in :language", "add '(:language ...)'"),
    "empty language": (SENTENCE, "", "3: in :language", "sentence is missing"),
    "brackets in language": (SENTENCE, "Put (it) on", "3: in :language, at 'it'", "A word is exp"),
    "unknown scene class": (
        "LIBERO_Kitchen",
        "LIBERO_Kitschen",
        "1: in problem, at 'LIBERO_Kitschen_Tabletop_Manipulation'",
        "Did you mean LIBERO_Kitchen_Tabletop_Manipulation",
    ),
    "no scene class": (
        "LIBERO_Kitchen_Tabletop_Manipulation",
        "",
        "1: in problem, at 'problem'",
        "'(problem NAME)'",
    ),
    "other domain": ("robosuite", "igibson", "2: in :domain, at 'igibson'", "'robosuite'"),
    "surface of another name": (
        "kitchen_table - kitchen_table",
        "desk - kitchen_table",
        "12: in :fixtures, at 'kitchen_table'",
        "needs 'kitchen_table - kitchen_table'",
    ),
    "object name twice": (
        "plate_1 plate_2 - plate",
        "plate_1 mug_1 - plate",
        "17: in :objects, at 'mug_1'",
        "taken already",
    ),
    "object named as a fixture": (
        "mug_1 - white_mug",
        "flat_stove_1 - white_mug",
        "16: in :objects, at 'flat_stove_1'",
        "taken already",
    ),
    "category in two places": (
        "plate_1 plate_2 - plate",
        "plate_1 - plate  bowl_1 - bowl\n plate_2 - plate",
        "18: in :objects, at 'plate_2'",
        "Write all of category 'plate' together",
    ),
    "no category": (
        "plate_1 plate_2 - plate",
        "plate_1 plate_2",
        "17: in :objects, at 'plate_1'",
        "write 'plate_1 - category'",
    ),
    "dash without names": (
        "mug_1 - white_mug",
        "- white_mug",
        "16: in :objects, at '-'",
        "between names and their category",
    ),
    "region name twice": (
        "(plate_region (",
        "(mug_region (",
        "6: in :regions, at 'mug_region'",
        "'kitchen_table_mug_region' is taken already",
    ),
    "region of an unknown target": (
        "(:target kitchen_table)",
        "(:target kitchen_tabel)",
        "5: in :regions, at 'kitchen_tabel'",
        "Did you mean kitchen_table?",
    ),
    "region without target": (
        "(:target kitchen_table) ",
        "",
        "5: in :regions, at 'mug_region'",
        "no (:target ...)",
    ),
    "region without a name": ("(mug_region", "((x)", "5: in :regions, at 'x'", "A word is exp"),
    "unknown attribute": (":ranges", ":range", "5: in :regions, at ':range'", "mean :ranges"),
    "attribute twice": (
        MUG_RANGES,
        MUG_RANGES * 2,
        "5: in :regions, at ':ranges'",
        "stands twice in this region",
    ),
    "tint": (MUG_RANGES, "(:rgba (1 0 0 1))", "5: in :regions, at ':rgba'", "remove it"),
    "zone without rectangle": (
        MUG_RANGES,
        "",
        "5: in :regions, at 'mug_region'",
        "needs (:ranges ((x0 y0 x1 y1)))",
    ),
    "three numbers": ("-0.1 0.0 0.1 0.25", "0.0 0.1 0.25", "5: in :regions, at '0.0'", "3 values"),
    "not a number": ("0.1 0.25", "0.1 x", "5: in :regions, at 'x'", "Not a number"),
    "not finite": ("0.1 0.25", "0.1 nan", "5: in :regions, at 'mug_region'", "no rectangle"),
    "corners swapped": ("-0.1 0.0", "0.2 0.0", "5: in :regions, at 'mug_region'", "no rectangle"),
    "yaw to be evaluated": ("((0 1.5))", "((0 pi/2))", "7: in :regions, at 'pi/2'", "not evaluat"),
    "two yaw ranges": (
        "((0 1.5))",
        "((0 1) (1 2))",
        "7: in :regions, at ':yaw_rotation'",
        "takes one pair: ((low high))",
    ),
    "infinite yaw": ("((0 1.5))", "((0 inf))", "6: in :regions, at 'plate_region'", "no range of"),
    "init with an unknown region": (
        "plate_1 kitchen_table_plate_region",
        "plate_1 kitchen_table_plat_region",
        "22: in :init, at 'kitchen_table_plat_region'",
        "Did you mean kitchen_table_plate_region",
    ),
    "init with an unknown object": (
        "(On mug_1 kitchen",
        "(On mug_2 kitchen",
        "21: in :init, at 'mug_2'",
        "Did you mean mug_1?",
    ),
    "init that places on the surface": (
        "(On mug_1 kitchen_table_mug_region)",
        "(On mug_1 kitchen_table)",
        "21: in :init, at 'kitchen_table'",
        "name one of its regions",
    ),
    "init that libero passes over": (
        "(On plate_2 plate_1)",
        "(On plate_2 flat_stove_1)",
        "23: in :init, at 'flat_stove_1'",
        "no (on object fixture) here",
    ),
    "object never placed": (
        "(On plate_2 plate_1)",
        "",
        "17: in :objects, at 'plate_2'",
        "add '(On plate_2 <region>)'",
    ),
    "object placed twice": (
        "(On plate_2 plate_1)",
        "(On plate_2 plate_1) (On plate_2 mug_1)",
        "23: in :init, at 'plate_2'",
        "placed a second time",
    ),
    "unknown object of interest": (
        "(:obj_of_interest mug_1",
        "(:obj_of_interest mug",
        "19: in :obj_of_interest, at 'mug'",
        "Did you mean mug_1",
    ),
}


@pytest.mark.parametrize(("goal", "place", "reason"), GOAL_FAULTS.values(), ids=GOAL_FAULTS)
def test_a_malformed_goal_is_refused_with_file_line_and_token(
    scene: str, goal: str, place: str, reason: str
) -> None:
    with pytest.raises(BddlError) as caught:
        parse_layout(scene.replace(GOAL, goal), "x.bddl")
    assert str(caught.value).startswith(f"x.bddl:{place}")
    assert reason in str(caught.value)


@pytest.mark.parametrize(("old", "new", "place", "reason"), FAULTS.values(), ids=FAULTS)
def test_a_malformed_problem_is_refused_with_file_line_and_token(
    scene: str, old: str, new: str, place: str, reason: str
) -> None:
    assert old in scene
    with pytest.raises(BddlError) as caught:
        parse_layout(scene.replace(old, new, 1), "x.bddl")
    assert str(caught.value).startswith(f"x.bddl:{place}")
    assert reason in str(caught.value)


def test_an_unused_part_of_a_fixture_that_is_not_there_is_harmless(scene: str) -> None:
    text = scene.replace("(cook_region", "(top (:target rack_1))\n    (cook_region")
    assert parse_layout(text).regions[3].full_name == "rack_1_top"
    with pytest.raises(BddlError, match=r"^x\.bddl:9: in :regions, at 'rack_1': Unknown target"):
        parse_layout(text.replace(GOAL, "(On mug_1 rack_1_top)"), "x.bddl")


@pytest.fixture
def layout(scene: str) -> Layout:
    return parse_layout(scene)


def test_an_edited_layout_is_checked_by_the_same_rules_without_a_line(layout: Layout) -> None:
    check_layout(layout)
    edited = replace(layout, goal=(("on", "mug_1", "plate_3"),))
    message = r"^<layout>: in :goal, at 'plate_3': .* Did you mean plate_2 or plate_1 or"
    with pytest.raises(BddlError, match=message):
        check_layout(edited)


def test_an_edited_layout_without_a_goal_is_refused(layout: Layout) -> None:
    with pytest.raises(BddlError, match=r"in :goal, at ':goal': The goal is empty"):
        check_layout(replace(layout, goal=()))


@pytest.mark.parametrize("name", ["Mug_9", "mug 9", "mug)", "mug;", "-", ""])
def test_a_name_that_would_not_read_back_is_refused(layout: Layout, name: str) -> None:
    objects = (*layout.objects, Entity(name, "white_bowl"))
    with pytest.raises(BddlError, match=r"in :objects,.* one word in lower case"):
        check_layout(replace(layout, objects=objects))


@pytest.mark.parametrize("sentence", ["", "Put (it) down", "Put it; now", " Put it", "Put\nit"])
def test_a_sentence_that_would_not_read_back_is_refused(layout: Layout, sentence: str) -> None:
    with pytest.raises(BddlError, match=r"in :language,.* words with single blanks"):
        check_layout(replace(layout, language=sentence))
