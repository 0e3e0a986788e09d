"""A benchmark of two tasks and stages that play them without a simulator."""

import dataclasses
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from perm.core.episode import Episode, EpisodeId, Outcome, Start, Subtask
from perm.core.layout import Layout
from perm.core.mission import Goal, Mission, SkillCall, SubtaskPlan
from perm.core.task import Level, MetricSpec, Preference, Task
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.runner import EvaluateRequest
from perm.evaluation.stage import Played
from perm.metrics.calibration import Calibration, EventCalibration
from perm.policies.errors import PolicyServerError
from perm.suites.library import Library
from tests.metrics.traces import pick_and_place

HIGHER = Preference("1-7", "Move higher", Level.MOTION, "Move higher", MetricSpec("carry_height"))
RED = Preference(
    "3-2",
    "Prefer red",
    Level.PROFILE,
    "Prefer red things",
    MetricSpec("object_choice", {"preferred": ["mug"], "candidates": ["mug", "plate"]}),
)
ON_PLATE = Goal(((("on", "mug", "plate"),),))
PLAN = SubtaskPlan((SkillCall("pick", "mug"), SkillCall("place_on", "mug", "plate")))


def make_task(name: str, preference: Preference, digest: str) -> Task:
    layout = Layout("Scene", "put the mug on the plate", (), (), (), (), (), ON_PLATE.any_of[0])
    mission = Mission("104", dataclasses.replace(layout, digest=digest), "Put it", ON_PLATE, 100)
    return Task(
        id=name,
        suite="single_pref",
        mission=mission,
        condition=(preference,),
        measured=(preference,),
        group=name,
        split="train",
        plan=PLAN,
        plain_plan=PLAN,
        preferred_goal=ON_PLATE if preference is RED else None,
    )


def twin_of(task: Task) -> Task:
    return dataclasses.replace(
        task, id=f"{task.id}.nopref", condition=(), asks="none", beside=task.id
    )


HIGH = make_task("single/1-7_104", HIGHER, "a" * 64)
RED_MUG = make_task("single/3-2_081_1", RED, "b" * 64)
TASKS = (HIGH, RED_MUG)
HEIGHT = Calibration(
    HIGH.id, "1-7", {"carry": EventCalibration(0.1, 0.3, (-20.0, 50.0, 70.0), "m")}, {}
)
LIBRARY = Library(
    preferences={"1-7": HIGHER, "3-2": RED},
    tasks={task.id: task for one in TASKS for task in (one, twin_of(one))},
    suites={},
    calibrations={(HIGH.id, "1-7"): HEIGHT},
)


def request(out: Path, **changes: Any) -> EvaluateRequest:
    wanted = EvaluateRequest(tasks=TASKS, policy={"name": "random"}, episodes=4, out=out)
    return dataclasses.replace(wanted, **changes)


def start() -> Start:
    pose = {"stove": np.zeros(3)}
    return Start(np.arange(5.0), np.zeros(2), pose, {"stove": np.eye(4)[0]}, ("j",), "a" * 64)


def play(task: Task, identity: EpisodeId) -> Episode:
    """Succeed but for every fourth init index; lift higher where that is asked."""
    is_success = identity.init_index % 4 != 3
    trace = pick_and_place(height=0.3 if task.condition else 0.1).trace
    success = np.zeros(trace.n_steps + 1, dtype=bool)
    success[-1] = is_success
    preferred = success if task.preferred_goal else None
    return Episode(
        identity=identity,
        prompt=task.prompt,
        policy="random",
        outcome=Outcome.SUCCESS if is_success else Outcome.FAILURE,
        stop="settled" if is_success else "step limit",
        success_any=is_success,
        success_end=is_success,
        success_settled=is_success,
        start=start(),
        trace=dataclasses.replace(trace, success=success, preferred=preferred),
        subtasks=(Subtask("pick", "mug", None, 0, 12, np.zeros(3), np.eye(4)[0]),),
        wall_s=time.perf_counter(),
        versions={"perm": "0.1.0"},
    )


class Steady:
    """Plays on."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options

    def play(self, task: Task, identity: EpisodeId, video: Path | None) -> Played:
        return Played(play(task, identity))

    def close(self) -> None:
        pass


class Interrupted(Steady):
    """Ctrl-C comes during the episode from init index 32."""

    def play(self, task: Task, identity: EpisodeId, video: Path | None) -> Played:
        if identity.init_index == 32:
            raise KeyboardInterrupt
        return super().play(task, identity, video)


class Killed(Steady):
    """The process that plays init index 32 is killed."""

    def play(self, task: Task, identity: EpisodeId, video: Path | None) -> Played:
        if identity.init_index == 32:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(task, identity, video)


class Slow(Steady):
    """Takes its time."""

    def play(self, task: Task, identity: EpisodeId, video: Path | None) -> Played:
        time.sleep(0.3)
        return super().play(task, identity, video)


class Unhurried(Steady):
    """Takes a moment."""

    def play(self, task: Task, identity: EpisodeId, video: Path | None) -> Played:
        time.sleep(0.05)
        return super().play(task, identity, video)


class BreaksAt31(Steady):
    """Something breaks in the episode from init index 31, after one that succeeded."""

    def play(self, task: Task, identity: EpisodeId, video: Path | None) -> Played:
        if identity.init_index == 31:
            raise ValueError("the arm fell off")
        return super().play(task, identity, video)


class ServerLost(Steady):
    """From init index 31 on there is no server any more."""

    def play(self, task: Task, identity: EpisodeId, video: Path | None) -> Played:
        if identity.init_index < 31:
            return super().play(task, identity, video)
        error = f"{PolicyServerError.__name__}: No policy server answers at ws://host:1."
        return Played(Episode(identity, task.prompt, "", Outcome.ERROR, "error", error=error))


def record(
    success: bool = True,
    d: float | None = 1.0,
    *,
    task: Task = HIGH,
    init_index: int = 30,
    outcome: Outcome | None = None,
    score: float | None = None,
    **changes: Any,
) -> EpisodeRecord:
    """A record with a label that was not measured but said."""
    name = task.measured[0].id
    values: dict[str, Any] = {
        "run": "random-00000000",
        "policy": "random",
        "checkpoint_step": None,
        "camera": None,
        "seed": 0,
        "suite": task.suite,
        "series": None,
        "task_id": task.id,
        "group": task.group,
        "mission_id": task.mission.id,
        "layout_digest": task.mission.layout.digest,
        "init_index": init_index,
        "prompt": task.prompt,
        "wording": "explicit_field" if task.condition else None,
        "preference_ids": tuple(p.id for p in task.condition),
        "level": task.condition[0].level.value if task.condition else "none",
        "condition": "A" if task.condition else "none",
        "generalization": "in_domain",
        "split": "train",
        "perturbation": "none",
        "outcome": outcome or (Outcome.SUCCESS if success else Outcome.FAILURE),
        "error": None,
        "success_any": success,
        "success_end": success,
        "success_settled": success,
        "d": {name: d},
        "score": {name: score},
        "raw": {name: {"value": 0.3, "unit": "m", "step": 12, "reason": "carry"}},
        "milestones": (),
        "subtasks": (),
        "steps": 100,
        "wall_s": 1.0,
        "clip_count": 0,
        "versions": {"perm": "0.1.0"},
        "renderer": None,
        "first_frame_sha256": None,
        "scene_sha256": "0" * 64,
    }
    return EpisodeRecord(**{**values, **changes})
