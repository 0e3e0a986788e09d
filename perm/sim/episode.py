"""The one loop that plays an episode, for demonstrations and for evaluation alike."""

import time
from collections import deque
from dataclasses import dataclass

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.episode import Episode, EpisodeId, Outcome, Start
from perm.core.errors import GiveUp, PermError, pass_on_interrupt
from perm.core.policy import Policy
from perm.core.seeding import derive_seed
from perm.core.task import Task
from perm.sim.env import SimEnv
from perm.sim.recorder import Recorder
from perm.sim.settled import is_settled
from perm.sim.versions import versions


def run_episode(
    env: SimEnv, policy: Policy, task: Task, identity: EpisodeId, start: Start
) -> Episode:
    """Play one episode from its start to its end.

    It ends as soon as the goal is reached and settled (the preferred goal, if a second portion is
    asked for), else `task.after_success` steps after the first success, else at the mission's step
    limit, or when the policy gives up. Whatever breaks makes it an ERROR with the text of what
    broke.

    Args:
        env: A scene of the task's layout.
        policy: Who plays; it gets the task's prompt and a seed from the episode's identity.
        task: What is played.
        identity: Task, init index, seed.
        start: Where it starts, see `perm.sim.starts`.
    """
    began = time.perf_counter()
    try:
        env.begin(start)
        recorder = Recorder(env, task.mission.goal, task.preferred_goal)
        policy.reset(task.prompt, _policy_seed(task, identity))
        end = _play(env, policy, task, recorder)
    except Exception as error:  # noqa: BLE001 - whatever breaks is an ERROR, never a FAILURE
        pass_on_interrupt(error)
        return Episode(
            identity=identity,
            prompt=task.prompt,
            policy=policy.spec.name,
            outcome=Outcome.ERROR,
            stop="error",
            error=f"{type(error).__name__}: {error}",
            start=start,
            wall_s=time.perf_counter() - began,
            versions=versions(env.simulation),
        )
    success = recorder.column("success")
    has_succeeded = bool(success[-1] if task.mission.goal_is_final else success.any())
    return Episode(
        identity=identity,
        prompt=task.prompt,
        policy=policy.spec.name,
        outcome=Outcome.SUCCESS if has_succeeded else Outcome.FAILURE,
        stop=end.stop,
        success_any=has_succeeded,
        success_end=bool(success[-1]),
        success_settled=end.settled,
        start=start,
        trace=recorder.trace(),
        states=recorder.column("state"),
        view_qpos=recorder.column("view_qpos"),
        proprio=recorder.proprio(),
        clip_count=end.clipped,
        wall_s=time.perf_counter() - began,
        versions=versions(env.simulation),
    )


def _policy_seed(task: Task, identity: EpisodeId) -> int:
    """One seed for a task and its twins, so that they differ in nothing but the preference."""
    return derive_seed(identity.seed, task.group, identity.init_index, "policy")


@dataclass
class _End:
    """How an episode ended.

    Attributes:
        stop: Why.
        settled: Whether the mission's goal was settled at some step.
        clipped: How many actions were clipped.
    """

    stop: str = ""
    settled: bool = False
    clipped: int = 0


def _play(env: SimEnv, policy: Policy, task: Task, recorder: Recorder) -> _End:
    """Step until the episode ends."""
    queue: deque[FloatArray] = deque()
    end, first_success = _End(), None
    while True:
        recorder.row()
        step = recorder.n_rows - 1
        if first_success is None and recorder.last["success"]:
            first_success = step
        end.settled = end.settled or is_settled(recorder, task.mission)
        end.stop = _why_over(recorder, task, end.settled, first_success)
        if end.stop:
            return end
        if not queue:
            try:
                queue.extend(_ask(env, policy))
            except GiveUp as stop:
                end.stop = f"gave up: {stop.cause}"
                return end
        action = queue.popleft()
        executed = np.clip(action, -1.0, 1.0)
        end.clipped += bool((executed != action).any())
        recorder.action(executed)
        env.step(executed)


def _why_over(recorder: Recorder, task: Task, settled: bool, first_success: int | None) -> str:
    """Return why an episode is over at the last row, or ""."""
    step = recorder.n_rows - 1
    if task.awaited is not None:
        settled = is_settled(recorder, task.mission, task.awaited)
    if settled:
        return "settled"
    if first_success is not None and step - first_success >= task.after_success:
        return "after success"
    return "step limit" if step >= task.mission.max_steps else ""


def _ask(env: SimEnv, policy: Policy) -> FloatArray:
    actions = np.asarray(policy.act(env.observe(policy.spec.image_size)), dtype=np.float64)
    if actions.ndim != 2 or actions.shape[1] != 7 or len(actions) == 0:
        raise PermError(
            f"Policy {policy.spec.name} returned actions of shape {actions.shape}; "
            "expected (K, 7) with K >= 1."
        )
    if not np.isfinite(actions).all():
        raise PermError(f"Policy {policy.spec.name} returned actions that are not finite.")
    return actions
