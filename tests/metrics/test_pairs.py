import pytest

from perm.metrics.pairs import (
    conflict_satisfaction,
    domination,
    either_label,
    joint_label,
    task_conflict,
)
from perm.metrics.rates import satisfaction

BOTH = [(True, 1.0, 1.0), (True, 1.0, 0.75), (True, 0.25, 1.0), (False, 1.0, 1.0)]
FIRST_OFTEN = [
    (True, 1.0, 0.0),
    (True, 0.75, 0.0),
    (True, 0.0, 1.0),
    (False, 1.0, 0.0),
    (True, 0.25, 0.25),
]
SECOND_OFTEN = [
    (True, 0.0, 1.0),
    (True, 0.0, 0.75),
    (True, 0.25, 0.0),
    (False, 0.0, 0.0),
    (True, 0.0, 0.25),
]


def test_two_preferences_at_once_are_as_good_as_the_worse_one() -> None:
    joint = [joint_label(first, second) for _, first, second in BOTH]
    successes = [success for success, _, _ in BOTH]
    assert joint == [1.0, 0.75, 0.25, 1.0]
    assert satisfaction(successes, joint) == 0.5
    assert satisfaction(successes, [first for _, first, _ in BOTH]) == 0.5625
    assert satisfaction(successes, [second for _, _, second in BOTH]) == 0.6875


def test_a_label_that_is_not_known_leaves_the_pair_unknown_unless_the_other_decides() -> None:
    assert joint_label(1.0, None) is None
    assert either_label(None, 0.75) is None
    assert either_label(None, 1.0) == 1.0
    assert either_label(0.25, 0.0) == 0.25


def test_of_two_preferences_that_exclude_each_other_the_better_one_counts() -> None:
    assert conflict_satisfaction([*FIRST_OFTEN, *SECOND_OFTEN]) == pytest.approx(0.525)


def test_domination_is_the_mean_distance_over_tasks_and_not_over_episodes() -> None:
    found = domination({"pair1": FIRST_OFTEN, "pair2": SECOND_OFTEN})
    assert found.by_task == {
        "pair1": (pytest.approx(0.40), pytest.approx(0.25)),
        "pair2": (pytest.approx(0.05), pytest.approx(0.40)),
    }
    assert found.mean == pytest.approx(0.25)
    assert found.pooled == pytest.approx(0.10)


def test_a_policy_that_follows_one_side_only_is_told_from_chance() -> None:
    one_sided = domination({"pair": [(True, 1.0, 0.0)] * 12})
    by_turns = domination({"pair": [(True, 1.0, 0.0), (True, 0.0, 1.0)] * 6})
    assert one_sided.mean == 1.0
    assert one_sided.p_value is not None
    assert one_sided.p_value < 0.01
    assert one_sided.null == pytest.approx(0.23, abs=0.02)
    assert (by_turns.mean, by_turns.p_value) == (0.0, 1.0)


def test_domination_of_nothing_is_not_zero() -> None:
    assert domination({"pair": [(True, None, 1.0)]}).mean is None


def test_against_the_task_there_are_four_ways_that_sum_to_one() -> None:
    episodes = (
        [(True, 0.0)] * 5
        + [(True, 0.25)] * 3
        + [(False, 1.0)] * 4
        + [(False, 0.75)] * 3
        + [(False, 0.0)] * 6
        + [(False, 0.25)] * 3
    )
    found = task_conflict(episodes)
    assert found.follow_task == pytest.approx(8 / 24)
    assert found.follow_preference == pytest.approx(7 / 24)
    assert found.incomplete == pytest.approx(9 / 24)
    assert (found.both, found.n) == (0.0, 24)


def test_an_episode_without_a_label_is_left_out() -> None:
    assert task_conflict([(True, None), (True, 1.0)]).both == 1.0
    assert task_conflict([(True, None)]).follow_task is None
