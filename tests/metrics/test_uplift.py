"""Tests of perm.metrics.uplift."""

import pytest

from perm.metrics.uplift import PairedEpisodes, Side, holm, mcnemar, uplift


def pair(asked: tuple[bool, float | None], plain: tuple[bool, float | None]) -> PairedEpisodes:
    return PairedEpisodes(Side(*asked), Side(*plain))


HEARD = pair((True, 1.0), (True, 0.25))
DEAF = pair((True, 0.25), (True, 0.25))
FAILED = pair((False, 1.0), (True, 0.25))
LOST = pair((False, 1.0), (True, 0.75))
UNKNOWN = pair((True, None), (True, 0.25))


def test_uplift_is_the_difference_of_gated_labels() -> None:
    found = uplift({"motion": {"a": [HEARD, DEAF], "b": [FAILED, LOST]}})
    assert (found.n, found.asked, found.plain) == (4, 0.3125, 0.375)
    assert found.difference == pytest.approx(-0.0625)
    assert (found.gained, found.lost) == (1, 1)
    assert found.p_value == 1.0


def test_a_pair_that_could_not_be_measured_is_left_out() -> None:
    found = uplift({"motion": {"a": [HEARD, UNKNOWN, DEAF]}})
    assert (found.n, found.difference) == (2, 0.375)


def test_a_failure_needs_no_label() -> None:
    found = uplift({"motion": {"a": [pair((False, None), (True, 0.25)), HEARD]}})
    assert (found.n, found.asked) == (2, 0.5)


def test_without_pairs_nothing_is_said() -> None:
    found = uplift({})
    assert (found.n, found.difference, found.interval, found.p_value) == (0, None, None, 1.0)


def test_mcnemar_is_exact() -> None:
    assert mcnemar(5, 0) == pytest.approx(2 * 0.5**5)
    assert mcnemar(3, 3) == 1.0
    assert mcnemar(0, 0) == 1.0


def test_holm_multiplies_by_the_number_that_is_left_and_never_falls() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx(
        {"a": 0.03, "b": 0.06, "c": 0.06}
    )
    assert holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}


def test_differences_that_are_all_the_same_have_no_interval() -> None:
    found = uplift({"motion": {"a": [HEARD, HEARD], "b": [HEARD, HEARD]}})
    assert (found.difference, found.interval, found.visible, found.needed) == (0.75,) + (None,) * 3
