"""Plays hundreds of episodes in one process and some of them again in processes of their own.

Usage: python -m tests.sim.soak [--episodes N] [--again K] [--steps S]      (`make soak`)

Memory has to stay flat once every scene has been there, and what is played again has to be the
same to the last bit. Takes about half an hour of CPU time.
"""

import argparse
import ctypes
import hashlib
import multiprocessing
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np

from perm.core.episode import Episode, EpisodeId
from perm.core.task import Task
from perm.sim.env import SimEnv
from perm.sim.episode import run_episode
from perm.sim.starts import start_of
from perm.skills.expert import ExpertPolicy
from perm.suites.library import load_library

TASKS = (
    "single/1-2_065",
    "single/1-7_104",
    "single/2-1_019",
    "single/3-2_081_1",
    "single/3-3_019_1",
)
"""Five scenes, each with other objects and fixtures."""
VISIT = 4
"""Episodes in a scene before another one takes its place."""
ROUND = VISIT * len(TASKS)
"""Episodes after which every scene has been there, and memory has to stay as it is."""
FLAT = 0.01
"""Share by which memory may differ from then on."""


@dataclass(frozen=True)
class Played:
    """What is left of an episode.

    Attributes:
        number: Which one.
        digest: sha256 (hex) of its states, actions and observations.
        n_steps: Its length.
        touched: Steps in which a finger touched an object.
        outcome: How it ended.
        memory: Resident memory of the process afterwards, without what the allocator keeps of what
            was freed [MB].
    """

    number: int
    digest: str
    n_steps: int
    touched: int
    outcome: str
    memory: float


def play(numbers: Iterable[int], max_steps: int) -> list[Played]:
    """Let the expert play episodes, changing the scene now and then.

    Raises:
        RuntimeError: An episode broke.
    """
    library = load_library()
    tasks = [library.find_task(name) for name in TASKS]
    played = []
    for turn, visit in groupby(numbers, lambda number: number // VISIT):
        task = _shortened(tasks[turn % len(tasks)], max_steps)
        with closing(SimEnv(task.mission.layout)) as env:
            played += [_play(env, task, number) for number in visit]
    return played


def play_apart(numbers: Sequence[int], max_steps: int) -> Iterator[Played]:
    """Play each episode in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawn, max_tasks_per_child=1) as pool:
        for played in pool.map(play, [[number] for number in numbers], [max_steps] * len(numbers)):
            yield from played


def play_together(count: int, max_steps: int) -> list[Played]:
    """Play the first episodes in one process, not this one."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(play, range(count), max_steps).result()


def growth(played: Sequence[Played]) -> float:
    """Return the largest change of memory, as a share, since all scenes have been there.

    It is averaged over rounds of all five scenes, which need more and less of it.
    """
    memory = np.array([episode.memory for episode in played])
    rounds = memory[: len(memory) // ROUND * ROUND].reshape(-1, ROUND).mean(axis=1)
    return float(np.abs(rounds[1:] / memory[ROUND - 1] - 1).max())


def _shortened(task: Task, max_steps: int) -> Task:
    steps = min(max_steps, task.mission.max_steps)
    return replace(task, mission=replace(task.mission, max_steps=steps))


def _play(env: SimEnv, task: Task, number: int) -> Played:
    start = start_of(task.mission, number % 50, env)
    identity = EpisodeId(task.id, number % 50, seed=number)
    episode = run_episode(env, ExpertPolicy(env, task), task, identity, start)
    if episode.trace is None:
        raise RuntimeError(f"Episode {number} of {task.id} broke: {episode.error}")
    touched = int(episode.trace.contact.any(axis=(1, 2)).sum())
    steps = episode.trace.n_steps
    return Played(number, _digest(episode), steps, touched, episode.stop, _resident_megabytes())


def _digest(episode: Episode) -> str:
    assert episode.trace is not None
    digest = hashlib.sha256()
    for array in (
        episode.trace.actions,
        episode.trace.contact,
        episode.states,
        episode.view_qpos,
        *episode.proprio.values(),
    ):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _resident_megabytes() -> float:
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    fields = Path("/proc/self/status").read_text().split("VmRSS:")[1].split()
    return int(fields[0]) / 1024


def main() -> int:
    """Print what came out; return 1 unless memory is flat and all digests agree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--again", type=int, default=20)
    parser.add_argument("--steps", type=int, default=500, help="step limit of an episode")
    arguments = parser.parse_args()
    played = play_together(arguments.episodes, arguments.steps)
    for episode in played[ROUND - 1 :: 2 * ROUND]:
        say(f"episode {episode.number + 1:4}  {episode.memory:6.1f} MB")
    changed = growth(played)
    touched = sum(episode.touched > 0 for episode in played)
    say(
        f"{len(played)} episodes, {sum(e.n_steps for e in played):,} steps, objects touched in "
        f"{touched} episodes; memory changed by {changed:.1%} after the first {ROUND}"
    )
    chosen = np.random.default_rng(0).choice(len(played), arguments.again, replace=False)
    differing = []
    for again in play_apart([int(number) for number in chosen], arguments.steps):
        same = again.digest == played[again.number].digest
        verdict = "same" if same else "DIFFERENT"
        say(f"episode {again.number + 1:4}  {again.n_steps:4} steps  {verdict}")
        differing += [] if same else [again.number]
    say(f"{arguments.again - len(differing)} of {arguments.again} the same in fresh processes")
    return 1 if differing or changed > FLAT else 0


def say(text: str) -> None:
    """Print a line at once, also into a file."""
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
