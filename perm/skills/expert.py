"""The expert: a Policy that looks into the simulator and follows a plan of skills."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from perm.core.arrays import FloatArray
from perm.core.conventions import GRIPPER_OPEN, hold_action
from perm.core.episode import Subtask
from perm.core.errors import GiveUp
from perm.core.geometry import matrix_to_quat
from perm.core.mission import SkillCall, SubtaskPlan
from perm.core.policy import Observation, PolicySpec
from perm.core.seeding import make_rng
from perm.core.task import Task
from perm.sim.env import SimEnv
from perm.skills.actor import Actor
from perm.skills.care import PlanningError
from perm.skills.execution import perform
from perm.skills.pose import Pose
from perm.skills.rehearsing import choose
from perm.skills.style import Style, apply_preferences, draw_style, leave_aside


class ExpertPolicy:
    """Does the task the way its condition asks, or plainly."""

    def __init__(self, env: SimEnv, task: Task, ignore_preference: bool = False) -> None:
        """Take a scene and a task.

        Args:
            env: The scene that it plays in.
            task: What to do; its plan and its preferences.
            ignore_preference: Follow the plain plan and nobody's wishes.
        """
        self._env = env
        self._plan = task.plain_plan if ignore_preference else task.plan
        self._preferences = () if ignore_preference else task.followed
        self._left = tuple(p for p in task.measured if p not in self._preferences)
        self._name = "expert (ignores preference)" if ignore_preference else "expert"
        self._actions: Iterator[FloatArray] = iter(())
        self._diary = Diary()

    @property
    def spec(self) -> PolicySpec:
        """No images needed: it knows."""
        return PolicySpec(self._name)

    @property
    def subtasks(self) -> tuple[Subtask, ...]:
        """What was done in the episode so far; the last one may have been cut short."""
        return self._diary.subtasks

    @property
    def planning_s(self) -> float:
        """Time spent planning in the episode so far [s]."""
        return self._diary.planning_s

    def reset(self, prompt: str, seed: int) -> None:
        """Begin an episode; the prompt is not read, the plan says it all."""
        del prompt
        self._diary = Diary()
        manner = apply_preferences(
            draw_style(make_rng(seed, "expert", 0, "style")), self._preferences
        )
        style = leave_aside(manner, self._left)
        self._actions = _follow(self._plan, style, self._env, seed, self._diary)

    def act(self, obs: Observation) -> FloatArray:
        """Return the next action, shape (1, 7)."""
        del obs
        action = next(self._actions)
        self._diary.step += 1
        return action[None]


class Diary:
    """What was done, and when.

    Attributes:
        step: Number of actions so far.
        planning_s: Time spent planning [s].
    """

    def __init__(self) -> None:
        """Begin an episode."""
        self.step = 0
        self.planning_s = 0.0
        self._subtasks: list[Subtask] = []

    @property
    def subtasks(self) -> tuple[Subtask, ...]:
        """The subtasks so far; the last one stops now."""
        if not self._subtasks:
            return ()
        return (*self._subtasks[:-1], replace(self._subtasks[-1], stop=self.step))

    def begin(self, call: SkillCall, place: Pose) -> None:
        """Begin a subtask; the one before it stops."""
        self._subtasks = [
            *self.subtasks,
            Subtask(
                skill=call.skill,
                object=call.object,
                target=call.target,
                start=self.step,
                stop=self.step,
                goal_pos=place.pos,
                goal_quat=matrix_to_quat(place.rotation),
            ),
        ]


def _follow(
    plan: SubtaskPlan, style: Style, env: SimEnv, seed: int, diary: Diary
) -> Iterator[FloatArray]:
    """Yield the actions of an episode.

    A function, not a method: a policy that held its own running generator would keep the scene
    until the garbage collector comes by.
    """
    actor = Actor.of(env, style, seed)
    for number in range(len(plan.calls)):
        yield from _do(actor, plan.calls[number : number + 2], diary)
    while True:
        yield hold_action(GRIPPER_OPEN)


def _do(actor: Actor, calls: Sequence[SkillCall], diary: Diary) -> Iterator[FloatArray]:
    """Yield the actions of the first call, done so that the next can follow."""
    began = time.perf_counter()
    try:
        rehearsed = choose(actor, calls, actor.now())
    except PlanningError as error:
        raise GiveUp(f"plan: {calls[0].skill}: {error}") from error
    finally:
        diary.planning_s += time.perf_counter() - began
    diary.begin(calls[0], next(iter(rehearsed.frames.values())))
    yield from perform(actor, calls[0], rehearsed)
