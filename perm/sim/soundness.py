"""Whether an edited scene is one that a robot can work in: room, reach, and a clear view."""

from collections.abc import Collection, Iterator
from itertools import product

import mujoco
import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import CAMERAS, EDIT_CLEARANCE
from perm.core.mission import Mission
from perm.sim.bodies import collision_geoms, entity_boxes, root_body, subtree, support_height
from perm.sim.env import SimEnv

DROPPED = 0.004
"""By how much less it may be once things have settled [m]."""
MOST_REACH = 0.80
"""Farthest from the robot's base that something is handled, as in LIBERO's own missions [m]."""
LEAST_SEEN = 0.75
"""Share of an object that AgentView has to see."""


def scene_problems(env: SimEnv, mission: Mission, changed: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with a scene that has settled, in words that help to mend it.

    Args:
        env: The scene, at a start of the mission.
        mission: What is to be done in it.
        changed: Names of what an edit has added, moved or replaced.
    """
    for name in changed:
        yield from _crowded(env, name)
        yield from _fallen(env, name)
    handled = {n for alternative in mission.goal.any_of for atom in alternative for n in atom[1:]}
    for name in sorted(handled & set(env.blueprint.entities) | set(changed)):
        yield from _far(env, name)
    for name in changed:
        yield from _hidden(env, name)


def _crowded(env: SimEnv, name: str) -> Iterator[str]:
    """Yield what is nearer than it should be; what it is said to be on or in may touch it."""
    related = {name}
    for atom in env.layout.init:
        if name in atom[1:]:
            related |= {
                owner for owner in env.blueprint.entities for n in atom[1:] if n.startswith(owner)
            }
    for other in env.blueprint.entities:
        if other in related:
            continue
        distance = _distance(env, name, other)
        if distance < EDIT_CLEARANCE - DROPPED:
            yield (
                f"{name} is {100 * max(distance, 0.0):.1f} cm from {other}; "
                f"{100 * EDIT_CLEARANCE:.0f} cm are needed"
            )


def _distance(env: SimEnv, first: str, second: str) -> float:
    """Return how far two things are apart [m], at most a little more than matters."""
    model, data = env.model, env.data
    pairs = product(
        *(collision_geoms(env, subtree(env, root_body(env, n))) for n in (first, second))
    )
    far = 2 * EDIT_CLEARANCE
    return min(
        (mujoco.mj_geomDistance(model, data, int(a), int(b), far, None) for a, b in pairs),
        default=far,
    )


def _fallen(env: SimEnv, name: str) -> Iterator[str]:
    lowest = float(entity_boxes(env, name).corners[:, 2].min())
    if lowest < support_height(env) - 0.02:
        yield f"{name} has fallen off the work surface"


def _far(env: SimEnv, name: str) -> Iterator[str]:
    base = env.data.xpos[env.model.body("robot0_base").id]
    away = float(np.linalg.norm((env.data.xpos[root_body(env, name)] - base)[:2]))
    if away > MOST_REACH:
        yield f"{name} is {away:.2f} m from the robot's base; it reaches {MOST_REACH:.2f} m"


def _hidden(env: SimEnv, name: str) -> Iterator[str]:
    seen = share_seen(env, name)
    if seen < LEAST_SEEN:
        yield f"{name} is hidden: AgentView sees {100 * seen:.0f} % of it"


def share_seen(env: SimEnv, name: str) -> float:
    """Return the share of an object that AgentView sees: of rays to points all over it."""
    model, data = env.model, env.data
    camera = model.camera(CAMERAS[0]).id
    eye, axes = data.cam_xpos[camera], data.cam_xmat[camera].reshape(3, 3)
    body = subtree(env, root_body(env, name))
    points = _points(env, name)
    half = np.tan(np.deg2rad(model.cam_fovy[camera]) / 2)
    met, seen = np.zeros(1, dtype=np.int32), 0
    groups = np.array([1, 1, 1, 1, 1, 1], dtype=np.uint8)
    for point in points:
        local = (point - eye) @ axes
        if local[2] >= 0 or (np.abs(local[:2]) > half * -local[2]).any():
            continue
        way = point - eye
        hit = mujoco.mj_ray(model, data, eye, way, groups, True, -1, met)
        first = met[0] >= 0 and body[model.geom_bodyid[met[0]]]
        seen += bool(first or hit < 0 or hit > 1.0)
    return seen / len(points)


def _points(env: SimEnv, name: str) -> FloatArray:
    """Return points all over the side of an object that faces up and to the camera, (N, 3)."""
    corners = entity_boxes(env, name).corners
    low, high = corners.min(axis=0), corners.max(axis=0)
    ticks = np.linspace(0.15, 0.85, 4)
    grid = np.array(list(product(ticks, ticks, ticks)))
    return np.asarray(low + grid * (high - low))
