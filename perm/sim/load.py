"""What moves with the arm."""

from collections.abc import Collection
from dataclasses import dataclass

from perm.core.arrays import FloatArray


@dataclass(frozen=True)
class Held:
    """An object in the hand.

    Attributes:
        name: Of the object.
        pos: Its origin in the hand's frame [m], shape (3,).
        rotation: Its rotation in the hand's frame, (3, 3).
        fingers: Positions of the finger joints on it [m]; None for open ones.
    """

    name: str
    pos: FloatArray
    rotation: FloatArray
    fingers: FloatArray | None = None

    def pose(self, pos: FloatArray, rotation: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return where the object is, (3,) [m] and (3, 3), with the hand at a pose."""
        return pos + rotation @ self.pos, rotation @ self.rotation


@dataclass(frozen=True)
class Load:
    """What moves with the arm, and what it finds where.

    Attributes:
        held: What is in the hand.
        touchable: Names of what need not be kept away from: nothing goes into it, but near it.
        taken: Name of what the fingers may touch, or "".
        contents: Names of what lies in it: that goes along, and is not looked at.
        moved: Objects that will have been moved by then: name, position (3,), rotation (3, 3).
        slid: Joints of drawers and doors that will have been moved by then: name, position.
    """

    held: Held | None = None
    touchable: Collection[str] = ()
    taken: str = ""
    contents: Collection[str] = ()
    moved: tuple[tuple[str, FloatArray, FloatArray], ...] = ()
    slid: tuple[tuple[str, float], ...] = ()
