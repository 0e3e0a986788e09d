"""A survey in words."""

from perm.data.damage import describe


def test_runs_of_demos_are_named_by_their_ends() -> None:
    found = {0: "", 1: "", 2: "", 3: "cut", 4: "", 5: "cut", 6: "cut"}
    assert describe(found) == (
        "Of 7 demonstrations, demo_0 .. demo_2, demo_4 are intact; "
        "demo_3, demo_5 .. demo_6 are not (demo_3: cut)."
    )


def test_nothing_and_everything_are_said_as_such() -> None:
    assert describe({}) == "Nothing is intact."
    assert describe({0: "", 1: ""}) == "All 2 demonstrations are intact."
    assert describe({0: "cut"}) == (
        "Of 1 demonstrations, none are intact; demo_0 are not (demo_0: cut)."
    )
