"""Plays recorded actions again."""

from collections.abc import Mapping

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.conventions import ACTION_SIZE, hold_action
from perm.core.errors import PermError
from perm.core.policy import Observation, PolicySpec


class ReplayPolicy:
    """Plays the actions recorded from the init index that was selected, then holds.

    `reset` does not tell a policy which scene it is in, and a replay is the one player that has
    to know: whoever runs it calls `select` before each episode.
    """

    def __init__(self, actions: Mapping[int, FloatArray]) -> None:
        """Take the recordings.

        Args:
            actions: Init index -> actions, shape (T, 7), T >= 1.

        Raises:
            PermError: There is no recording, or one is not of that shape or not finite.
        """
        if not actions:
            raise PermError("There is no recorded episode to replay.")
        self._actions = {index: _checked(index, actions[index]) for index in sorted(actions)}
        self._selected: int | None = None
        self._pending: FloatArray | None = None

    @property
    def spec(self) -> PolicySpec:
        """Plays the recorded init indices and no others; wants no images."""
        return PolicySpec("replay", init_indices=tuple(self._actions))

    def select(self, init_index: int) -> None:
        """Choose the recording for the next episodes.

        Raises:
            PermError: Nothing was recorded from this init index.
        """
        if init_index not in self._actions:
            recorded = ", ".join(map(str, self._actions))
            raise PermError(f"Nothing was recorded from init index {init_index}; only: {recorded}.")
        self._selected = init_index

    def reset(self, prompt: str, seed: int) -> None:
        """Go back to the first action of the selected recording.

        Raises:
            PermError: No init index was selected.
        """
        if self._selected is None:
            raise PermError("A replay has to be told what to play: call select(init_index) first.")
        self._pending = self._actions[self._selected]

    def act(self, obs: Observation) -> FloatArray:
        """Return all recorded actions at once, shape (T, 7); after that, hold, shape (1, 7).

        Holding keeps the last command of the gripper, so that nothing is dropped.
        """
        if self._pending is None:
            raise PermError("A replay begins with reset(prompt, seed).")
        chunk = self._pending
        self._pending = hold_action(float(chunk[-1, -1]))[np.newaxis]
        return chunk.copy()


def _checked(index: int, actions: FloatArray) -> FloatArray:
    array = np.array(actions, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != ACTION_SIZE or not len(array):
        raise PermError(
            f"Recorded actions of init index {index} have shape {array.shape}; "
            f"(T, {ACTION_SIZE}) with T >= 1 is needed."
        )
    if not np.isfinite(array).all():
        raise PermError(f"Recorded actions of init index {index} hold NaN or infinity.")
    return array
