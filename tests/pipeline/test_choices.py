from dataclasses import replace

import pytest

from perm.core.errors import PermError
from perm.core.layout import Entity, Layout, Region
from perm.core.task import Level, MetricSpec, Preference
from perm.pipeline.choices import choose
from perm.suites.library import Library, load_library

BASKET = "basket_1_contain_region"


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


def scene(*categories: str) -> Layout:
    return Layout(
        problem="LIBERO_Floor_Manipulation",
        language="x",
        regions=tuple(
            Region(f"{level}_region", "white_cabinet_1") for level in ("top", "middle", "bottom")
        ),
        fixtures=(Entity("floor", "floor"), Entity("white_cabinet_1", "white_cabinet")),
        objects=tuple(Entity(f"{category}_1", category) for category in categories),
        objects_of_interest=(),
        init=(),
        goal=(),
    )


def into(place: str, *names: str) -> list:
    return [(("in", name, place),) for name in names]


@pytest.mark.parametrize(
    ("preference", "categories", "preferred"),
    [
        ("3-1", ("butter", "green_butter"), {"green_butter_1"}),
        ("3-2", ("red_coffee_mug", "porcelain_mug"), {"red_coffee_mug_1"}),
        ("3-3", ("milk", "yellow_milk"), {"yellow_milk_1"}),
        ("3-4", ("plate", "blue_plate"), {"blue_plate_1"}),
        ("3-5", ("tomato_sauce", "bigger_tomato_sauce"), {"bigger_tomato_sauce_1"}),
        ("3-9", ("milk", "orange_juice", "butter"), {"milk_1", "butter_1"}),
        ("3-10", ("milk", "orange_juice"), {"orange_juice_1"}),
        ("3-11", ("bbq_sauce", "ketchup", "salad_dressing"), {"ketchup_1", "salad_dressing_1"}),
        ("3-12", ("alphabet_soup", "butter", "ketchup"), {"butter_1"}),
        ("3-13", ("alphabet_soup", "butter", "ketchup"), {"ketchup_1"}),
        ("3-14", ("alphabet_soup", "butter", "ketchup"), {"alphabet_soup_1"}),
        ("3-15", ("akita_black_bowl", "white_bowl"), {"white_bowl_1"}),
    ],
)
def test_a_profile_is_grounded_in_what_was_measured_and_what_things_are(
    library: Library, preference: str, categories: tuple[str, ...], preferred: set[str]
) -> None:
    names = [f"{category}_1" for category in categories]
    chosen = choose(
        library.preferences[preference],
        into(BASKET, *names),
        scene(*categories),
        library.catalogue,
    )
    assert {alternative[0][1] for alternative in chosen.preferred} == preferred
    assert {alternative[0][1] for alternative in chosen.others} == set(names) - preferred


def test_food_goes_into_the_upper_drawer_and_nothing_else_does(library: Library) -> None:
    layout, upper = scene("butter", "akita_black_bowl"), library.preferences["3-6"]
    top, bottom = "white_cabinet_1_top_region", "white_cabinet_1_bottom_region"
    items = choose(upper, into(top, "butter_1", "akita_black_bowl_1"), layout, library.catalogue)
    assert items.preferred == ((("in", "butter_1", top),),)
    drawers = choose(
        upper,
        [*into(bottom, "butter_1"), *into(top, "butter_1")],
        layout,
        library.catalogue,
    )
    assert drawers.preferred == ((("in", "butter_1", top),),)


def test_a_double_portion_is_the_alternative_with_both(library: Library) -> None:
    one, two = into(BASKET, "butter_1", "milk_1")
    chosen = choose(
        library.preferences["3-8"],
        [one, two, one + two],
        scene("butter", "milk"),
        library.catalogue,
    )
    assert chosen.preferred == (one + two,)


def test_where_all_or_none_would_do_there_is_no_choice(library: Library) -> None:
    layout, green = scene("butter", "milk"), library.preferences["3-1"]
    with pytest.raises(PermError, match="None of the goal's alternatives keep 'Prefer green"):
        choose(green, into(BASKET, "butter_1", "milk_1"), layout, library.catalogue)
    dairy = library.preferences["3-9"]
    with pytest.raises(PermError, match="All of the goal's alternatives"):
        choose(dairy, into(BASKET, "butter_1", "milk_1"), layout, library.catalogue)


def test_a_colour_of_ours_works_like_any(library: Library) -> None:
    own = Preference(
        "x",
        "Brown",
        Level.PROFILE,
        "Brown",
        MetricSpec("object_choice"),
        choice={"colour": "brown"},
    )
    chosen = choose(
        replace(own, choice={"colour": "brown"}),
        into(BASKET, "milk_1", "chocolate_pudding_1"),
        scene("milk", "chocolate_pudding"),
        library.catalogue,
    )
    assert chosen.preferred[0][0][1] == "chocolate_pudding_1"
