"""Opening a scene in a new process, where another one opened it before; imports do not count."""

import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from libero.libero.envs.env_wrapper import ControlEnv
from robosuite.utils.control_utils import orientation_error

from benchmarks.comparison import Comparison, Findings, cpu_ms, median_ratio
from benchmarks.processes import answer, ask_new_process
from benchmarks.scenes import SCENES, mission_of
from perm.core.conventions import SIMULATIONS, hold_action
from perm.core.episode import Start
from perm.core.layout import Layout
from perm.sim.env import SimEnv
from perm.sim.scene import construct
from perm.sim.starts import load_starts, save_starts, start_of

TURNS = 2


def measure() -> Findings:
    """Open each scene in new processes, LIBERO's and perm's in turns."""
    opened, with_numba = zip(*map(_compare, SCENES), strict=True)
    return Findings(
        "A scene in a new process up to its first step, all imported [CPU ms]",
        (*opened, *with_numba),
        {"start_ratio": median_ratio(opened)},
    )


def _compare(scene: str) -> tuple[Comparison, Comparison]:
    mission = mission_of(scene)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "starts.npz"
        with closing(SimEnv(mission.layout)) as env:
            save_starts(path, [start_of(mission, 0, env)])
        turns = [
            [ask_new_process("start", simulation, scene, str(path)) for simulation in SIMULATIONS]
            for _ in range(TURNS)
        ]
    ours, stock = zip(*turns, strict=True)
    return (
        Comparison(scene, [opening for _, opening in stock], [opening for _, opening in ours]),
        Comparison(
            f"{scene}, numba too", [sum(times) for times in stock], [sum(times) for times in ours]
        ),
    )


def _load_numba() -> None:
    """Call something compiled: only then does numba import most of itself, 70 modules."""
    orientation_error(np.eye(3), np.eye(3))


def _open_ours(layout: Layout, start: Start) -> None:
    env = SimEnv(layout)
    env.begin(start)
    env.step(hold_action())


def _open_stock(layout: Layout, start: Start) -> None:
    """LIBERO resets a new environment by itself; here it does not have to do it again."""

    def control_env(path: str) -> Any:
        return ControlEnv(path, use_camera_obs=False, has_offscreen_renderer=False)

    env = construct(layout, control_env)
    env.set_init_state(start.state)
    env.step(hold_action())


if __name__ == "__main__":
    _simulation, _scene, _path = sys.argv[1:]
    _open = {"core": _open_ours, "stock": _open_stock}[_simulation]
    _layout, _start = mission_of(_scene).layout, load_starts(Path(_path))[0]
    answer((cpu_ms(_load_numba), cpu_ms(_open, _layout, _start)))
