import dataclasses
import hashlib

import numpy as np

from perm.evaluation.examine import examine
from perm.evaluation.line import scene_sha256
from perm.evaluation.stage import Played, Sight
from tests.evaluation.test_examine import TAG, examined, job
from tests.evaluation.world import HIGH, RED_MUG, Steady, play, start, twin_of


def test_the_prompt_is_kept_as_delivered() -> None:
    assert examined(HIGH).prompt == "Task: Put it. Preference: Move higher."


def test_a_twin_asks_for_nothing_and_is_measured_all_the_same() -> None:
    twin = examined(twin_of(HIGH))
    assert (twin.preference_ids, twin.level, twin.condition) == ((), "none", "none")
    assert (twin.task_id, twin.group) == ("single/1-7_104.nopref", "single/1-7_104")
    assert twin.d == {"1-7": 0.25}


def test_a_profile_task_tells_whether_the_preferred_goal_was_reached() -> None:
    assert examined(RED_MUG).reached_preferred is True
    assert examined(RED_MUG, init_index=31).reached_preferred is False
    assert examined(HIGH).reached_preferred is None


def test_the_last_milestone_tells_why_the_episode_ended() -> None:
    class Helpless(Steady):
        def play(self, task, identity, video):  # type: ignore[no-untyped-def]
            stop = "gave up: plan: goal in collision"
            return Played(dataclasses.replace(play(task, identity), stop=stop))

    assert examined(HIGH).milestones == ({"name": "end", "reached": True, "reason": "settled"},)
    one = examine(Helpless({}), TAG, job(RED_MUG))
    assert [milestone["name"] for milestone in one.milestones] == ["preferred goal", "end"]
    assert one.milestones[1]["reason"] == "gave up: plan: goal in collision"
    assert one.error is None


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
