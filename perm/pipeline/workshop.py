"""Where the expert works: one attempt after another until one is good enough."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from perm.core.conditions import LEFT_ASIDE
from perm.core.conventions import SIMULATIONS
from perm.core.episode import Episode, EpisodeId, Outcome, Start
from perm.core.satisfaction import SatisfactionScore
from perm.core.seeding import derive_seed
from perm.core.task import Task
from perm.metrics.calibration import Calibration
from perm.metrics.satisfaction import judge_all
from perm.pipeline.inspection import LOOK_AGAIN, REJECTED, Inspector
from perm.pipeline.models.asking import Budget
from perm.pipeline.models.question import NoAnswerError

if TYPE_CHECKING:
    from perm.sim.env import SimEnv

MAX_ATTEMPTS = 12
"""After so many rejections a demonstration is given up.

Its init index stays the same: demonstration k of a task and of its twin begin alike.
"""
REJECTING = {REJECTED: "not as asked for", LOOK_AGAIN: "the looks differ"}
"""Verdicts that reject an attempt, in words."""
MAX_KNOCK = 0.005
"""Displacement of an object that the plan does not name beyond which an attempt is rejected [m]."""


@dataclass(frozen=True)
class Order:
    """One demonstration to make: a pure description, the same for every worker.

    Attributes:
        task: What to show.
        index: Its place among the demonstrations of the task.
        seed: Seed of the run.
        purpose: Purpose of the draws, for example "demo".
        init_indices: Where demonstrations start; they take turns.
        calibrations: By preference id; with one, a demonstration has to have the right label.
    """

    task: Task
    index: int
    seed: int
    purpose: str
    init_indices: tuple[int, ...]
    calibrations: Mapping[str, Calibration]

    @property
    def init_index(self) -> int:
        """Where every attempt starts."""
        return self.init_indices[self.index % len(self.init_indices)]

    def identity(self, attempt: int) -> EpisodeId:
        """Return the episode of one attempt."""
        seed = derive_seed(self.seed, self.task.group, self.index, self.purpose, attempt)
        return EpisodeId(self.task.id, self.init_index, seed)


@dataclass(frozen=True)
class Made:
    """What came of an order.

    Attributes:
        episode: The good attempt, or None if all were rejected.
        scores: Verdicts on it, one for each measured preference.
        attempts: Rejected attempts by cause.
        inspection: What was seen in pictures of the good one, "" if nobody looked.
    """

    episode: Episode | None
    scores: tuple[SatisfactionScore, ...]
    attempts: Mapping[str, int]
    inspection: str = ""


@dataclass(frozen=True)
class Attempt:
    """One attempt at an order, good or bad.

    Attributes:
        episode: What happened.
        scores: Verdicts on it, one for each measured preference; none if it broke.
        planning_s: Seconds that went into planning.
    """

    episode: Episode
    scores: tuple[SatisfactionScore, ...]
    planning_s: float


class Workshop:
    """Keeps the scene of the last order, since orders come sorted by scene."""

    def __init__(
        self, simulation: str = SIMULATIONS[0], inspector: Inspector | None = None
    ) -> None:
        """Begin without a scene.

        Args:
            simulation: What steps the scenes, one of `SIMULATIONS`.
            inspector: Looks at good attempts before they become demonstrations, if anybody does.
        """
        self._simulation = simulation
        self._inspector = inspector
        self._env: SimEnv | None = None

    def enter(self, task: Task) -> "SimEnv":
        """Return the scene of a task; it is built if another one was there."""
        from perm.sim.opening import open_env

        if self._env is None or self._env.layout.digest != task.mission.layout.digest:
            self.close()
            self._env = open_env(task.mission.layout, self._simulation)
        return self._env

    def make(self, order: Order) -> Made:
        """Let the expert try until an attempt is good enough, within a bound."""
        causes: Counter[str] = Counter()
        start, budget = self._start(order), Budget()
        for number in range(MAX_ATTEMPTS):
            done = self._attempt(order, number, start)
            cause = why_rejected(order.task, done.episode, done.scores)
            seen = ""
            if not cause and self._inspector is not None:
                cause, seen = self._inspect(self._inspector, order.task, done.episode, budget)
            if not cause:
                return Made(done.episode, done.scores, dict(causes), seen)
            causes[cause] += 1
        return Made(None, (), dict(causes))

    def attempt(self, order: Order) -> Attempt:
        """Let the expert try once, whatever comes of it."""
        return self._attempt(order, 0, self._start(order))

    def close(self) -> None:
        """Free the scene."""
        if self._env is not None:
            self._env.close()
            self._env = None

    def _inspect(
        self, inspector: Inspector, task: Task, episode: Episode, budget: Budget
    ) -> tuple[str, str]:
        """Return why a good attempt may not become a demonstration, or "", and what was seen."""
        try:
            seen = inspector.inspect(task, episode, self.enter(task).studio, budget).verdict
        except NoAnswerError:
            return "inspection: no verdict", ""
        return f"inspection: {REJECTING[seen]}" if seen in REJECTING else "", seen

    def _start(self, order: Order) -> Start:
        from perm.sim.starts import start_of

        return start_of(order.task.mission, order.init_index, self.enter(order.task))

    def _attempt(self, order: Order, number: int, start: Start) -> Attempt:
        from perm.sim.episode import run_episode
        from perm.skills.expert import ExpertPolicy

        env, task, identity = self.enter(order.task), order.task, order.identity(number)
        expert = ExpertPolicy(env, task)
        episode = run_episode(env, expert, task, identity, start)
        planning_s = float(getattr(expert, "planning_s", float("nan")))
        done = replace(episode, subtasks=expert.subtasks)
        return Attempt(done, _judge(order, done), planning_s)


@contextmanager
def open_workshop(simulation: str, inspector: Inspector | None = None) -> Iterator[Workshop]:
    """Give a workshop and free its scene afterwards; see `Workshop`."""
    workshop = Workshop(simulation, inspector)
    try:
        yield workshop
    finally:
        workshop.close()


def why_rejected(task: Task, episode: Episode, scores: Sequence[SatisfactionScore]) -> str:
    """Return why an attempt may not become a demonstration, or "".

    It has to do the task, see `why_failed`, and, where the preference is calibrated, to keep it
    fully where the expert follows it, and not to keep it where not.
    """
    failed = why_failed(task, episode)
    if failed:
        return failed
    followed = {preference.id for preference in task.followed}
    for score in scores:
        if score.label is None:
            continue
        if score.preference in followed and score.label < 1:
            return f"preference {score.preference} not kept"
        if score.preference not in followed and score.label > LEFT_ASIDE:
            return f"preference {score.preference} kept by chance"
    return ""


def why_failed(task: Task, episode: Episode) -> str:
    """Return why an attempt did not do the task, or "".

    It has to succeed and settle, and to leave everything else where it was. Where only the end
    counts, it goes on after that: something else may be waited for that nobody does.
    """
    if episode.outcome is Outcome.ERROR:
        return f"error: {episode.error}"
    kept = task.mission.goal_is_final and episode.success_end and episode.success_settled
    if episode.stop != "settled" and not kept:
        return episode.stop
    knocked = _knocked(task, episode)
    return f"moved {knocked}" if knocked else ""


def _knocked(task: Task, episode: Episode) -> str:
    """Name an object that the plan does not name and that was moved, or ""."""
    trace = episode.trace
    assert trace is not None
    places = {call.target for call in task.plan.calls if call.target}
    owners = {trace.regions[place].parent for place in places if place in trace.regions}
    named = places | owners | {call.object for call in task.plan.calls}
    for name, pos in trace.object_pos.items():
        if name not in named and float(np.linalg.norm(pos[-1] - pos[0])) > MAX_KNOCK:
            return name
    return ""


def _judge(order: Order, episode: Episode) -> tuple[SatisfactionScore, ...]:
    if episode.trace is None:
        return ()
    return judge_all(order.task, episode.trace, order.calibrations)
