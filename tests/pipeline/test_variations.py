import pytest

from perm.core.errors import PermError
from perm.core.mission import Mission
from perm.pipeline.variations import Variation, Wanted, abstracted, vary
from perm.suites.library import Library, load_library


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


def mission_of(library: Library, name: str) -> Mission:
    return library.missions[name]


def varied(library: Library, mission: str, preference: str) -> Variation:
    return vary(mission_of(library, mission), library.preferences[preference], library.catalogue)


@pytest.mark.parametrize(
    ("mission", "preference", "category", "language"),
    [
        ("062", "3-3", "yellow_milk", "pick up a milk and put it in the basket"),
        ("062", "3-10", "orange_juice", "pick up a drink and put it in the basket"),
        ("034", "3-2", "red_akita_black_bowl", "put a bowl in the bottom drawer of the cabinet"),
        (
            "034",
            "3-15",
            "bigger_akita_black_bowl",
            "put a bowl in the bottom drawer of the cabinet",
        ),
    ],
)
def test_a_choice_needs_a_rival_and_a_word_for_both(
    library: Library, mission: str, preference: str, category: str, language: str
) -> None:
    variation = varied(library, mission, preference)
    (wanted,) = variation.wanted
    assert wanted.category == category
    assert variation.language == language
    first, second = variation.goal.any_of
    assert first == mission_of(library, mission).layout.goal
    assert wanted.name in {name for atom in second for name in atom}


def test_a_drawer_preference_adds_nothing_and_opens_another_drawer_to_the_goal(
    library: Library,
) -> None:
    variation = varied(library, "034", "3-7")
    assert variation.wanted == ()
    assert variation.language == "put the black bowl in a drawer of the cabinet"
    assert variation.goal.any_of[1] == (
        ("in", "akita_black_bowl_1", "white_cabinet_1_middle_region"),
    )


def test_a_double_portion_adds_the_same_once_more(library: Library) -> None:
    variation = varied(library, "062", "3-8")
    assert [wanted.name for wanted in variation.wanted] == ["milk_2"]
    assert len(variation.goal.any_of[1]) == 2


def test_a_motion_preference_moves_the_object_and_leaves_the_sentence(library: Library) -> None:
    variation = varied(library, "104", "1-7")
    (wanted,) = variation.wanted
    assert (wanted.name, wanted.category) == ("akita_black_bowl_1", None)
    assert variation.language == mission_of(library, "104").language


def test_what_is_kept_away_from_stands_beside_the_way_or_is_added(library: Library) -> None:
    there = varied(library, "034", "1-4")
    assert there.avoided == "wine_bottle_1"
    assert there.wanted == ()
    added = varied(library, "057", "1-4")
    assert added.avoided == "wine_bottle_1"
    assert added.wanted == (
        Wanted("wine_bottle_1", "wine_bottle", "clustered with cream_cheese_1"),
    )


@pytest.mark.parametrize(
    ("mission", "preference", "told"),
    [
        ("062", "2-1", "A milk has no rim"),
        ("034", "2-3", "A bowl has no handle"),
        ("104", "2-8", "is not moved along the surface"),
        ("034", "2-5", "too low or too wide"),
        ("104", "3-6", "puts nothing into a drawer|is nothing that"),
        ("034", "3-9", "There is nothing to choose from for 'Prefer dairy products'"),
    ],
)
def test_a_preference_that_cannot_be_shown_says_why(
    library: Library, mission: str, preference: str, told: str
) -> None:
    with pytest.raises(PermError, match=told):
        varied(library, mission, preference)


def test_a_thing_loses_its_name_with_its_adjective_and_its_box(library: Library) -> None:
    cheese, bowl = library.catalogue["cream_cheese"], library.catalogue["akita_black_bowl"]
    assert abstracted("put the cream cheese box in the basket", cheese, "food") == (
        "put a food in the basket"
    )
    assert abstracted("Put the black bowl on the plate", bowl, "bowl") == "Put a bowl on the plate"
    assert abstracted("Put it there", bowl, "bowl") == "Put it there"
