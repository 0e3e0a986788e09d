from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perm.bddl.changes import Spot, free_name
from perm.bddl.diff import diff_layouts
from perm.bddl.edit import (
    AddInit,
    AddObject,
    AddRegion,
    Edit,
    MoveObject,
    RemoveObject,
    RemoveRegion,
    ReplaceObject,
    SetGoal,
    SetLanguage,
    edit_layout,
)
from perm.bddl.errors import BddlError, EditError
from perm.bddl.read import parse_layout, read_layout
from perm.bddl.write import layout_digest, write_layout
from perm.core.layout import Entity, Layout, Region
from perm.suites.paths import packaged_configs

SPOT = Spot(0.1, -0.2)


@pytest.fixture
def layout(scene: str) -> Layout:
    return parse_layout(scene)


def test_an_added_object_stands_behind_its_category_and_is_placed(layout: Layout) -> None:
    mug, bowl = AddObject("mug_2", "white_mug", SPOT), AddObject("bowl_1", "bowl", SPOT)
    found = edit_layout(layout, [mug, bowl])
    assert [entity.name for entity in found.objects] == [
        "mug_1",
        "mug_2",
        "plate_1",
        "plate_2",
        "bowl_1",
    ]
    assert found.init[-1] == ("on", "bowl_1", "kitchen_table_bowl_1_init_region")
    assert found.regions[-1].ranges == ((0.09, -0.21, 0.11, -0.19),)
    assert found.digest == layout_digest(found) != layout.digest


def test_an_object_may_be_added_on_another(layout: Layout) -> None:
    found = edit_layout(layout, [AddObject("bowl_1", "bowl", ("on", "plate_1"))])
    assert found.init[-1] == ("on", "bowl_1", "plate_1")
    assert found.regions == layout.regions


def test_what_is_moved_leaves_no_region_behind(layout: Layout) -> None:
    found = edit_layout(layout, [MoveObject("mug_1", SPOT)])
    names = [region.name for region in found.regions]
    assert "mug_region" not in names
    assert names[-1] == "mug_1_init_region"
    assert [atom for atom in found.init if atom[1] == "mug_1"] == [
        ("on", "mug_1", "kitchen_table_mug_1_init_region")
    ]


def test_a_region_that_the_goal_names_stays_when_its_object_moves(layout: Layout) -> None:
    goal = SetGoal((("on", "plate_1", "kitchen_table_mug_region"),))
    found = edit_layout(layout, [goal, MoveObject("mug_1", SPOT)])
    assert "mug_region" in [region.name for region in found.regions]


def test_a_fixture_can_be_moved(layout: Layout) -> None:
    found = edit_layout(layout, [MoveObject("flat_stove_1", SPOT)])
    assert ("on", "flat_stove_1", "kitchen_table_flat_stove_1_init_region") in found.init
    assert "cook_region" in [region.name for region in found.regions]


def test_what_replaces_an_object_takes_its_place_and_its_part_in_the_goal(layout: Layout) -> None:
    found = edit_layout(layout, [ReplaceObject("mug_1", "red_mug_1", "red_mug")])
    assert Entity("red_mug_1", "red_mug") in found.objects
    assert ("on", "red_mug_1", "kitchen_table_mug_region") in found.init
    assert ("on", "red_mug_1", "plate_2") in found.goal
    assert found.objects_of_interest == ("red_mug_1", "plate_1")


def test_a_removed_object_takes_its_region_with_it(layout: Layout) -> None:
    found = edit_layout(layout, [SetGoal((("on", "plate_1", "plate_2"),)), RemoveObject("mug_1")])
    assert [entity.name for entity in found.objects] == ["plate_1", "plate_2"]
    assert "mug_region" not in [region.name for region in found.regions]


def test_a_sentence_and_an_open_drawer_can_be_said(layout: Layout) -> None:
    found = edit_layout(layout, [SetLanguage("Put it there"), AddInit(("turnon", "flat_stove_1"))])
    assert found.language == "Put it there"
    assert found.init[-1] == ("turnon", "flat_stove_1")


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (AddObject("mug_1", "bowl", SPOT), "'mug_1' is taken"),
        (MoveObject("mug_7", SPOT), "mug_1"),
        (MoveObject("kitchen_table", SPOT), "work surface"),
        (ReplaceObject("flat_stove_1", "a_1", "a"), "flat_stove_1"),
        (ReplaceObject("mug_1", "plate_1", "plate"), "'plate_1' is taken"),
        (RemoveObject("mug_1"), r"\(on mug_1 plate_2\) in :goal"),
        (RemoveObject("plate_1"), r"\(on plate_2 plate_1\) in :init"),
        (RemoveRegion("kitchen_table_mug_region"), r"\(on mug_1 kitchen_table_mug_region\)"),
        (RemoveRegion("kitchen_table_nothing"), "kitchen_table_nothing"),
        (SetLanguage("Put the Mug on the plate"), "changes nothing"),
        (SetGoal((("on", "mug_1", "plate_2"), ("turnon", "flat_stove_1"))), "changes nothing|"),
        (AddInit(("on", "plate_2", "plate_1")), "changes nothing"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_an_edit_that_cannot_be_made_says_why(layout: Layout, edit: Edit, told: str) -> None:
    if isinstance(edit, SetGoal):
        layout = edit_layout(layout, [edit])
    with pytest.raises(EditError, match=told):
        edit_layout(layout, [edit])


def test_what_libero_would_misread_is_refused(layout: Layout) -> None:
    twice = AddRegion(Region("mug_region", "kitchen_table", ((0.0, 0.0, 0.1, 0.1),)))
    with pytest.raises(BddlError, match="taken already"):
        edit_layout(layout, [twice])
    with pytest.raises(BddlError, match="brackets"):
        edit_layout(layout, [SetLanguage("Put (it) there")])


def test_the_diff_shows_what_goes_and_what_comes_and_nothing_else(layout: Layout) -> None:
    found = edit_layout(layout, [AddObject("mug_2", "white_mug", SPOT)])
    assert diff_layouts(layout, found) == (
        "+    (mug_2_init_region (:target kitchen_table) (:ranges ((0.09 -0.21 0.11 -0.19)))"
        " (:yaw_rotation ((0.0 0.0))))\n"
        "-    mug_1 - white_mug\n"
        "+    mug_1 mug_2 - white_mug\n"
        "+    (On mug_2 kitchen_table_mug_2_init_region)"
    )
    assert diff_layouts(found, found) == ""


def test_a_free_name_is_the_first_number_that_is_not_taken(layout: Layout) -> None:
    assert free_name(layout, "plate") == "plate_3"
    assert free_name(layout, "bowl") == "bowl_1"


@pytest.fixture(scope="module")
def known_layouts(libero_files: list[Path]) -> list[Layout]:
    own = sorted((packaged_configs() / "layout").glob("*.bddl"))
    assert len(libero_files) == 130
    assert len(own) >= 7
    return [read_layout(file) for file in (*libero_files, *own)]


def test_parse_edit_write_parse_is_the_identity_on_all_missions(
    known_layouts: list[Layout],
) -> None:
    for layout in known_layouts:
        edits: list[Edit] = [
            AddObject(free_name(layout, "butter"), "butter", SPOT),
            SetLanguage(f"{layout.language} now"),
            MoveObject(layout.objects[0].name, Spot(-0.05, 0.1, 0.02, None)),
        ]
        edited = edit_layout(layout, edits)
        assert parse_layout(write_layout(edited)) == edited


numbers = st.floats(-0.3, 0.3, allow_nan=False)
spots = st.builds(
    Spot,
    numbers,
    numbers,
    st.floats(0.0, 0.05),
    st.none() | st.tuples(st.just(-0.5), numbers.map(abs)),
)


@st.composite
def edits(draw: Callable, layout: Layout) -> Edit:
    """An edit that may or may not be possible in a scene."""
    names = [e.name for e in (*layout.objects, *layout.fixtures)]
    name, category = (
        draw(st.sampled_from(names)),
        draw(st.sampled_from(["butter", "plate", "milk"])),
    )
    made: list[Edit] = [
        AddObject(free_name(layout, category), category, draw(spots)),
        MoveObject(name, draw(spots)),
        ReplaceObject(name, free_name(layout, category), category),
        RemoveObject(name),
        SetLanguage(draw(st.from_regex(r"[A-Za-z]{1,8}( [a-z]{1,8}){0,4}", fullmatch=True))),
        SetGoal((("on", name, draw(st.sampled_from(names))),)),
    ]
    return draw(st.sampled_from(made))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_after_any_edits_a_layout_is_sound_or_an_error_was_raised(
    known_layouts: list[Layout], data: st.DataObject
) -> None:
    layout = data.draw(st.sampled_from(known_layouts))
    for _ in range(data.draw(st.integers(1, 5))):
        edit = data.draw(edits(layout))
        try:
            edited = edit_layout(layout, [edit])
        except (EditError, BddlError):
            continue
        assert parse_layout(write_layout(edited)) == edited
        assert edited != replace(layout, digest=edited.digest)
        assert diff_layouts(layout, edited)
        layout = edited
