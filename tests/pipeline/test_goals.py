import pytest

from perm.bddl.read import read_layout
from perm.core.errors import PermError
from perm.core.layout import Atom, Layout
from perm.core.plan import entails, faults
from perm.pipeline.goals import plan_goal
from perm.suites.library import Library, load_library
from perm.suites.paths import libero_bddl_folder

SUITES = ("libero_spatial", "libero_object", "libero_goal", "libero_90", "libero_10")


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


def planned(library: Library, layout: Layout, *goal: Atom) -> list[tuple[str, ...]]:
    plan = plan_goal(layout, goal or layout.goal, library.catalogue)
    return [tuple(filter(None, (call.skill, call.object, call.target))) for call in plan.calls]


def layout_of(library: Library, mission: str) -> Layout:
    found = {task.mission.id: task.mission.layout for task in library.tasks.values()}
    return found[mission]


def test_every_mission_of_libero_has_a_sound_plan_that_entails_its_goal(library: Library) -> None:
    count = 0
    for suite in SUITES:
        for path in sorted((libero_bddl_folder() / suite).glob("*.bddl")):
            layout = read_layout(path)
            plan = plan_goal(layout, layout.goal, library.catalogue)
            assert list(faults(plan)) == [], path.stem
            assert entails(plan, layout.init, layout.goal), path.stem
            count += 1
    assert count == 130


def test_an_open_drawer_is_closed_after_something_was_put_in(library: Library) -> None:
    drawer = "white_cabinet_1_bottom_region"
    assert planned(library, layout_of(library, "001")) == [
        ("pick", "akita_black_bowl_1"),
        ("place_in", "akita_black_bowl_1", drawer),
        ("close", drawer),
    ]


def test_a_closed_drawer_is_opened_before(library: Library) -> None:
    drawer = "white_cabinet_1_top_region"
    layout = layout_of(library, "034")
    assert planned(library, layout, ("in", "akita_black_bowl_1", drawer)) == [
        ("open", drawer),
        ("pick", "akita_black_bowl_1"),
        ("place_in", "akita_black_bowl_1", drawer),
    ]


def test_a_bottle_is_laid_into_a_drawer(library: Library) -> None:
    drawer = "white_cabinet_1_bottom_region"
    layout = layout_of(library, "034")
    assert planned(library, layout, ("in", "wine_bottle_1", drawer)) == [
        ("pick", "wine_bottle_1"),
        ("lay_down", "wine_bottle_1", drawer),
    ]


def test_what_is_under_something_is_put_down_first(library: Library) -> None:
    tray = "wooden_tray_1_contain_region"
    first, second = "akita_black_bowl_1", "akita_black_bowl_2"
    goal = (("on", first, second), ("in", second, tray))
    assert planned(library, layout_of(library, "070"), *goal) == [
        ("pick", second),
        ("place_in", second, tray),
        ("pick", first),
        ("place_on", first, second),
    ]


def test_two_things_cannot_lie_on_each_other(library: Library) -> None:
    first, second = "akita_black_bowl_1", "akita_black_bowl_2"
    with pytest.raises(PermError, match="cannot all lie on each other"):
        planned(library, layout_of(library, "070"), ("on", first, second), ("on", second, first))


def test_a_fixture_is_not_moved(library: Library) -> None:
    layout = layout_of(library, "034")
    with pytest.raises(PermError, match="white_cabinet_1 cannot be moved"):
        planned(library, layout, ("on", "white_cabinet_1", "wine_rack_1"))
    with pytest.raises(PermError, match=r"No skill brings about \(up wine_bottle_1\)"):
        planned(library, layout, ("up", "wine_bottle_1"))
