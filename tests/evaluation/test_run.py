import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest

from perm.core.episode import EpisodeId
from perm.core.errors import PermError
from perm.core.task import Task
from perm.evaluation import run as runs
from perm.evaluation.run import Run, from_json, plan_run, slug, to_json
from tests.evaluation.world import HEIGHT, HIGH, RED_MUG, twin_of

RANDOM = {"name": "random"}


def plan(
    tasks: Sequence[Task] = (HIGH, RED_MUG),
    options: dict[str, Any] = RANDOM,
    init_indices: tuple[int, ...] | None = None,
    **changes: Any,
) -> Run:
    settings = {"episodes": 3, "seed": 0, "init_indices": init_indices, **changes}
    calibrations = {HIGH.id: {"1-7": HEIGHT}, RED_MUG.id: {"3-2": None}}
    return plan_run(tasks, options, calibrations, {"perm": "0.1.0"}, **settings)


def test_episodes_start_from_30_to_49_unless_told_otherwise() -> None:
    assert plan().tasks[HIGH.id].init_indices == tuple(range(30, 50))
    assert plan(init_indices=(7, 3)).tasks[HIGH.id].init_indices == (7, 3)


def test_init_indices_take_turns_and_every_turn_has_its_own_seed() -> None:
    one = plan(init_indices=(30, 31), episodes=5, seed=10)
    played = one.identities(HIGH.id)
    assert [identity.init_index for identity in played] == [30, 31, 30, 31, 30]
    assert played[:2] == (EpisodeId(HIGH.id, 30, 10), EpisodeId(HIGH.id, 31, 10))
    assert len({identity.seed for identity in played}) == 4


def test_runs_with_neighbouring_seeds_share_no_episode() -> None:
    one, other = (plan(init_indices=(30, 31), episodes=8, seed=seed) for seed in (10, 11))
    assert not set(one.identities(HIGH.id)) & set(other.identities(HIGH.id))


def test_a_task_and_its_twin_have_the_same_seeds_in_every_turn() -> None:
    twin = twin_of(HIGH)
    both = plan_run(
        (HIGH, twin),
        RANDOM,
        {HIGH.id: {"1-7": HEIGHT}, twin.id: {"1-7": HEIGHT}},
        {},
        episodes=5,
        seed=10,
        init_indices=(30, 31),
    )
    seeds = [[identity.seed for identity in both.identities(t.id)] for t in (HIGH, twin)]
    assert seeds[0] == seeds[1]


def test_an_init_index_given_twice_is_refused() -> None:
    with pytest.raises(PermError, match=r"Init indices given twice: 4\. Their episodes would be"):
        plan(init_indices=(3, 4, 4))


def test_an_unknown_split_is_refused_before_anything_is_played() -> None:
    with pytest.raises(PermError, match=r"Unknown split 'trian'\. Did you mean train"):
        plan((dataclasses.replace(HIGH, split="trian"),))


@pytest.fixture
def replay(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(runs, "allowed_indices", lambda options, task: (0, 1, 2, 5))
    return {"name": "replay", "path": "out"}


def test_a_replay_plays_what_was_recorded(replay: dict[str, Any]) -> None:
    assert plan(options=replay).tasks[HIGH.id].init_indices == (0, 1, 2, 5)
    assert plan(options=replay, init_indices=(2, 3, 5), episodes=2).tasks[HIGH.id].init_indices == (
        2,
        5,
    )


def test_more_episodes_than_recordings_are_refused(replay: dict[str, Any]) -> None:
    with pytest.raises(PermError, match=r"7_104: 6 .* only 4 of .* it knows 0, 1, 2, 5\."):
        plan(options=replay, episodes=6)


def test_no_task_and_no_episode_are_refused() -> None:
    with pytest.raises(PermError, match="There is no task to evaluate"):
        plan(tasks=())
    with pytest.raises(PermError, match="episodes must be at least 1, got 0"):
        plan(episodes=0)


def test_a_run_survives_its_file() -> None:
    one = plan(init_indices=(3, 4))
    again = from_json(to_json(one), "run.json")
    assert to_json(again) == to_json(one)
    assert again.identities(HIGH.id) == one.identities(HIGH.id)


def test_another_kind_of_file_is_no_run() -> None:
    with pytest.raises(PermError, match=r"out/run\.json does not describe an evaluation"):
        from_json('{"kind": "generation"}', "out/run.json")
    with pytest.raises(PermError, match=r"out/run\.json is not JSON"):
        from_json("{", "out/run.json")


def test_the_id_of_a_run_changes_with_its_content_only() -> None:
    assert plan().id == plan().id
    assert plan(seed=1).id != plan().id
    assert plan().id.startswith("random-")


def test_the_address_of_a_server_is_a_fact_of_the_run_and_not_its_identity() -> None:
    one, other = (
        plan(options={"name": "openpi", "url": url, "checkpoint_step": 3})
        for url in ("ws://me:secret@one:1", "ws://two:2")
    )
    assert (one.options["url"], other.options["url"]) == ("ws://one:1", "ws://two:2")
    assert one.id == other.id
    assert one.identity == other.identity
    assert plan(options={"name": "openpi", "url": 8000}).options["url"] == "8000"


def test_a_slug_can_be_a_file_name() -> None:
    assert slug("expert (ignores preference)") == "expert-ignores-preference"
    assert slug("single/1-7_104.nopref") == "single-1-7_104.nopref"


def test_repeats_start_alike_with_other_seeds() -> None:
    one = plan(init_indices=(30, 31), episodes=3, repeats=3, seed=10)
    repeats = one.repeated(HIGH.id)
    assert [[i.init_index for i in repeat] for repeat in repeats] == [[30, 31, 30]] * 3
    assert repeats[0] == plan(init_indices=(30, 31), episodes=3, seed=10).identities(HIGH.id)
    assert len({i.seed for repeat in repeats for i in repeat}) == 6
    assert one.identities(HIGH.id) == tuple(i for repeat in repeats for i in repeat)


def test_there_is_at_least_one_repeat() -> None:
    with pytest.raises(PermError, match="repeats must be at least 1, got 0"):
        plan(repeats=0)
