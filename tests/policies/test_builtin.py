import numpy as np

from perm.policies.builtin import HoldPolicy, RandomPolicy
from perm.policies.check_policy import Verdict, check_policy


def _draws(policy: RandomPolicy, seed: int, count: int = 200) -> np.ndarray:
    policy.reset("Put the bowl on the plate", seed)
    return np.concatenate([policy.act({}) for _ in range(count)])


def test_hold_neither_moves_nor_closes() -> None:
    policy = HoldPolicy()
    policy.reset("Put the bowl on the plate", 3)
    np.testing.assert_array_equal(policy.act({}), [[0, 0, 0, 0, 0, 0, -1]])


def test_random_acts_one_step_at_a_time_all_over_the_range() -> None:
    draws = _draws(RandomPolicy(), seed=3)
    assert draws.shape == (200, 7)
    assert (np.abs(draws) <= 1).all()
    assert (draws.min(axis=0) < -0.9).all()
    assert (draws.max(axis=0) > 0.9).all()


def test_random_repeats_an_episode_and_not_its_neighbour() -> None:
    policy = RandomPolicy()
    first, other, again = (_draws(policy, seed) for seed in (3, 4, 3))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_both_pass_the_checker() -> None:
    for policy in (HoldPolicy(), RandomPolicy()):
        assert {finding.verdict for finding in check_policy(policy)} == {Verdict.OK}
