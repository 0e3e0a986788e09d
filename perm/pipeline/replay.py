"""Play a demonstration again, and compare what comes of it with what is stored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from perm.core.arrays import ImageArray
from perm.core.episode import Episode, EpisodeId
from perm.core.task import Task
from perm.core.trace import Trace
from perm.data.demo import Demo
from perm.data.finding import Finding, compare
from perm.metrics.calibration import Calibration
from perm.metrics.satisfaction import judge_all
from perm.policies.replay import ReplayPolicy

if TYPE_CHECKING:
    from perm.sim.env import SimEnv

STATE_TOLERANCE = 1e-6
"""Largest difference of a replayed state on another machine than the one that recorded."""

Draw = Callable[[Episode, int, Sequence[str], slice], Mapping[str, ImageArray]]
"""From episode, size [px], cameras and rows to frames by camera."""


def play_again(env: "SimEnv", task: Task, demo: Demo) -> Episode:
    """Return the episode that a demonstration's actions give from its start.

    Args:
        env: A scene of the task's layout.
        task: The demonstration's task.
        demo: What to replay.
    """
    from perm.sim.episode import run_episode

    episode = demo.episode
    assert episode.trace is not None
    assert episode.start is not None
    init_index = episode.identity.init_index
    policy = ReplayPolicy({init_index: episode.trace.actions})
    policy.select(init_index)
    identity = EpisodeId(task.id, init_index, episode.identity.seed)
    return run_episode(env, policy, task, identity, episode.start)


def largest_difference(recorded: Episode, played: Episode) -> float:
    """Return the largest difference of any state entry; infinite where rows are missing."""
    if recorded.states is None or played.states is None:
        return float("inf")
    if recorded.states.shape != played.states.shape:
        return float("inf")
    return float(np.abs(recorded.states - played.states).max())


def compare_states(where: str, demo: Demo, played: Episode) -> Iterator[Finding]:
    """Yield where the states or the end of a replay are not the stored ones."""
    difference = largest_difference(demo.episode, played)
    if not difference <= STATE_TOLERANCE:
        yield Finding(
            "largest difference of a state in the replay",
            where,
            f"{difference:.3g}",
            f"at most {STATE_TOLERANCE:g}",
        )
    if played.stop != "settled":
        yield Finding("end of the replay", where, played.error or played.stop, "settled")


def compare_labels(
    where: str, demo: Demo, trace: Trace, task: Task, calibrations: Mapping[str, Calibration]
) -> Iterator[Finding]:
    """Yield where a label is not the one that the replay's trace gives.

    Args:
        where: Place in the file.
        demo: Holds the labels.
        trace: What happened in the replay.
        task: The demonstration's task.
        calibrations: What the labels were made with, by preference.
    """
    stored = {score.preference: score.label for score in demo.scores}
    for score in judge_all(task, trace, calibrations):
        what = f"label of preference {score.preference} in the replay"
        yield from compare(where, what, score.label, stored.get(score.preference))


def compare_images(where: str, demo: Demo, draw: Draw) -> Iterator[Finding]:
    """Yield which of the first, middle and last images are not what is drawn now, pixel by pixel.

    Args:
        where: Place in the file.
        demo: A demonstration with its images, or without any.
        draw: Draws frames of its scene, see `perm.sim.render.draw_episode`.
    """
    for camera, stored in demo.images.items():
        for row in sorted({0, len(stored) // 2, len(stored) - 1}):
            one = slice(row, row + 1)
            (frame,) = draw(demo.episode, stored.shape[1], (camera,), one)[camera]
            wrong = int((frame != stored[row]).any(axis=-1).sum())
            if wrong:
                what = f"image of row {row} of {camera}"
                yield Finding(what, where, f"different in {wrong} pixels", "what is drawn now")
