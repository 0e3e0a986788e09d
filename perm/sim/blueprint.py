"""What is known of a scene once LIBERO has built it: all that an episode needs, and small."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from perm.core.arrays import FloatArray


@dataclass(frozen=True)
class Threshold:
    """A condition on a joint: its position lies on one side of a limit.

    Attributes:
        limit: Position of the joint [rad or m].
        above: Whether it holds above the limit, else below.
        at_limit: Whether it holds at the limit itself.
    """

    limit: float
    above: bool
    at_limit: bool

    def holds(self, position: float) -> bool:
        """Return whether the condition holds at a position of the joint [rad or m]."""
        if position == self.limit:
            return self.at_limit
        return (position > self.limit) == self.above


@dataclass(frozen=True)
class BuiltEntity:
    """An object or a fixture as LIBERO has it; names are those of the model.

    Attributes:
        root_body: Its body.
        movable: Whether it is an object; a fixture stands where it was put.
        joints: All its joints; of an object the last one is its free joint.
        geoms: Its geoms that count as contact.
        conditions: "open", "close", "turnon", "turnoff", where LIBERO defines them.
        burner: Site that is visible while it is turned on, or "".
    """

    root_body: str
    movable: bool
    joints: tuple[str, ...]
    geoms: tuple[str, ...]
    conditions: Mapping[str, Threshold]
    burner: str


@dataclass(frozen=True)
class BuiltRegion:
    """A place: on the work surface, or in or on an object or fixture.

    Attributes:
        parent: The object or fixture that it belongs to; "" for the work surface.
        joints: Joints that move it against its parent.
        size: Half sizes as LIBERO counts them, (3,) [m].
    """

    parent: str
    joints: tuple[str, ...]
    size: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Arm:
    """The robot and its controller, robosuite's OSC_POSE with fixed gains.

    Attributes:
        joints, fingers: Names of the 7 joints and of the 2 finger joints.
        grip_site: Site between the fingers.
        hand_body: Body whose rotation LIBERO reports as the hand's.
        rest_qpos, rest_fingers: Joint positions at rest (7,) [rad], (2,) [m].
        kp, kd: Gains of position and rotation, (6,).
        action_low, action_high: Range of the first six entries of an action, (6,).
        output_low, output_high: What that range means, (6,) [m, rad].
        torque_low, torque_high: Limits (7,) [Nm].
        finger_speed: Change of the fingers' command in a physics step.
    """

    joints: tuple[str, ...]
    fingers: tuple[str, ...]
    grip_site: str
    hand_body: str
    rest_qpos: FloatArray
    rest_fingers: FloatArray
    kp: FloatArray
    kd: FloatArray
    action_low: FloatArray
    action_high: FloatArray
    output_low: FloatArray
    output_high: FloatArray
    torque_low: FloatArray
    torque_high: FloatArray
    finger_speed: float

    @functools.cached_property
    def action_middle(self) -> FloatArray:
        """Middle of the range of the first six entries of an action, (6,)."""
        middle: FloatArray = (self.action_high + self.action_low) / 2.0
        return middle

    @functools.cached_property
    def output_middle(self) -> FloatArray:
        """What it means, (6,) [m, rad]."""
        middle: FloatArray = (self.output_high + self.output_low) / 2.0
        return middle

    @functools.cached_property
    def scale(self) -> FloatArray:
        """What one unit of an action means, (6,) [m, rad]."""
        scale: FloatArray = abs(self.output_high - self.output_low) / abs(
            self.action_high - self.action_low
        )
        return scale


@dataclass(frozen=True, eq=False)
class Blueprint:
    """A scene.

    Attributes:
        mjcf: The whole scene with all that can be seen; paths of assets are relative.
        physics: The same without what only can be seen, compiled: an MJB file.
        workspace: LIBERO's name of the work surface.
        entities: Objects, then fixtures, by name, in LIBERO's order.
        regions: Places by name.
        arm: The robot.
        site_rgba: Colours of all sites, LIBERO's markers hidden, (nsite, 4).
    """

    mjcf: str
    physics: bytes
    workspace: str
    entities: Mapping[str, BuiltEntity]
    regions: Mapping[str, BuiltRegion]
    arm: Arm
    site_rgba: FloatArray
