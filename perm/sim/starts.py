"""Where an episode starts: a pure function of (layout, init index).

Index i of an unedited layout is LIBERO's stored state i, with objects lifted out of their support
and fixture poses drawn from (layout digest, i); an edited layout is sampled by LIBERO's own
placement. Either way the scene settles before it is used. A mission may keep its starts in a file,
so that they are the same numbers on every machine.
"""

import functools
from pathlib import Path

import numpy as np

from perm.core.conventions import N_STARTS
from perm.core.episode import Start
from perm.core.errors import PermError
from perm.core.mission import Mission
from perm.sim.env import SimEnv
from perm.sim.placement import place_scene
from perm.sim.settling import settle_scene

SAMPLE_TRIES = 20


def start_of(mission: Mission, index: int, env: SimEnv) -> Start:
    """Return the start with an init index, from the mission's file of starts if it has one.

    Args:
        mission: What is played.
        index: Init index, 0 to 49.
        env: A scene of the mission's layout; its state is overwritten.

    Raises:
        PermError: The index is out of range, the file belongs to another layout, or no clean
            start can be sampled.
    """
    if not 0 <= index < N_STARTS:
        raise PermError(f"Init index {index} is out of range; there are 0 to {N_STARTS - 1}.")
    if mission.starts is not None:
        start = load_starts(Path(mission.starts))[index]
        if start.layout_digest == mission.layout.digest:
            return start
        raise PermError(
            f"{mission.starts} was made for another version of layout {mission.id}. "
            "Remove it to have starts made when they are needed, or store them anew with "
            "scripts/make_starts.py."
        )
    return make_start(mission, index, env)


def make_start(mission: Mission, index: int, env: SimEnv) -> Start:
    """Build the start with an init index: stored or sampled, then settled and checked."""
    problem = ""
    for attempt in range(SAMPLE_TRIES):
        try:
            place_scene(mission, index, env, attempt)
            problem = settle_scene(env, mission)
        except PermError as error:
            if mission.init_states is not None:
                raise
            problem = str(error)  # no room, or pushed apart: the next draw may do
        if not problem:
            return _snapshot(env)
        if mission.init_states is not None:
            break
    raise PermError(
        f"Init state {index} of layout {mission.id} is not clean: {problem.rstrip('.')}. Give the "
        "layout's regions more room, or leave this index out of init=."
    )


def _snapshot(env: SimEnv) -> Start:
    model = env.model
    bodies = env.fixture_bodies
    state = env.state
    state[0] = 0.0
    return Start(
        state=state,
        warmstart=env.data.qacc_warmstart.copy(),
        fixture_pos={name: model.body_pos[body].copy() for name, body in bodies.items()},
        fixture_quat={name: model.body_quat[body].copy() for name, body in bodies.items()},
        joints=env.joints,
        layout_digest=env.layout.digest,
    )


def save_starts(path: Path, starts: list[Start]) -> None:
    """Write the starts of one layout into one npz file."""
    first = starts[0]
    names = list(first.fixture_pos)
    np.savez(
        path,
        layout_digest=np.array(first.layout_digest),
        joints=np.array(first.joints),
        fixtures=np.array(names),
        states=np.array([s.state for s in starts]),
        warmstarts=np.array([s.warmstart for s in starts]),
        fixture_pos=np.array([[s.fixture_pos[n] for n in names] for s in starts]),
        fixture_quat=np.array([[s.fixture_quat[n] for n in names] for s in starts]),
    )


@functools.lru_cache(maxsize=8)
def load_starts(path: Path) -> tuple[Start, ...]:
    """Read what `save_starts` wrote."""
    with np.load(path, allow_pickle=False) as file:
        names = [str(name) for name in file["fixtures"]]
        pos, quat = file["fixture_pos"], file["fixture_quat"]
        return tuple(
            Start(
                state=state,
                warmstart=file["warmstarts"][i],
                fixture_pos=dict(zip(names, pos[i], strict=True)),
                fixture_quat=dict(zip(names, quat[i], strict=True)),
                joints=tuple(str(name) for name in file["joints"]),
                layout_digest=str(file["layout_digest"]),
            )
            for i, state in enumerate(file["states"])
        )
