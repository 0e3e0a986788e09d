"""The two players that know nothing: one holds still, one acts at random."""

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import ACTION_SIZE, hold_action
from perm.core.policy import Observation, PolicySpec


class HoldPolicy:
    """Keeps the arm where it is and the gripper open."""

    spec = PolicySpec("hold")

    def reset(self, prompt: str, seed: int) -> None:
        """Do nothing; there is nothing to forget."""

    def act(self, obs: Observation) -> FloatArray:
        """Return the one action that holds, shape (1, 7)."""
        return hold_action()[np.newaxis]


class RandomPolicy:
    """Draws each of the 7 entries uniformly from [-1, 1], anew at every step."""

    spec = PolicySpec("random")

    def __init__(self) -> None:
        """Begin with a stream of draws for whoever acts before the first reset."""
        self._rng = np.random.default_rng(0)

    def reset(self, prompt: str, seed: int) -> None:
        """Start the episode's own stream of draws."""
        self._rng = np.random.default_rng(seed)

    def act(self, obs: Observation) -> FloatArray:
        """Return one random action, shape (1, 7)."""
        return self._rng.uniform(-1.0, 1.0, (1, ACTION_SIZE))
