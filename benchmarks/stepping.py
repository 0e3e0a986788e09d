"""State-only stepping, and how fast it could be: MuJoCo alone with the same controls."""

from contextlib import closing

import mujoco
import numpy as np

from benchmarks.comparison import Comparison, Findings, cpu_ms, median_ratio
from benchmarks.scenes import SCENES, mission_of
from perm.core.arrays import FloatArray
from perm.sim.env import SimEnv
from perm.sim.starts import start_of
from perm.sim.stock import StockEnv

TURNS, STEPS = 20, 10
"""Turns of each side, and control steps in a turn; one action is held for a turn."""
WHOLE_STATE = mujoco.mjtState.mjSTATE_INTEGRATION.value


def measure() -> Findings:
    """Play the same actions in LIBERO, in perm and in bare MuJoCo."""
    steps, floors = zip(*map(_play, SCENES), strict=True)
    return Findings(
        "A control step of 50 ms, state only, and 25 bare mj_step with its controls [CPU ms]",
        (*steps, *floors),
        {"stepping_ratio": median_ratio(steps), "floor_ratio": median_ratio(floors)},
    )


def _play(scene: str) -> tuple[Comparison, Comparison]:
    mission = mission_of(scene)
    with closing(SimEnv(mission.layout)) as ours, closing(StockEnv(mission.layout)) as stock:
        start = start_of(mission, 0, ours)
        ours.begin(start)
        stock.begin(start)
        _stop_watching(stock)
        floor = Floor(stock)
        turns = [_turn(ours, stock, floor, action) for action in lean_to_table(TURNS + 1)]
    # Compiled code is loaded in the first turn.
    of_stock, of_ours, of_floor = zip(*turns[1:], strict=True)
    return (
        Comparison(scene, of_stock, of_ours),
        Comparison(f"{scene}, bare MuJoCo", of_stock, of_floor),
    )


def _stop_watching(stock: StockEnv) -> None:
    """Let LIBERO step as ever: what perm notes on the way costs one or two percent."""
    del stock.scene.sim.step, stock.scene._observables["perm_seen"]


def lean_to_table(count: int) -> FloatArray:
    """Return random actions that lean towards the table, so that there are contacts, (count, 7)."""
    actions = np.random.default_rng(0).uniform(-1, 1, (count, 7))
    actions[:, 2] = np.maximum(actions[:, 2] - 0.3, -1)
    return actions


def _turn(
    ours: SimEnv, stock: StockEnv, floor: "Floor", action: FloatArray
) -> tuple[float, float, float]:
    """Return CPU times of a control step [ms]: LIBERO's, perm's, bare MuJoCo's."""
    floor.follow()
    times = (
        cpu_ms(_repeat, stock, action),
        cpu_ms(_repeat, ours, action),
        cpu_ms(floor.replay),
    )
    assert np.array_equal(ours.state, stock.state), "the two did not do the same"
    of_stock, of_ours, of_floor = (turn / STEPS for turn in times)
    return of_stock, of_ours, of_floor


def _repeat(env: SimEnv, action: FloatArray) -> None:
    for _ in range(STEPS):
        env.step(action)


class Floor:
    """Bare MuJoCo on LIBERO's model: no controller, one forward pass in a physics step."""

    def __init__(self, stock: StockEnv) -> None:
        """Note all controls that LIBERO sets from now on."""
        self._model, self._stock = stock.model, stock.data
        self._data = mujoco.MjData(stock.model)
        self._controls: list[FloatArray] = []
        sim, step = stock.scene.sim, stock.scene.sim.step

        def step_noting_controls() -> None:
            self._controls.append(self._stock.ctrl.copy())
            step()

        sim.step = step_noting_controls

    def follow(self) -> None:
        """Go where LIBERO's simulation is now, and forget the controls so far."""
        state = np.empty(mujoco.mj_stateSize(self._model, WHOLE_STATE))
        mujoco.mj_getState(self._model, self._stock, state, WHOLE_STATE)
        mujoco.mj_setState(self._model, self._data, state, WHOLE_STATE)
        self._controls.clear()

    def replay(self) -> None:
        """Take a physics step with each of the controls."""
        for control in self._controls:
            self._data.ctrl[:] = control
            mujoco.mj_step(self._model, self._data)
