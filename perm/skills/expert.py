"""The expert: a Policy that looks into the simulator and follows a plan of skills."""

from collections.abc import Iterator

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import GRIPPER_OPEN, hold_action
from perm.core.episode import Subtask
from perm.core.errors import GiveUp
from perm.core.geometry import matrix_to_quat
from perm.core.policy import Observation, PolicySpec
from perm.core.task import SkillCall, Task
from perm.sim.env import SimEnv
from perm.skills.execution import Body, find_place, run_skill
from perm.skills.library import find_skill
from perm.skills.planning import PlanningError
from perm.skills.scenery import Scenery
from perm.skills.style import apply_preferences, draw_style
from perm.skills.tracking import Hand

MAX_DRAWS = 8
"""How often a plan may be drawn again, with a seed derived from the episode's."""


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
        self._preferences = () if ignore_preference else task.condition
        self._name = "expert (ignores preference)" if ignore_preference else "expert"
        self._actions: Iterator[FloatArray] = iter(())
        self._subtasks: list[Subtask] = []
        self._step = 0
        self.rejections: dict[str, int] = {}

    @property
    def spec(self) -> PolicySpec:
        """No images needed: it knows."""
        return PolicySpec(self._name)

    @property
    def subtasks(self) -> tuple[Subtask, ...]:
        """What was done in the episode so far."""
        return tuple(self._subtasks)

    def reset(self, prompt: str, seed: int) -> None:
        """Begin an episode; the prompt is not read, the plan says it all."""
        del prompt
        self._subtasks, self._step, self.rejections = [], 0, {}
        self._actions = self._run(seed)

    def act(self, obs: Observation) -> FloatArray:
        """Return the next action, shape (1, 7)."""
        del obs
        action = next(self._actions)
        self._step += 1
        return action[None]

    def _run(self, seed: int) -> Iterator[FloatArray]:
        rng = np.random.default_rng(seed)
        style = apply_preferences(draw_style(rng), self._preferences)
        body = Body(self._env, Scenery(self._env), Hand(self._env), style, seed)
        for call in self._plan.calls:
            yield from self._do(body, call)
        while True:
            yield hold_action(GRIPPER_OPEN)

    def _do(self, body: Body, call: SkillCall) -> Iterator[FloatArray]:
        skill = find_skill(call.skill)
        start = self._step
        try:
            place = find_place(body, skill, call)
            yield from run_skill(body, skill, call)
        except PlanningError as error:
            raise GiveUp(f"{call.skill}: {error}") from error
        self._subtasks.append(
            Subtask(
                call.skill,
                call.object,
                call.target,
                start,
                self._step,
                place.pos,
                matrix_to_quat(place.rotation),
            )
        )
