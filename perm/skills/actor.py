"""Who acts: the hand, the manner, the scene, and what is held."""

from dataclasses import dataclass

from perm.core.seeding import derive_seed
from perm.skills.clearance import Shape
from perm.skills.scenery import Scenery
from perm.skills.style import MotionStyle
from perm.skills.tracking import Hand


@dataclass
class Actor:
    """What the expert carries through an episode.

    Attributes:
        scenery, hand: The scene, as seen and as moved.
        style: Manner of this episode.
        seed: Of this episode; every draw derives its own from it.
        holding: Name of the object in the hand, or None.
        plans: How many plans were made.
    """

    scenery: Scenery
    hand: Hand
    style: MotionStyle
    seed: int
    holding: str | None = None
    plans: int = 0

    def seed_for(self, purpose: str, number: int) -> int:
        """Return the seed of one draw, for example the second plan."""
        return derive_seed(self.seed, "expert", number, purpose)

    @property
    def shape(self) -> Shape:
        """What moves: the hand, with what it holds."""
        return self.scenery.held_shape(self.holding) if self.holding else Shape.empty_hand()
