"""The one loop that plays an episode, for demonstrations and for evaluation alike."""

import time
from collections import deque

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
    asked for), else `task.after_success` steps after the
    first success, else at the mission's step limit, or when the policy gives up. Whatever breaks
    makes it an ERROR with the text of what broke.

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
        stop, clipped = _play(env, policy, task, recorder)
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
    return Episode(
        identity=identity,
        prompt=task.prompt,
        policy=policy.spec.name,
        outcome=Outcome.SUCCESS if success.any() else Outcome.FAILURE,
        stop=stop,
        success_any=bool(success.any()),
        success_end=bool(success[-1]),
        success_settled=stop == "settled",
        start=start,
        trace=recorder.trace(),
        states=recorder.column("state"),
        view_qpos=recorder.column("view_qpos"),
        proprio=recorder.proprio(),
        clip_count=clipped,
        wall_s=time.perf_counter() - began,
        versions=versions(env.simulation),
    )


def _policy_seed(task: Task, identity: EpisodeId) -> int:
    """One seed for a task and its twins, so that they differ in nothing but the preference."""
    return derive_seed(identity.seed, task.group, identity.init_index, "policy")


def _play(env: SimEnv, policy: Policy, task: Task, recorder: Recorder) -> tuple[str, int]:
    """Step until the episode ends; return why, and how many actions were clipped."""
    queue: deque[FloatArray] = deque()
    clipped = 0
    first_success: int | None = None
    while True:
        recorder.row()
        step = recorder.n_rows - 1
        if first_success is None and recorder.last["success"]:
            first_success = step
        if is_settled(recorder, task):
            return "settled", clipped
        if first_success is not None and step - first_success >= task.after_success:
            return "after success", clipped
        if step >= task.mission.max_steps:
            return "step limit", clipped
        if not queue:
            try:
                queue.extend(_ask(env, policy))
            except GiveUp as stop:
                return f"gave up: {stop.cause}", clipped
        action = queue.popleft()
        executed = np.clip(action, -1.0, 1.0)
        clipped += bool((executed != action).any())
        recorder.action(executed)
        env.step(executed)


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
