"""Three ways of moving the arm, all of which end up in contact with what stands around."""

from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from types import MappingProxyType

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import GRIPPER_CLOSE, GRIPPER_OPEN
from perm.sim.bodies import root_body
from perm.sim.env import SimEnv

PULL = 0.4
"""How much further down than up an action goes on the average, so that the hand gets there."""
HOVER, GRASP, LIFT, VISIT = 14, 26, 36, 50
"""Steps of a visit: over the thing; down onto it, closing at last; up again; the end."""
HEIGHT, DEPTH = 0.12, 0.03
"""How far over the middle of a thing the hand hovers, and how far under it that it reaches [m]."""
STRIDE = 0.05
"""What an action of 1 moves the goal of the hand by [m]."""


def shake(env: SimEnv, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Another random action in each step."""
    while True:
        yield np.clip(rng.uniform(-1, 1, 7) - PULL * _downwards(), -1, 1)


def sweep(env: SimEnv, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Random actions of ten steps each; every other one moves without turning."""
    while True:
        action = np.clip(rng.uniform(-1, 1, 7) - PULL * _downwards(), -1, 1)
        yield from [action] * 10
        action = np.clip(rng.uniform(-1, 1, 7) - PULL * _downwards(), -1, 1)
        action[3:6] = 0.0
        yield from [action] * 10


def visit(env: SimEnv, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Reach down onto one thing after the other, grasp at it, and lift what was caught."""
    for body in _things(env, rng):
        aside = rng.uniform(-0.02, 0.02, 3)
        for step in range(VISIT):
            height = -DEPTH if HOVER <= step < LIFT else HEIGHT
            goal = env.data.xipos[body] + aside + [0, 0, height]
            action = np.append((goal - env.ee_pos) / STRIDE, rng.uniform(-0.2, 0.2, 4))
            action[6] = GRIPPER_CLOSE if step >= GRASP else GRIPPER_OPEN
            yield np.clip(action, -1, 1)


WAYS: Mapping[str, Callable[[SimEnv, np.random.Generator], Iterator[FloatArray]]] = (
    MappingProxyType({"shake": shake, "sweep": sweep, "visit": visit})
)


def _downwards() -> FloatArray:
    return np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0])


def _things(env: SimEnv, rng: np.random.Generator) -> Iterator[int]:
    """Bodies of objects in turns with those of drawers, doors and knobs, for ever."""
    objects = [root_body(env, entity.name) for entity in env.layout.objects]
    robot = len(env.blueprint.arm.joints + env.blueprint.arm.fingers)
    parts = sorted(set(env.model.jnt_bodyid[robot:]) - set(objects))
    turns = [cycle(rng.permutation(bodies)) for bodies in (objects, parts) if bodies]
    while True:
        yield from (int(next(bodies)) for bodies in turns)
