import pytest

from perm.core.errors import PermError
from perm.pipeline.proposing import draw_pairs
from perm.suites.library import Library, load_library


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


def test_pairs_are_drawn_once_each_among_those_that_no_task_uses(library: Library) -> None:
    pairs = [(mission.id, preference.id) for mission, preference in draw_pairs(library, 40, seed=0)]
    assert len(set(pairs)) == 40
    used = {
        (task.mission.id.split("_")[0], preference.id)
        for task in library.tasks.values()
        for preference in task.measured
    }
    assert not used & set(pairs)


def test_the_same_seed_draws_the_same_pairs(library: Library) -> None:
    first, again, other = (draw_pairs(library, 10, seed) for seed in (0, 0, 1))
    assert first == again
    assert first != other


def test_more_pairs_than_there_are_is_an_error_that_tells_how_many(library: Library) -> None:
    with pytest.raises(PermError, match=r"draw: there are \d+ such pairs, not 100000"):
        draw_pairs(library, 100_000, seed=0)
