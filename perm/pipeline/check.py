"""perm dataset check: is a file sound, and does every demonstration replay to what it says?"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from perm.core.episode import Episode, EpisodeId
from perm.core.errors import PermError
from perm.core.task import Task
from perm.data.check import check_structure
from perm.data.demo import Demo
from perm.data.finding import Finding, compare
from perm.data.reader import read_demo_file
from perm.metrics.satisfaction import judge
from perm.pipeline.progress import show_progress
from perm.policies.replay import ReplayPolicy
from perm.suites.library import Library

STATE_TOLERANCE = 1e-6
"""Largest difference of a replayed state on another machine than the one that recorded."""


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Attributes:
        demos: Number of demonstrations that were replayed.
        findings: Problems; none means that the file is what it says.
        largest_difference: Of any state entry between file and replay; 0 is bit for bit.
    """

    demos: int
    findings: tuple[Finding, ...]
    largest_difference: float


def check_dataset(path: Path, library: Library) -> Checked:
    """Check a file's structure and alignment, then replay it in LIBERO's own `ControlEnv`.

    Args:
        path: A demonstration file.
        library: Has to know the file's task.

    Raises:
        PermError: The file cannot be read at all, or its task is not known.
    """
    findings = list(check_structure(path))
    if findings:
        return Checked(0, tuple(findings), float("nan"))
    differences = [0.0]
    with read_demo_file(path) as file:
        task = library.find_task(file.facts.task_id)
        if file.facts.layout_digest != task.mission.layout.digest:
            raise PermError(
                f"{path} was made in another version of layout {task.mission.id}; "
                "replay it with the perm that wrote it."
            )
        with show_progress("Replays", len(file)) as advance:
            for index, (demo, played) in enumerate(_replays(task, iter(file))):
                findings += _compare(f"demo_{index}", demo, played, task, library)
                differences.append(_difference(demo.episode, played))
                advance("")
        return Checked(len(file), tuple(findings), max(differences))


def _replays(task: Task, demos: Iterator[Demo]) -> Iterator[tuple[Demo, Episode]]:
    from perm.sim.episode import run_episode
    from perm.sim.stock import StockEnv

    env = StockEnv(task.mission.layout)
    try:
        for demo in demos:
            episode = demo.episode
            assert episode.trace is not None
            assert episode.start is not None
            policy = ReplayPolicy({episode.identity.init_index: episode.trace.actions})
            policy.select(episode.identity.init_index)
            identity = EpisodeId(task.id, episode.identity.init_index, episode.identity.seed)
            yield demo, run_episode(env, policy, task, identity, episode.start)
    finally:
        env.close()


def _difference(recorded: Episode, played: Episode) -> float:
    if recorded.states is None or played.states is None:
        return float("inf")
    if recorded.states.shape != played.states.shape:
        return float("inf")
    return float(np.abs(recorded.states - played.states).max())


def _compare(
    where: str, demo: Demo, played: Episode, task: Task, library: Library
) -> Iterator[Finding]:
    difference = _difference(demo.episode, played)
    if not difference <= STATE_TOLERANCE:
        yield Finding(
            "largest difference of a state in the replay",
            where,
            f"{difference:.3g}",
            f"at most {STATE_TOLERANCE:g}",
        )
    if not played.success_settled:
        yield Finding("end of the replay", where, played.error or played.stop, "settled")
    if played.trace is None:
        return
    labels = {score.preference: score.label for score in demo.scores}
    for preference in task.measured:
        label = judge(preference, played.trace, library.calibration(task, preference)).label
        what = f"label of preference {preference.id} in the replay"
        yield from compare(where, what, label, labels.get(preference.id))
