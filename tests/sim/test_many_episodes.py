"""Hundreds of episodes leave nothing behind; here are 40 short ones, `make soak` plays 500."""

import pytest

from .soak import FLAT, ROUND, Played, growth, play_apart, play_together

pytestmark = pytest.mark.sim

MAX_STEPS = 60


@pytest.fixture(scope="module")
def played() -> list[Played]:
    return play_together(2 * ROUND, MAX_STEPS)


def test_memory_stays_as_it_is_once_every_scene_has_been_there(played: list[Played]) -> None:
    assert growth(played) < FLAT


def test_an_episode_is_the_same_in_a_fresh_process_whatever_ran_before(
    played: list[Played],
) -> None:
    assert len({episode.digest for episode in played}) == 40
    assert sum(episode.touched > 0 for episode in played) > 2
    for again in play_apart([13, 37], MAX_STEPS):
        assert again.digest == played[again.number].digest
        assert again.n_steps == MAX_STEPS


def test_growth_is_the_largest_change_of_a_rounds_average() -> None:
    def series(memory: list[float]) -> list[Played]:
        return [Played(i, "", 60, 0, "step limit", size) for i, size in enumerate(memory)]

    assert growth(series([50.0] * 19 + [100.0] + [90.0, 110.0] * 10)) == 0.0
    assert growth(series([100.0] * 20 + [101.0] * 20 + [97.0] * 20)) == pytest.approx(0.03)
