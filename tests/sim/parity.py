"""Plays the same in LIBERO's environment and in perm's, and looks for the first difference."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from perm.core.arrays import FloatArray, ImageArray
from perm.core.conventions import CAMERAS
from perm.core.layout import Atom
from perm.sim.env import SimEnv
from perm.sim.placement import stored_states
from perm.sim.starts import load_starts
from perm.sim.stock import StockEnv

from .activity import Activity
from .beginning import start_in
from .layouts import Scene
from .liberos_way import SIZES, LiberosWay
from .playing import WAYS
from .witness import Witness, askable_atoms, first_difference, physics

STEPS = 200
DRAWN = (0, 1, 60, 120)
"""Steps after which images are compared; 0 is before the first one."""

MOVED = 0.01
"""How far something has to be moved for a comparison to count [m]."""


@dataclass
class Report:
    """What came out of one scene.

    Attributes:
        name: The scene.
        nv: Degrees of freedom.
        steps: Control steps compared.
        contacts, touches, moved, changed: See `Activity`.
        images: Pairs of images compared.
        difference: The first one, or "".
        cpu_s: CPU time [s].
    """

    name: str
    nv: int = 0
    steps: int = 0
    contacts: int = 0
    touches: int = 0
    moved: float = 0.0
    changed: tuple[Atom, ...] = ()
    images: int = 0
    difference: str = ""
    cpu_s: float = 0.0


def compare_scene(scene: Scene, steps: int = STEPS, drawn: Sequence[int] = DRAWN) -> Report:
    """Do both of the comparisons below."""
    began = time.process_time()
    report = compare_stepping(scene, steps)
    if not report.difference:
        compare_liberos_way(report, scene, drawn)
    if not report.difference and (report.touches == 0 or report.moved < MOVED):
        report.difference = "none, but hardly anything was touched"
    report.cpu_s = time.process_time() - began
    return report


def compare_stepping(scene: Scene, steps: int = STEPS, ways: Sequence[str] = tuple(WAYS)) -> Report:
    """Compare everything but images over an episode in each way, all on the same two models."""
    with closing(SimEnv(scene.layout)) as ours, closing(StockEnv(scene.layout)) as theirs:
        report = Report(scene.name, nv=ours.model.nv)
        ours.begin(start_in(scene, 0, theirs))
        atoms = askable_atoms(ours)
        activity = Activity(ours, atoms)
        for number, way in enumerate(ways):
            start = start_in(scene, number, theirs)
            ours.begin(start)
            theirs.begin(start)
            activity.begin()
            mine, libero = Witness(ours, atoms), Witness(theirs, atoms)
            for step, action in enumerate(_actions(ours, way, steps)):
                if action is not None:
                    ours.step(action)
                    theirs.step(action)
                moment = mine.moment()
                if difference := first_difference(moment, libero.moment()):
                    report.difference = f"{way}, step {step}: {difference}"
                    return report
                activity.note(moment)
            report.steps += steps
    report.contacts, report.touches = activity.contacts, activity.touches
    report.moved, report.changed = activity.moved, activity.changed
    return report


def compare_liberos_way(report: Report, scene: Scene, drawn: Sequence[int] = DRAWN) -> None:
    """Compare physics, observations and images where LIBERO is driven as its users do it."""
    stored = scene.starts is None
    state = stored_states(scene.name)[0] if stored else load_starts(scene.starts)[0].state
    with closing(SimEnv(scene.layout)) as ours, closing(LiberosWay(scene.layout, state)) as theirs:
        theirs.hand_over(ours)
        for step, action in enumerate(_actions(ours, "visit", max(drawn))):
            if action is not None:
                theirs.draws = step in drawn
                theirs.step(action)
                ours.step(action)
            mine = physics(ours.data) | ours.observations()
            libero = physics(theirs.data) | theirs.observations
            if step in drawn:
                mine, libero = mine | _images(ours), libero | theirs.images
                report.images += len(theirs.images)
            if difference := first_difference(mine, libero):
                report.difference = f"LIBERO's way, step {step}: {difference}"
                return
        report.steps += max(drawn)


def _actions(env: SimEnv, way: str, steps: int) -> Iterator[FloatArray | None]:
    """None, for the moment before the first action, and the actions of a way."""
    return chain([None], islice(WAYS[way](env, np.random.default_rng(0)), steps))


def _images(env: SimEnv) -> dict[str, ImageArray]:
    seen = {size: env.observe(image_size=size) for size in SIZES}
    return {f"{name} at {size}": seen[size][f"{name}_image"] for name in CAMERAS for size in SIZES}
