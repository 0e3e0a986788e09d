"""Who acts: the hand, the manner, the scene, and what is held."""

from dataclasses import dataclass, field

from perm.core.mission import SkillCall
from perm.core.seeding import derive_seed
from perm.sim.env import SimEnv
from perm.sim.falling import Falling
from perm.sim.load import Load
from perm.sim.rehearsal import Rehearsal
from perm.skills.care import USUAL, Care
from perm.skills.pose import Pose
from perm.skills.scenery import Scenery
from perm.skills.skill import Moment
from perm.skills.style import Style
from perm.skills.tracking import Hand


@dataclass
class Actor:
    """What the expert carries through an episode.

    Attributes:
        scenery, hand, rehearsal, falling: The scene as seen, as moved, as it would be with the arm
            elsewhere, and with something let go.
        style: Manner of this episode.
        seed: Of this episode; every draw derives its own from it.
        care: How far from its bounds the arm has to stay.
        holding: Name of the object in the hand, or None.
        draws: How many draws were made, by purpose.
    """

    scenery: Scenery
    hand: Hand
    rehearsal: Rehearsal
    falling: Falling
    style: Style
    seed: int
    care: Care = USUAL
    holding: str | None = None
    draws: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, env: SimEnv, style: Style, seed: int) -> "Actor":
        """Return who acts in a scene, in a manner, with a seed."""
        return cls(Scenery(env), Hand(env), Rehearsal(env), Falling(env), style, seed)

    def next_seed(self, purpose: str) -> int:
        """Return the seed of the next draw of a kind."""
        self.draws[purpose] = number = self.draws.get(purpose, 0) + 1
        return derive_seed(self.seed, "expert", number, purpose)

    def now(self) -> Moment:
        """Return how things stand."""
        self.rehearsal.look()
        pose = Pose(self.hand.pos, self.hand.rotation)
        held = self.rehearsal.held_now(self.holding) if self.holding else None
        return Moment(pose, self.rehearsal.joints, held)

    def load(self, moment: Moment, call: SkillCall) -> Load:
        """Return what moves with the arm in a call, and what it may touch."""
        taken = self.scenery.owner(call.object)
        touchable = {taken}
        if call.target:
            touchable.add(self.scenery.owner(call.target))
        contents = self.scenery.contents(taken)
        return Load(moment.held, touchable, taken, contents, moment.moved, moment.slid)
