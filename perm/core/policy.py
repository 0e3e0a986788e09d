"""The contract between a policy and whoever runs it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from perm.core.arrays import AnyArray, FloatArray

Observation = Mapping[str, AnyArray]
"""What a policy sees, by LIBERO's names: robot0_eef_pos (3,), robot0_eef_quat (4,) xyzw,
robot0_gripper_qpos (2,), robot0_joint_pos (7,); and, if the policy wants images,
agentview_image and robot0_eye_in_hand_image (H, W, 3) uint8, raw (bottom row first)."""


@dataclass(frozen=True)
class PolicySpec:
    """What a policy is and needs.

    Attributes:
        name: For tables and records.
        image_size: Height and width of the images it wants [px], or 0 if it wants none.
        init_indices: The only init indices it can play, or None for any.
    """

    name: str
    image_size: int = 0
    init_indices: tuple[int, ...] | None = None


class Policy(Protocol):
    """Anything that turns an observation into actions."""

    @property
    def spec(self) -> PolicySpec:
        """What this policy is and needs."""
        ...

    def reset(self, prompt: str, seed: int) -> None:
        """Begin an episode: forget everything of the one before.

        Args:
            prompt: The sentence exactly as the policy shall get it.
            seed: For every random draw of the policy in this episode.
        """
        ...

    def act(self, obs: Observation) -> FloatArray:
        """Return the next K >= 1 actions, shape (K, 7); all are executed before the next call.

        Raises:
            GiveUp: The policy ends the episode.
        """
        ...
