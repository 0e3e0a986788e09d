"""Writes Traces by hand: the hand moves, closes, carries and opens, one row a step."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from perm.core.geometry import matrix_to_quat, quat_to_matrix, rotation_from_vector
from perm.core.trace import ObjectFacts, RegionFacts, Trace

OPEN, HELD, CLOSED = 0.078, 0.04, 0.0
TABLE = 0.9
TURNED = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
"""A quarter turn about x: the body's y axis points up."""
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
DOWN = np.array([0.0, 1.0, 0.0, 0.0])
"""The hand's z axis, its approach, points down."""


def turned(quat: np.ndarray, *vector: float) -> np.ndarray:
    """Return an orientation after a turn by a rotation vector of the world frame."""
    return matrix_to_quat(rotation_from_vector(np.array(vector)) @ quat_to_matrix(quat))


class Script:
    """A hand above a table at z = 0.9 m, and objects of 6 x 6 x 10 cm on it.

    Every method adds rows and returns the script; `trace` gives what was written.
    """

    def __init__(
        self,
        objects: Mapping[str, Sequence[float]],
        hand: Sequence[float] = (0.0, 0.0, 1.1),
        facts: Mapping[str, ObjectFacts] | None = None,
        regions: Mapping[str, RegionFacts] | None = None,
    ) -> None:
        self.names = list(objects)
        self.facts = {name: box() for name in objects} | dict(facts or {})
        self.regions = dict(regions or {})
        self.rows: list[dict[str, Any]] = []
        self.now: dict[str, Any] = {
            "ee_pos": np.array(hand, dtype=float),
            "ee_quat": DOWN,
            "width": OPEN,
            "success": False,
            "objects": {name: np.array(pos, dtype=float) for name, pos in objects.items()},
            "quats": {name: UPRIGHT for name in objects},
            "touching": {name: (False, False) for name in objects},
        }
        self.wait(1)

    def wait(self, rows: int) -> "Script":
        for _ in range(rows):
            copies = {key: dict(self.now[key]) for key in ("objects", "quats", "touching")}
            self.rows.append({**self.now, **copies})
        return self

    def move(
        self,
        *to: float,
        rows: int = 10,
        turn: Sequence[float] = (0.0, 0.0, 0.0),
        chatter: Sequence[int] = (),
    ) -> "Script":
        """Move the hand, and what it holds.

        Args:
            to: Where to.
            rows: In how many steps, all alike.
            turn: Rotation vector by which the hand turns on the way, in the world frame [rad].
            chatter: Rows in which one finger loses what is held.
        """
        held = [name for name, fingers in self.now["touching"].items() if all(fingers)]
        step, turn_step = (np.array(to) - self.now["ee_pos"]) / rows, np.array(turn) / rows
        for row in range(rows):
            self.now["ee_pos"] = self.now["ee_pos"] + step
            self.now["ee_quat"] = turned(self.now["ee_quat"], *turn_step)
            for name in held:
                self.now["objects"][name] = self.now["objects"][name] + step
                self.now["quats"][name] = turned(self.now["quats"][name], *turn_step)
                self.now["touching"][name] = (True, row not in chatter)
            self.wait(1)
        for name in held:
            self.now["touching"][name] = (True, True)
        return self

    def grip(self, name: str, rows: int = 5, width: float = HELD) -> "Script":
        """Both fingers touch an object."""
        self.now.update(width=width)
        self.now["touching"][name] = (True, True)
        return self.wait(rows)

    def complete(self) -> "Script":
        """The mission is complete from the next row on."""
        self.now["success"] = True
        return self

    def tilt(self, *vector: float) -> "Script":
        """The hand points down but for a rotation vector from the next row on."""
        self.now["ee_quat"] = turned(DOWN, *vector)
        return self

    def let_go(self, rows: int = 5) -> "Script":
        """The fingers open."""
        return self._lose(OPEN, rows)

    def slip(self, rows: int = 5) -> "Script":
        """What was held is lost, the fingers close on nothing."""
        return self._lose(CLOSED, rows)

    def open(self, rows: int = 5) -> "Script":
        self.now["width"] = OPEN
        return self.wait(rows)

    def put(
        self, name: str, *to: float, turn: Sequence[float] = (0.0, 0.0, 0.0), rows: int = 1
    ) -> "Script":
        """An object is somewhere else, and turned, from the next row on."""
        self.now["objects"][name] = np.array(to, dtype=float)
        self.now["quats"][name] = turned(self.now["quats"][name], *turn)
        return self.wait(rows)

    def slide(
        self, name: str, *to: float, turn: Sequence[float] = (0.0, 0.0, 0.0), rows: int = 10
    ) -> "Script":
        """An object goes somewhere on its own, pushed or falling."""
        start, turn = self.now["objects"][name], np.array(turn) / rows
        for row in range(1, rows + 1):
            self.put(name, *(start + (np.array(to) - start) * row / rows), turn=turn)
        return self

    @property
    def row(self) -> int:
        """The row written last."""
        return len(self.rows) - 1

    @property
    def trace(self) -> Trace:
        n = len(self.rows)
        return Trace(
            dt=0.05,
            actions=np.zeros((n - 1, 7)),
            ee_pos=np.array([row["ee_pos"] for row in self.rows]),
            ee_quat=np.array([row["ee_quat"] for row in self.rows]),
            gripper_width=np.array([row["width"] for row in self.rows]),
            object_pos={k: np.array([row["objects"][k] for row in self.rows]) for k in self.names},
            object_quat={k: np.array([row["quats"][k] for row in self.rows]) for k in self.names},
            joint_pos={},
            contact=np.array(
                [[row["touching"][k] for k in self.names] for row in self.rows], dtype=bool
            ).reshape(n, len(self.names), 2),
            success=np.array([row["success"] for row in self.rows]),
            support_z=TABLE,
            objects=self.facts,
            regions=self.regions,
        )

    def _lose(self, width: float, rows: int) -> "Script":
        self.now["width"] = width
        self.now["touching"] = {name: (False, False) for name in self.names}
        return self.wait(rows)


def box(half: Sequence[float] = (0.03, 0.03, 0.05), centre: Sequence[float] = (0.0, 0.0, 0.0)):
    return ObjectFacts("box", np.array(half), np.array(centre), lowest_offset=-half[2])


def pick_and_place(height: float = 0.3, to: Sequence[float] = (0.0, 0.2)) -> Script:
    """Take the mug at (0, 0), lift it to `height` above the table, put it down.

    The hand starts at row 0; grasp at row 11, release at row 46.
    """
    return (
        Script({"mug": (0.0, 0.0, 0.95), "plate": (0.0, 0.2, 0.91)})
        .move(0.0, 0.0, 0.95)
        .grip("mug")
        .move(0.0, 0.0, TABLE + height)
        .move(*to, TABLE + height)
        .move(*to, 0.95)
        .let_go()
        .move(*to, 1.1)
    )


def nothing_happens(n_steps: int, objects: Sequence[str] = ("mug", "plate")) -> Trace:
    script = Script({name: (0.1 * i, 0.0, 0.95) for i, name in enumerate(objects)})
    return script.wait(n_steps).trace
