"""A survey in words."""

from pathlib import Path

import h5py

from perm.data.damage import demo_numbers, describe


def test_runs_of_demos_are_named_by_their_ends() -> None:
    found = {0: "", 1: "", 2: "", 3: "cut", 4: "", 5: "cut", 6: "cut"}
    assert describe(found) == (
        "Intact: demo_0 .. demo_2, demo_4 of 7. Not intact: demo_3, demo_5 .. demo_6 (demo_3: cut)."
    )


def test_names_count_and_not_how_many_there_are(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "x.hdf5", "w") as file:
        for name in (
            "demo_10",
            "demo_2",
            "demo_9",
            "mask",
            "demo_x",
            "demo_02",
            "demo_" + 50 * "9",
        ):
            file.create_group(f"data/{name}")
        assert demo_numbers(file) == (2, 9, 10)


def test_nothing_and_everything_are_said_as_such() -> None:
    assert describe({}) == "Nothing is intact."
    assert describe({0: "", 1: ""}) == "Intact: demo_0 .. demo_1 of 2."
    assert describe({0: "cut"}) == "Intact: none of 1. Not intact: demo_0 (demo_0: cut)."
