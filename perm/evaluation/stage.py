"""Where episodes are played: the one seam between the examiner and the simulator."""

import hashlib
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from perm.core.conventions import CAMERAS, CONTROL_HZ, SIMULATIONS
from perm.core.episode import Episode, EpisodeId, Outcome
from perm.core.errors import pass_on_interrupt
from perm.core.layout import Layout
from perm.core.policy import Policy
from perm.core.task import Task
from perm.evaluation.players import independent_policy, task_policy
from perm.evaluation.video import write_jpeg, write_mp4
from perm.policies.replay import ReplayPolicy
from perm.policies.served import ServedPolicy

if TYPE_CHECKING:
    from perm.sim.env import SimEnv

VIDEO_SIZE = 256
"""Height and width of videos [px]."""
VIDEO_STRIDE = 2
"""Every second row is filmed and shown at half the rate: a frame costs as much as ten steps."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Sight:
    """What the policy's eyes were.

    Attributes:
        camera: Cameras, joined by "+".
        renderer: Name of the OpenGL back end.
        first_frame_sha256: Hash (hex) of the first picture of the first camera, raw.
    """

    camera: str
    renderer: str
    first_frame_sha256: str


@dataclass(frozen=True)
class Played:
    """An episode, and what the policy looked through; None if it looked at nothing."""

    episode: Episode
    sight: Sight | None = None


class Stage(Protocol):
    """Plays episodes of one policy."""

    def play(self, task: Task, identity: EpisodeId, video: Path | None) -> Played:
        """Play one episode, and film it if `video` says where to."""
        ...

    def close(self) -> None:
        """Free what playing needed."""
        ...


OpenStage = Callable[[Mapping[str, Any]], Stage]
"""From the settings of a policy to a stage; a name in a module, so that processes can share it."""


class Simulator:
    """LIBERO's scenes. A scene is kept while the tasks that follow are set in it."""

    def __init__(self, options: Mapping[str, Any], simulation: str = SIMULATIONS[0]) -> None:
        """Connect to a policy server, if one plays; the scene is built when it is needed.

        Args:
            options: Settings of the policy, checked and complete.
            simulation: What steps the scenes, one of `SIMULATIONS`.

        Raises:
            PermError: No policy server answers.
        """
        self._options = options
        self._simulation = simulation
        self._independent = independent_policy(options)
        self._made: tuple[str, Policy] | None = None
        self._env: SimEnv | None = None

    def play(self, task: Task, identity: EpisodeId, video: Path | None) -> Played:
        """Play one episode; see `Stage`."""
        from perm.sim.episode import run_episode
        from perm.sim.starts import start_of

        env = self._enter(task.mission.layout)
        policy = self._cast(task, env)
        if isinstance(policy, ReplayPolicy):
            policy.select(identity.init_index)
        start = start_of(task.mission, identity.init_index, env)
        episode = run_episode(env, policy, task, identity, start)
        episode = replace(episode, subtasks=tuple(getattr(policy, "subtasks", ())))
        if isinstance(policy, ServedPolicy) and episode.outcome is not Outcome.ERROR:
            episode = replace(episode, prompt=policy.delivered_prompt)
        if video is not None:
            _film(env, episode, video)
        return Played(episode, _look(env, episode, policy.spec.image_size))

    def close(self) -> None:
        """Free the scene and leave the policy server."""
        self._leave()
        if isinstance(self._independent, ServedPolicy):
            self._independent.close()

    def _enter(self, layout: Layout) -> "SimEnv":
        if self._env is None or self._env.layout.digest != layout.digest:
            from perm.sim.opening import open_env

            self._leave()
            self._env = open_env(layout, self._simulation)
        return self._env

    def _leave(self) -> None:
        self._made = None  # an expert knows its scene
        if self._env is not None:
            self._env.close()
            self._env = None

    def _cast(self, task: Task, env: "SimEnv") -> Policy:
        if self._independent is not None:
            return self._independent
        if self._made is None or self._made[0] != task.id:
            self._made = task.id, task_policy(self._options, env, task)
        return self._made[1]


def _film(env: "SimEnv", episode: Episode, path: Path) -> None:
    """Write what the first camera saw; an episode that cannot be filmed counts all the same."""
    from perm.sim.render import draw_episode

    if episode.start is None or episode.view_qpos is None:
        return
    try:
        rows = slice(None, None, VIDEO_STRIDE)
        frames = draw_episode(env.studio, episode, VIDEO_SIZE, CAMERAS[:1], rows)
        upright = frames[CAMERAS[0]][:, ::-1]
        write_jpeg(path.with_suffix(".jpg"), upright[0])
        write_mp4(path, upright, CONTROL_HZ / VIDEO_STRIDE)
    except Exception as error:  # noqa: BLE001 - the episode itself is sound
        pass_on_interrupt(error)
        _log.warning("No video %s: %s", path.name, error)


def _look(env: "SimEnv", episode: Episode, size: int) -> Sight | None:
    """Return what the policy's eyes were, if it had any."""
    from perm.sim.render import draw_episode

    if not size or episode.view_qpos is None:
        return None
    first = draw_episode(env.studio, episode, size, CAMERAS[:1], slice(1))[CAMERAS[0]]
    return Sight(
        camera="+".join(CAMERAS),
        renderer=os.environ.get("MUJOCO_GL", "default"),
        first_frame_sha256=hashlib.sha256(first.tobytes()).hexdigest(),
    )
