"""Where the episodes of a scene begin."""

import numpy as np

from perm.core.episode import Start
from perm.sim.env import SimEnv
from perm.sim.placement import stored_states
from perm.sim.starts import load_starts

from .layouts import Scene


def start_in(scene: Scene, number: int, env: SimEnv) -> Start:
    """Return a start of a scene.

    Args:
        scene: The scene.
        number: Which of the mission's, or of LIBERO's stored states. Those have no fixtures, which
            are put near where they are now, and no warm start, which is drawn at random.
        env: The scene as LIBERO built it.
    """
    if scene.starts is not None:
        return load_starts(scene.starts)[number]
    rng = np.random.default_rng(number)
    nudge = rng.uniform(-0.003, 0.003, 3) * (1, 1, 0)
    bodies = env.fixture_bodies.items()
    return Start(
        state=np.append(0.0, stored_states(scene.name)[number][1:]),
        warmstart=rng.normal(size=env.model.nv),
        fixture_pos={name: env.model.body_pos[body] + nudge for name, body in bodies},
        fixture_quat={name: env.model.body_quat[body].copy() for name, body in bodies},
        joints=env.joints,
        layout_digest=scene.layout.digest,
    )
