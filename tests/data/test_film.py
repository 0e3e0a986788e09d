from pathlib import Path

import numpy as np
import pytest

from perm.core.episode import Episode, EpisodeId, Outcome, Start
from perm.core.errors import PermError
from perm.data.film import film_path, read_film, write_film
from tests.data.test_trial import TRIAL

EPISODE = Episode(
    identity=EpisodeId("single/1-7_104", 33, 5),
    prompt="Put it",
    policy="expert",
    outcome=Outcome.FAILURE,
    stop="step limit",
    start=Start(
        state=np.arange(5.0),
        warmstart=np.ones(2),
        fixture_pos={"stove": np.array([0.1, 0.2, 0.3])},
        fixture_quat={"stove": np.eye(4)[0]},
        joints=("a", "b"),
        layout_digest="f" * 64,
    ),
    states=np.random.default_rng(0).normal(size=(4, 5)),
    view_qpos=np.random.default_rng(1).normal(size=(4, 2)),
)


def test_all_that_drawing_needs_comes_back_bit_for_bit(tmp_path: Path) -> None:
    path = film_path(tmp_path, TRIAL)
    write_film(path, EPISODE)
    again = read_film(path)
    assert again.states is not None
    assert again.view_qpos is not None
    assert again.start is not None
    assert EPISODE.start is not None
    assert np.array_equal(again.states, EPISODE.states)
    assert np.array_equal(again.view_qpos, EPISODE.view_qpos)
    assert np.array_equal(again.start.fixture_pos["stove"], [0.1, 0.2, 0.3])
    assert again.start.joints == ("a", "b")
    assert (again.identity, again.stop, again.outcome) == (
        EPISODE.identity,
        "step limit",
        Outcome.FAILURE,
    )


def test_an_episode_that_broke_leaves_no_film(tmp_path: Path) -> None:
    broken = Episode(EPISODE.identity, "", "expert", Outcome.ERROR, "error")
    write_film(tmp_path / "a.hdf5", broken)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_film_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.hdf5").write_bytes(b"no film")
    for name in ("a", "b"):
        with pytest.raises(PermError, match=rf"{name}\.hdf5 cannot be read"):
            read_film(tmp_path / f"{name}.hdf5")
