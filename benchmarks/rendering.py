"""Images of both cameras: drawn from the states of an episode, or by LIBERO while it steps."""

from contextlib import closing

import numpy as np

from benchmarks.comparison import Comparison, Findings, cpu_ms, median_ratio, timed
from benchmarks.scenes import SCENES, mission_of
from benchmarks.stepping import lean_to_table
from perm.core.arrays import FloatArray
from perm.sim.env import SimEnv
from perm.sim.starts import start_of
from perm.sim.stock import StockEnv

SIZE = 128
"""Height and width of an image [px]."""
TURNS = 8


def measure() -> Findings:
    """Draw the same frames in turns: what LIBERO's step costs more with images, and perm's."""
    rows = tuple(map(_film, SCENES))
    return Findings(
        f"A frame of both cameras, {SIZE} px: by LIBERO's steps, or of a kept episode [CPU ms]",
        rows,
        {"render_ratio": median_ratio(rows)},
    )


def _film(scene: str) -> Comparison:
    mission = mission_of(scene)
    layout = mission.layout
    with (
        closing(SimEnv(layout)) as ours,
        closing(StockEnv(layout)) as stock,
        closing(StockEnv(layout, SIZE)) as filming,
    ):
        start = start_of(mission, 0, ours)
        for env in (ours, stock, filming):
            env.begin(start)
        turns = [_turn(ours, stock, filming, action) for action in lean_to_table(TURNS + 1)]
        _lead_to_its_context(filming)
    # The first turn opens perm's cameras.
    of_stock, of_ours = zip(*turns[1:], strict=True)
    return Comparison(scene, of_stock, of_ours)


def _lead_to_its_context(filming: StockEnv) -> None:
    """LIBERO draws into, and frees, whatever OpenGL context is current: let it be its own."""
    filming.scene.sim._render_context_offscreen.gl_ctx.make_current()


def _turn(
    ours: SimEnv, stock: StockEnv, filming: StockEnv, action: FloatArray
) -> tuple[float, float]:
    """Return CPU times of a frame [ms], LIBERO's and perm's."""
    glow = ours.data.qpos.copy()
    ours.step(action)
    stepping = cpu_ms(stock.step, action)
    _lead_to_its_context(filming)
    both = cpu_ms(filming.step, action)
    images, drawing = timed(ours.studio.draw, ours.seen.camera, glow, SIZE)
    seen = filming.observations()
    for camera, image in images.items():
        assert np.array_equal(image, seen[f"{camera}_image"]), "the two did not draw the same"
    return both - stepping, drawing
