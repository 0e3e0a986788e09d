import dataclasses
import hashlib
import logging

import numpy as np
import pytest

from perm.core.episode import EpisodeId, Outcome
from perm.core.errors import PermError
from perm.core.task import Task
from perm.evaluation.examine import Job, Tag, broken, examine, scene_sha256
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.stage import Played, Sight
from tests.evaluation.world import (
    HEIGHT,
    HIGH,
    RED_MUG,
    BreaksAt31,
    Steady,
    play,
    start,
    twin_of,
)

TAG = Tag("random-00000000", "random")


def job(task: Task, init_index: int = 30) -> Job:
    calibration = HEIGHT if task.group == HIGH.id else None
    return Job(task, EpisodeId(task.id, init_index, 0), {task.measured[0].id: calibration})


def examined(task: Task, init_index: int = 30) -> EpisodeRecord:
    return examine(Steady({}), TAG, job(task, init_index))


def test_the_prompt_is_kept_as_delivered() -> None:
    assert examined(HIGH).prompt == "Task: Put it. Preference: Move higher."


def test_a_carry_at_the_anchor_has_the_full_score() -> None:
    one = examined(HIGH)
    assert one.raw["1-7"]["value"] == pytest.approx(0.3)
    assert one.raw["1-7"]["unit"] == "m"
    assert one.score["1-7"] == pytest.approx(100.0)
    assert one.d == {"1-7": 1.0}


def test_a_twin_asks_for_nothing_and_is_measured_all_the_same() -> None:
    twin = examined(twin_of(HIGH))
    assert (twin.preference_ids, twin.level, twin.condition) == ((), "none", "none")
    assert (twin.task_id, twin.group) == ("single/1-7_104.nopref", "single/1-7_104")
    assert twin.d == {"1-7": 0.25}


def test_a_failure_keeps_its_label() -> None:
    one = examined(HIGH, init_index=31)
    assert (one.outcome, one.success_any, one.d["1-7"]) == (Outcome.FAILURE, False, 1.0)


def test_a_profile_task_tells_whether_the_preferred_goal_was_reached() -> None:
    assert examined(RED_MUG).reached_preferred is True
    assert examined(RED_MUG, init_index=31).reached_preferred is False
    assert examined(HIGH).milestones == ()


def test_what_breaks_is_an_error_even_after_a_success(caplog: pytest.LogCaptureFixture) -> None:
    stage = BreaksAt31({})
    assert examine(stage, TAG, job(HIGH, 30)).success_any
    with caplog.at_level(logging.WARNING):
        one = examine(stage, TAG, job(HIGH, 31))
    assert (one.outcome, one.success_any) == (Outcome.ERROR, False)
    assert one.error == "ValueError: the arm fell off"
    assert (one.d, one.raw, one.steps) == ({"1-7": None}, {}, None)
    assert "the arm fell off" in caplog.text


def test_a_scene_that_cannot_be_begun_is_an_error_of_its_episode() -> None:
    class NoStart(Steady):
        def play(self, task, identity, video):  # type: ignore[no-untyped-def]
            raise PermError("Init state 30 of layout 104 is not clean.")

    one = examine(NoStart({}), TAG, job(HIGH))
    assert one.outcome is Outcome.ERROR
    assert one.error == "PermError: Init state 30 of layout 104 is not clean."


def test_an_error_inside_the_episode_loop_is_not_judged() -> None:
    class Broken(Steady):
        def play(self, task, identity, video):  # type: ignore[no-untyped-def]
            episode = dataclasses.replace(play(task, identity), outcome=Outcome.ERROR, error="x")
            return Played(episode)

    assert examine(Broken({}), TAG, job(HIGH)).d == {"1-7": None}


def test_a_dead_process_is_an_error() -> None:
    one = broken(TAG, job(HIGH), "WorkerError: code -9")
    assert (one.outcome, one.error, one.prompt) == (
        Outcome.ERROR,
        "WorkerError: code -9",
        HIGH.prompt,
    )


def test_what_the_policy_looked_through_is_kept() -> None:
    class Seeing(Steady):
        def play(self, task, identity, video):  # type: ignore[no-untyped-def]
            return Played(play(task, identity), Sight("agentview", "egl", "f" * 64))

    one = examine(Seeing({}), TAG, job(HIGH))
    assert (one.camera, one.renderer, one.first_frame_sha256) == ("agentview", "egl", "f" * 64)
    assert examined(HIGH).renderer is None


def test_what_the_expert_did_is_kept() -> None:
    assert examined(HIGH).subtasks == (
        {"skill": "pick", "object": "mug", "target": None, "start": 0, "stop": 12, "success": None},
    )


def test_the_scene_hash_covers_the_fixtures() -> None:
    moved = dataclasses.replace(start(), fixture_pos={"stove": np.array([0.003, 0.0, 0.0])})
    assert scene_sha256(moved) != scene_sha256(start())
    assert scene_sha256(start()) == scene_sha256(start())
    state = hashlib.sha256(start().state.tobytes())
    state.update(b"stove" + np.zeros(3).tobytes() + b"stove" + np.eye(4)[0].tobytes())
    assert scene_sha256(start()) == state.hexdigest()


def test_the_sentence_of_libero_itself_is_called_original() -> None:
    twin = twin_of(HIGH)
    own = dataclasses.replace(
        twin, mission=dataclasses.replace(twin.mission, language="put the mug on the plate")
    )
    assert examined(own).wording == "original"
    assert examined(twin).wording is None
    assert examined(HIGH).wording == "explicit_field"


def test_an_unknown_split_is_refused() -> None:
    with pytest.raises(PermError, match="Unknown split 'trian'"):
        examined(dataclasses.replace(HIGH, split="trian"))
