"""Tests of perm.evaluation.merging."""

from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.evaluation.merging import merge
from perm.evaluation.runner import evaluate
from perm.evaluation.stage import OpenStage
from tests.evaluation.world import LIBRARY, BreaksAt31, Steady, request


def shards(tmp_path: Path, n: int, stage: OpenStage = Steady) -> list[Path]:
    folders = [tmp_path / f"part{i}" for i in range(1, n + 1)]
    for i, folder in enumerate(folders, 1):
        evaluate(request(folder, shard=(i, n)), LIBRARY, stage)
    return folders


def test_shards_come_to_the_same_summary_as_the_whole_in_any_order(tmp_path: Path) -> None:
    evaluate(request(tmp_path / "whole"), LIBRARY, Steady)
    parts = shards(tmp_path, 3)
    merge(parts, tmp_path / "forth")
    merge(parts[::-1], tmp_path / "back")
    whole = (tmp_path / "whole" / "summary.json").read_bytes()
    assert (tmp_path / "forth" / "summary.json").read_bytes() == whole
    for name in ("summary.json", "episodes.jsonl", "run.json"):
        assert (tmp_path / "forth" / name).read_bytes() == (tmp_path / "back" / name).read_bytes()


def test_an_episode_that_was_played_counts_over_one_that_broke(tmp_path: Path) -> None:
    evaluate(request(tmp_path / "broken"), LIBRARY, BreaksAt31)
    evaluate(request(tmp_path / "whole"), LIBRARY, Steady)
    summary = merge([tmp_path / "broken", tmp_path / "whole"], tmp_path / "out")
    assert (summary.overall.n, summary.overall.n_error) == (8, 0)


def test_different_runs_are_not_merged(tmp_path: Path) -> None:
    evaluate(request(tmp_path / "a"), LIBRARY, Steady)
    evaluate(request(tmp_path / "b", seed=1), LIBRARY, Steady)
    with pytest.raises(PermError, match=r"b holds another run than .*a: random-"):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    (part,) = shards(tmp_path, 1)
    with pytest.raises(PermError, match="is not empty; choose another folder"):
        merge([part], part)
