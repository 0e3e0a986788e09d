import pytest

from perm.core.errors import PermError
from perm.suites.library import Library, load_library
from perm.suites.series import SERIES, training_set


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


@pytest.mark.parametrize("family", ["1-1", "2-5", "3-2", "4-3"])
@pytest.mark.parametrize(
    ("name", "layouts", "demos"), [("L1", 2, 1125), ("L2", 3, 750), ("L3", 5, 450)]
)
def test_a_series_spreads_the_same_number_over_its_layouts(
    library: Library, family: str, name: str, layouts: int, demos: int
) -> None:
    portions = training_set(library, name, family)
    assert [portion.demos for portion in portions] == [demos] * layouts
    assert {portion.task.split for portion in portions} == {"train"}
    assert len({portion.task.mission.layout.digest for portion in portions}) == layouts


def test_l4_gives_half_of_it_to_those_who_were_told_nothing(library: Library) -> None:
    portions = training_set(library, "L4", "1-1")
    assert [(portion.task.id, portion.demos) for portion in portions] == [
        ("scale/1-1_004", 375),
        ("scale/1-1_004_1", 375),
        ("scale/1-1_004_2", 375),
        ("scale/1-1_004_nopref", 375),
        ("scale/1-1_004_1_nopref", 375),
        ("scale/1-1_004_2_nopref", 375),
    ]
    on_top = training_set(library, "L4", "1-1", on_top=True)
    assert [portion.demos for portion in on_top] == [750] * 6


def test_every_series_is_for_every_family_of_layouts(library: Library) -> None:
    for name in SERIES:
        for family in ("1-1", "2-5", "3-2", "4-3"):
            assert sum(one.demos for one in training_set(library, name, family)) == 2250


def test_what_is_no_series_or_family_is_refused(library: Library) -> None:
    with pytest.raises(PermError, match="Unknown series 'L5'"):
        training_set(library, "L5", "1-1")
    with pytest.raises(PermError, match=r"Unknown family of PrefScale '1-7'. .*1-1"):
        training_set(library, "L1", "1-7")
    with pytest.raises(PermError, match="1000 demonstrations of L2 cannot be shared evenly"):
        training_set(library, "L2", "1-1", budget=1000)
