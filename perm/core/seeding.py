"""Every random draw is a pure function of (seed, task, episode, purpose)."""

import hashlib

import numpy as np


def derive_seed(seed: int, task_id: str, episode: int, purpose: str, attempt: int = 0) -> int:
    """Return a seed in [0, 2**32) that depends on nothing but the arguments.

    Args:
        seed: Seed of the run.
        task_id: Identity of the task, or of the layout (its digest) where no task is meant.
        episode: Index of the episode within the task.
        purpose: What is drawn, for example "plan" or "placement".
        attempt: 0 for the first draw, then 1, 2, ... for draws after a rejection.
    """
    text = f"{seed}\n{task_id}\n{episode}\n{purpose}\n{attempt}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def make_rng(
    seed: int, task_id: str, episode: int, purpose: str, attempt: int = 0
) -> np.random.Generator:
    """Return the generator for one purpose; see `derive_seed` for the arguments."""
    return np.random.default_rng(derive_seed(seed, task_id, episode, purpose, attempt))
