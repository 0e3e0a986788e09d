import pytest

from perm.metrics.rates import (
    mean_and_std,
    satisfaction,
    success_rate,
    unlabelled,
    wilson_interval,
)

SUCCESSES = [True, True, True, True, False, False, True, False]
LABELS = [1.0, 0.75, 0.25, 0.0, 1.0, 0.75, 1.0, 0.0]


def test_success_rate_is_the_share_of_successes() -> None:
    assert success_rate(SUCCESSES) == 0.625


def test_satisfaction_counts_a_failure_as_zero_whatever_its_label() -> None:
    assert satisfaction(SUCCESSES, LABELS) == 0.375
    assert satisfaction(SUCCESSES, LABELS) != pytest.approx(sum(LABELS) / 8)


def test_a_failure_without_a_label_counts_zero() -> None:
    assert satisfaction([True, False], [1.0, None]) == 0.5
    assert satisfaction([False, False], [None, None]) == 0.0


def test_a_success_without_a_label_is_left_out_and_counted() -> None:
    successes, labels = [True, True, False, True], [1.0, None, None, 0.5]
    assert satisfaction(successes, labels) == 0.5
    assert unlabelled(successes, labels) == 1


def test_nothing_can_be_said_without_episodes_or_labels() -> None:
    assert success_rate([]) is None
    assert satisfaction([], []) is None
    assert satisfaction([True, False], [None, None]) is None


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        satisfaction([True, True], [1.0])


def test_wilson_interval_of_known_counts() -> None:
    assert wilson_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson_interval(20, 20) == pytest.approx((0.8389, 1.0), abs=1e-4)


def test_wilson_interval_without_episodes_says_nothing() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_more_confidence_is_a_wider_interval() -> None:
    low, high = wilson_interval(8, 10, confidence=0.99)
    assert low < 0.4902
    assert high > 0.9433


def test_runs_have_a_mean_and_a_sample_deviation() -> None:
    runs = [84.0, 85.5, 83.5, 86.0, 84.5, 85.0, 83.0, 86.5, 84.0, 85.0]
    assert mean_and_std(runs) == (pytest.approx(84.7), pytest.approx(1.1105554))
    assert mean_and_std([84.0]) == (84.0, None)
