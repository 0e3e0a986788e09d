"""The Trace: what happened in an episode, as arrays. Metrics, files and reports read only this."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from perm.core.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class ObjectFacts:
    """What a metric may need to know of a movable object; it does not change in an episode.

    Attributes:
        category: "akita_black_bowl".
        half_extents: Half of the size along the body's axes [m], shape (3,).
        centre: Middle of the bounding box in the body frame [m], shape (3,).
        lowest_offset: Lowest point at rest minus the body's origin, along z [m].
        rim: Radius of the open rim [m], or None.
        handle: Where the handle is in the body frame [m], shape (3,), or None.
        tags: Words such as "red" or "kitchenware".
    """

    category: str
    half_extents: FloatArray
    centre: FloatArray
    lowest_offset: float
    rim: float | None = None
    handle: FloatArray | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class RegionFacts:
    """A named place.

    Attributes:
        pos: Centre [m], in the world frame at the start of the episode, shape (3,).
        quat: Orientation wxyz, shape (4,).
        size: Half extents [m], shape (3,).
        parent: Object or fixture that it belongs to.
        joint: What it slides with, the inside of a drawer: a name of `Trace.joint_pos`, or None.
        axis: Where it slides as that joint grows: unit vector in the world frame, shape (3,), or
            None.
    """

    pos: FloatArray
    quat: FloatArray
    size: FloatArray
    parent: str
    joint: str | None = None
    axis: FloatArray | None = None


@dataclass(frozen=True)
class Trace:
    """Only what the simulator observed, so that a demo's trace and a policy's are alike.

    T is the number of actions. Row t of a (T + 1)-array is what was true before action t, the last
    row what was true at the end. Metres, radians, seconds; world frame, z up; quaternions wxyz.

    Attributes:
        dt: Seconds between rows.
        actions: (T, 7).
        ee_pos, ee_quat: Grip site (`gripper0_grip_site`), (T+1, 3) and (T+1, 4).
        gripper_width: Distance between the fingers (T+1,).
        object_pos, object_quat: By object name, body origin, (T+1, 3) and (T+1, 4).
        joint_pos: Drawers, doors and knobs by joint name, (T+1,).
        contact: Object against left and right finger, (T+1, n_objects, 2); order of `objects`.
        success: The mission's goal, (T+1,).
        preferred: The goal reached with the preferred choice, (T+1,), or None.
        support_z: Height of the work surface [m].
        objects, regions: Static facts by name.
    """

    dt: float
    actions: FloatArray
    ee_pos: FloatArray
    ee_quat: FloatArray
    gripper_width: FloatArray
    object_pos: Mapping[str, FloatArray]
    object_quat: Mapping[str, FloatArray]
    joint_pos: Mapping[str, FloatArray]
    contact: BoolArray
    success: BoolArray
    support_z: float
    objects: Mapping[str, ObjectFacts] = field(default_factory=dict)
    regions: Mapping[str, RegionFacts] = field(default_factory=dict)
    preferred: BoolArray | None = None

    @property
    def n_steps(self) -> int:
        """Number of actions, T."""
        return len(self.actions)

    @property
    def object_names(self) -> tuple[str, ...]:
        """Objects in the order of the second axis of `contact`."""
        return tuple(self.objects)

    @property
    def held(self) -> IntArray:
        """Index of the object that both fingers touch, or -1, shape (T+1,)."""
        both = self.contact[:, :, 0] & self.contact[:, :, 1]
        if both.shape[1] == 0:
            return np.full(len(both), -1, dtype=np.int64)
        return np.where(both.any(axis=1), both.argmax(axis=1), -1).astype(np.int64)

    def until(self, t: int) -> "Trace":
        """Return the trace as it stood before action t (rows 0 to t)."""
        stop = t + 1
        return replace(
            self,
            actions=self.actions[:t],
            ee_pos=self.ee_pos[:stop],
            ee_quat=self.ee_quat[:stop],
            gripper_width=self.gripper_width[:stop],
            object_pos={k: v[:stop] for k, v in self.object_pos.items()},
            object_quat={k: v[:stop] for k, v in self.object_quat.items()},
            joint_pos={k: v[:stop] for k, v in self.joint_pos.items()},
            contact=self.contact[:stop],
            success=self.success[:stop],
            preferred=None if self.preferred is None else self.preferred[:stop],
        )
