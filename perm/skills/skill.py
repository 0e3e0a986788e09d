"""What a skill is made of: waypoints in frames that are found in the scene, and parameters."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from perm.core.arrays import FloatArray
from perm.core.mission import SkillCall
from perm.sim.load import Held
from perm.skills.pose import Pose

if TYPE_CHECKING:
    from perm.skills.actor import Actor


class Motion(StrEnum):
    """How the hand gets to a waypoint."""

    PLAN = "plan"
    """The way it is meant to go, or a planned one round what stands there."""
    LINE = "line"
    """Straight; what the call is about may be touched."""
    GRIP = "grip"
    """It stays and the fingers move."""


@dataclass(frozen=True)
class Waypoint:
    """One step of a skill.

    Attributes:
        motion: How to get there.
        frame: Name of a frame of the skill.
        back: Distance from the frame against the approach [m].
        speed: Share of the free-space speed.
        joined: Whether it goes on into the next without a rest.
        aimed: Whether the frame is found again just before, from how the object sits in the hand.
        closed: Whether the fingers are closed from here on, for GRIP.
        moves: Whether what the call is about moves with the hand, though it is not held.
        opens: The fingers open on the way, so far before its end [m].
    """

    motion: Motion
    frame: str
    back: float = 0.0
    speed: float = 1.0
    joined: bool = False
    aimed: bool = False
    closed: bool = False
    moves: bool = False
    opens: float | None = None

    def pose(self, frames: "Frames") -> Pose:
        """Return where the hand goes."""
        return frames[self.frame].back(self.back)


Frames = Mapping[str, Pose]
"""Where the waypoints of a call are, by name of the frame."""


@dataclass(frozen=True)
class Moment:
    """How things stand when a call begins, now or later.

    Attributes:
        pose: Of the hand.
        joints: Of the arm (7,) [rad].
        held: What is in the hand.
        moved: Objects that will have been let go somewhere by then, see `perm.sim.rehearsal.Load`.
        slid: Drawers and doors that will have been moved by then, see the same.
    """

    pose: Pose
    joints: FloatArray
    held: Held | None = None
    moved: tuple[tuple[str, FloatArray, FloatArray], ...] = ()
    slid: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Skill:
    """A way to do one subtask.

    Attributes:
        name: As in plans.
        waypoints: In order.
        frames: Yields the frames of a call as the scene offers them, the most natural first.
        params: The skill's parameters, named with what they mean; lengths in m, angles in rad.
        offsets: By category of the object: parameters that it needs otherwise.
    """

    name: str
    waypoints: tuple[Waypoint, ...]
    frames: Callable[["Actor", SkillCall, Moment, Mapping[str, float]], Iterator[Frames]]
    params: Mapping[str, float] = field(default_factory=dict)
    offsets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def params_for(self, category: str) -> Mapping[str, float]:
        """Return the parameters for an object of a category."""
        return {**self.params, **self.offsets.get(category, {})}
