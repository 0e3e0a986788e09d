import dataclasses
import logging

import pytest

from perm.core.episode import EpisodeId, Outcome
from perm.core.errors import PermError
from perm.core.task import Task
from perm.evaluation.examine import Job, broken, examine
from perm.evaluation.line import Tag
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.stage import Played
from tests.evaluation.world import (
    HEIGHT,
    HIGH,
    BreaksAt31,
    Steady,
    play,
)

TAG = Tag("random-00000000", "random")


def job(task: Task, init_index: int = 30) -> Job:
    calibration = HEIGHT if task.group == HIGH.id else None
    return Job(task, EpisodeId(task.id, init_index, 0), {task.measured[0].id: calibration})


def examined(task: Task, init_index: int = 30) -> EpisodeRecord:
    return examine(Steady({}), TAG, job(task, init_index))


def test_a_carry_at_the_anchor_has_the_full_score() -> None:
    one = examined(HIGH)
    assert one.raw["1-7"]["value"] == pytest.approx(0.3)
    assert one.raw["1-7"]["unit"] == "m"
    assert one.score["1-7"] == pytest.approx(100.0)
    assert one.d == {"1-7": 1.0}


def test_a_failure_keeps_its_label() -> None:
    one = examined(HIGH, init_index=31)
    assert (one.outcome, one.success_any, one.d["1-7"]) == (Outcome.FAILURE, False, 1.0)


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


def test_a_ctrl_c_that_an_error_hides_is_no_error_of_the_episode() -> None:
    class Pressed(Steady):
        def play(self, task, identity, video):  # type: ignore[no-untyped-def]
            try:
                raise KeyboardInterrupt
            except KeyboardInterrupt as interrupt:
                raise SystemError("returned a result with an exception set") from interrupt

    with pytest.raises(KeyboardInterrupt):
        examine(Pressed({}), TAG, job(HIGH))


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
