"""What an episode needs before it can settle or begin, instead of LIBERO's `env.reset()`."""

from contextlib import closing
from dataclasses import replace

from benchmarks.comparison import Comparison, Findings, cpu_ms, median_ratio
from benchmarks.scenes import SCENES, mission_of
from perm.sim.env import SimEnv
from perm.sim.placement import place_scene
from perm.sim.scene import place_again
from perm.sim.starts import start_of
from perm.sim.stock import StockEnv

TURNS = 5


def measure() -> Findings:
    """Sample and place scenes, and put them into recorded starts."""
    sampled, recorded = zip(*map(_reset, SCENES), strict=True)
    return Findings(
        "LIBERO's env.reset(); a new placement, or a recorded start; nothing settles [CPU ms]",
        (*sampled, *recorded),
        {"reset_ratio": median_ratio(sampled)},
    )


def _reset(scene: str) -> tuple[Comparison, Comparison]:
    mission = mission_of(scene)
    sampled = replace(mission, init_states=None)
    with closing(SimEnv(mission.layout)) as ours, closing(StockEnv(mission.layout)) as stock:
        start = start_of(mission, 0, ours)
        turns = [
            (
                cpu_ms(place_again, mission.layout, stock.scene.reset),
                cpu_ms(place_scene, sampled, 0, ours, attempt=turn),
                cpu_ms(ours.begin, start),
            )
            for turn in range(TURNS)
        ]
    of_stock, of_placing, of_beginning = zip(*turns, strict=True)
    return (
        Comparison(f"{scene}, placed", of_stock, of_placing),
        Comparison(f"{scene}, recorded", of_stock, of_beginning),
    )
