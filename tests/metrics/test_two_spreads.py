"""Tests of perm.metrics.two_spreads."""

from perm.metrics.two_spreads import WIDTH, two_spreads


def test_values_at_both_ends_stand_at_both_ends() -> None:
    without, with_it, axis = two_spreads([1.0, 1.0], [3.0], "m").splitlines()
    assert without.split() == ["without", "█"]
    assert with_it == "  with     " + " " * (WIDTH - 1) + "█"
    assert axis.split() == ["1", "3", "m"]


def test_equal_values_still_have_an_axis() -> None:
    assert "█" in two_spreads([2.0], [2.0], "steps")
