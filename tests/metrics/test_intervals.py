"""Tests of perm.metrics.intervals."""

import numpy as np
import pytest

from perm.metrics.intervals import clustered_interval, episodes_needed, smallest_visible


def covered(draws: int, tasks: int, episodes: int, levels: tuple[float, ...]) -> float:
    """Return how often the interval holds the planted mean of 0/1 episodes of equal tasks."""
    rng = np.random.default_rng(1)
    truth = float(np.mean(levels))
    hits = 0
    for _ in range(draws):
        found = clustered_interval(
            {str(p): (rng.random((tasks, episodes)) < p).astype(float).tolist() for p in levels}
        )
        assert found is not None
        hits += found[0] <= truth <= found[1]
    return hits / draws


@pytest.mark.parametrize(("tasks", "episodes"), [(30, 5), (4, 20), (1, 60)])
def test_the_interval_holds_a_planted_mean_in_90_to_98_percent(tasks: int, episodes: int) -> None:
    assert 0.90 <= covered(200, tasks, episodes, (0.8, 0.3)) <= 0.98


def test_tasks_that_differ_widen_it() -> None:
    alike = clustered_interval({"a": [[0.0, 1.0]] * 10})
    apart = clustered_interval({"a": [[0.0, 0.0]] * 5 + [[1.0, 1.0]] * 5})
    assert alike == (0.5, 0.5)
    assert apart is not None
    assert apart[1] - apart[0] > 0.4


def test_levels_that_differ_do_not_widen_it() -> None:
    assert clustered_interval({"a": [[0.0, 0.0]] * 5, "b": [[1.0, 1.0]] * 5}) == (0.5, 0.5)


def test_same_values_same_interval() -> None:
    values = {"a": [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]}
    assert clustered_interval(values) == clustered_interval(values)


@pytest.mark.parametrize("clusters", [{}, {"a": []}, {"a": [[]]}, {"a": [[1.0]]}])
def test_less_than_two_episodes_have_no_interval(clusters: dict[str, list[list[float]]]) -> None:
    assert clustered_interval(clusters) is None


def test_needed_episodes_of_a_rate_of_one_half() -> None:
    assert episodes_needed(0.5, 0.05) == 385


def test_the_smallest_visible_difference_shrinks_with_the_root_of_n() -> None:
    assert smallest_visible(0.5, 100) == pytest.approx(0.1401, abs=1e-4)
    assert smallest_visible(0.5, 400) == pytest.approx(0.07004, abs=1e-4)
    assert smallest_visible(0.5, 0) is None
