from pathlib import Path

import pytest

from perm.cli.values import expand_indices, output_folder, simulation, whole_number
from perm.core.errors import PermError


def test_indices_are_numbers_and_ranges() -> None:
    assert expand_indices(["0-2", "7"]) == (0, 1, 2, 7)
    with pytest.raises(PermError, match=r"init: 'x' is neither an index nor a range"):
        expand_indices(["x"])


@pytest.mark.parametrize("item", ["\u0663", "\u00b2", "3-\u0665", "9" * 5000])
def test_an_index_is_written_in_a_few_plain_digits(item: str) -> None:
    with pytest.raises(PermError, match=r"is neither an index nor a range"):
        expand_indices([item])


def test_an_index_that_no_scene_has_is_refused() -> None:
    assert expand_indices(["49"]) == (49,)
    with pytest.raises(PermError, match=r"init: '40-50' goes beyond the last init index, 49"):
        expand_indices(["40-50"])


@pytest.mark.parametrize(("items", "index"), [(["3", "3"], 3), (["0-4", "2-7"], 2)])
def test_an_index_that_comes_twice_is_refused(items: list[str], index: int) -> None:
    message = rf"init: '{items[-1]}' gives {index} for a second time\."
    with pytest.raises(PermError, match=message):
        expand_indices(items)


def test_a_backward_range_is_refused() -> None:
    with pytest.raises(PermError, match=r"init: '5-3' is neither"):
        expand_indices(["5-3"])


def test_a_number_has_a_least_value() -> None:
    assert whole_number(1, {"demos": 1}, "demos") == 1
    with pytest.raises(PermError, match=r"demos must be at least 1, not 0"):
        whole_number(1, {"demos": 0}, "demos")


@pytest.mark.parametrize(
    ("name", "most", "reason"),
    [
        ("demos", 10_000, "so many of each task take weeks"),
        ("episodes", 10_000, "so many of each task take weeks"),
        ("workers", 1_000, "each is a process of its own"),
        ("seed", 4_294_967_295, "all seeds have 32 bits"),
    ],
)
def test_a_number_beyond_reason_is_refused_with_one(name: str, most: int, reason: str) -> None:
    assert whole_number(1, {name: most}, name) == most
    with pytest.raises(
        PermError, match=rf"{name} must be at most {most}, not {most + 1}: {reason}"
    ):
        whole_number(1, {name: most + 1}, name)


def test_an_output_folder_behind_a_file_or_without_a_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert output_folder({"out": str(tmp_path / "new/folder")}) == tmp_path / "new/folder"
    for out in ("file", "file/below"):
        with pytest.raises(PermError, match="file is not a folder; choose another"):
            output_folder({"out": str(tmp_path / out)})
    with pytest.raises(PermError, match="out= is empty"):
        output_folder({"out": ""})


def test_a_simulation_is_perms_or_liberos() -> None:
    assert [simulation({"sim": name}) for name in ("core", "stock")] == ["core", "stock"]
    with pytest.raises(PermError, match=r"Unknown simulation 'stok'\. Did you mean stock\?"):
        simulation({"sim": "stok"})
