"""A survey in words."""

from perm.data.damage import describe


def test_runs_of_demos_are_named_by_their_ends() -> None:
    found = {0: "", 1: "", 2: "", 3: "cut", 4: "", 5: "cut", 6: "cut"}
    assert describe(found) == (
        "Intact: demo_0 .. demo_2, demo_4 of 7. Not intact: demo_3, demo_5 .. demo_6 (demo_3: cut)."
    )


def test_nothing_and_everything_are_said_as_such() -> None:
    assert describe({}) == "Nothing is intact."
    assert describe({0: "", 1: ""}) == "Intact: demo_0 .. demo_1 of 2."
    assert describe({0: "cut"}) == "Intact: none of 1. Not intact: demo_0 (demo_0: cut)."
