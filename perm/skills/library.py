"""Skills as data: waypoints in the frame of the object or of the target, plus parameters.

A waypoint says where the hand goes relative to a frame that is found in the scene, so the same
numbers serve every object that offers such a frame, and could come from one recorded demonstration.
Hand frames: x is the direction in which the fingers open, z the approach.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from perm.core.errors import unknown_name


class Motion(StrEnum):
    """How the hand gets to a waypoint."""

    PLAN = "plan"
    """Along a path planned round everything that stands in the scene."""
    LINE = "line"
    """Straight, checked for collision; the object or target of the frame may be touched."""
    GRIP = "grip"
    """It stays and the fingers move."""


class Frame(StrEnum):
    """What a waypoint's offset is relative to."""

    GRASP = "grasp"
    """The grasp on the object: origin between the finger tips, z along the approach."""
    ABOVE_GRASP = "above grasp"
    """The same grasp, with the offset along the world's z axis."""
    RELEASE = "release"
    """Where the hand is when the held object stands on the target; offset along the world's z."""


@dataclass(frozen=True)
class Waypoint:
    """One step of a skill.

    Attributes:
        motion: How to get there.
        frame: What the offset is relative to.
        offset: Distance from the frame's origin [m]: against the approach for GRASP, upwards
            otherwise; or the name of a carry parameter that gives it.
        speed: Share of the free-space speed.
        closed: Whether the fingers are closed from here on.
        steps: Control steps to wait, for GRIP.
    """

    motion: Motion
    frame: Frame
    offset: float | str = 0.0
    speed: float = 1.0
    closed: bool = False
    steps: int = 0


@dataclass(frozen=True)
class Skill:
    """A way to do one subtask.

    Attributes:
        name: As in plans.
        waypoints: In order.
        params: Defaults of the skill's own parameters, all in metres.
    """

    name: str
    waypoints: tuple[Waypoint, ...]
    params: Mapping[str, float] = field(default_factory=dict)


CONTACT_SPEED = 0.6
"""Share of the free-space speed for approach, lift and descent."""

PICK = Skill(
    name="pick",
    waypoints=(
        Waypoint(Motion.PLAN, Frame.GRASP, 0.10),
        Waypoint(Motion.LINE, Frame.GRASP, 0.0, speed=CONTACT_SPEED),
        Waypoint(Motion.GRIP, Frame.GRASP, closed=True, steps=12),
        Waypoint(Motion.LINE, Frame.ABOVE_GRASP, "lift", speed=CONTACT_SPEED, closed=True),
    ),
    params={"rim_depth": 0.018, "rim_inset": 0.003, "top_depth": 0.030},
)
"""rim_depth: finger tips under the rim; rim_inset: towards the middle; top_depth: finger tips under
the top of an object that fits between the fingers."""

PLACE_ON = Skill(
    name="place_on",
    waypoints=(
        Waypoint(Motion.PLAN, Frame.RELEASE, "lift", closed=True),
        Waypoint(Motion.LINE, Frame.RELEASE, 0.0, speed=CONTACT_SPEED, closed=True),
        Waypoint(Motion.GRIP, Frame.RELEASE, closed=False, steps=8),
        Waypoint(Motion.LINE, Frame.RELEASE, 0.10, closed=False),
    ),
    params={"gap": 0.004},
)
"""gap: free height under the object when the fingers open."""

PLACE_IN = Skill(name="place_in", waypoints=PLACE_ON.waypoints, params={"gap": 0.012})

SKILLS: Mapping[str, Skill] = {skill.name: skill for skill in (PICK, PLACE_ON, PLACE_IN)}


def find_skill(name: str) -> Skill:
    """Return a skill by name, or say which names would have worked."""
    if name not in SKILLS:
        raise unknown_name("skill", name, SKILLS)
    return SKILLS[name]
