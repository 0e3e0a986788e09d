"""One attempt of the expert in a suite check: one line, all that its tables and page read."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from perm.core.errors import PermError
from perm.metrics.calibration import EventCalibration
from perm.metrics.keys import check_keys

TRIALS_FILE = "trials.jsonl"
KINDS = ("plan", "grasp", "slip", "place", "knock", "other")
"""Why attempts fail: no plan; nothing in the hand; lost on the way; left in a wrong place or
manner; something else was moved; anything else, such as an error."""


@dataclass(frozen=True)
class Reading:
    """What was measured of one preference.

    Attributes:
        event: The moment that decided.
        raw: The quantity, or None where it could not be measured.
        unit: Unit of `raw`.
        label: Satisfaction label d, not gated by success, or None without a scale.
        scale: What the quantity is worth, or None.
    """

    event: str
    raw: float | None
    unit: str
    label: float | None
    scale: EventCalibration | None

    @property
    def position(self) -> float | None:
        """Where `raw` lies between the anchors, 0 to 100 and beyond; None without a scale."""
        if self.raw is None or self.scale is None:
            return None
        return self.scale.position(self.raw)


@dataclass(frozen=True)
class Trial:
    """A single attempt. The fields are the keys of the line, in this order.

    Attributes:
        task_id: Task or twin.
        index: Its place among the trials of the task.
        init_index, seed: Where it started, and what its draws came from.
        success: Whether it settled and left everything else where it was.
        cause: Why it failed, in words; else "".
        kind: One of `KINDS`; "" for a success.
        steps: Number of actions, or None for an episode that broke.
        wall_s: Seconds it took.
        planning_s: Seconds of planning among them, or None where they are not known.
        readings: By preference, of an episode that did not break.
    """

    task_id: str
    index: int
    init_index: int
    seed: int
    success: bool
    cause: str
    kind: str
    steps: int | None
    wall_s: float
    planning_s: float | None
    readings: Mapping[str, Reading]

    @property
    def key(self) -> tuple[str, int]:
        """Task and index: no two trials of a check share them."""
        return self.task_id, self.index


def to_json(trial: Trial) -> str:
    """Return the trial as one line, without the line break."""
    return json.dumps(asdict(trial), ensure_ascii=False, allow_nan=False)


def from_json(text: str) -> Trial:
    """Return the trial of one line.

    Raises:
        PermError: The line is not a trial, or has other fields than one.
    """
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise PermError(f"A trial is not JSON: {error}.") from error
    if not isinstance(values, dict):
        raise PermError(f"A trial is a JSON object, not {type(values).__name__}.")
    check_keys("trial", values, [field.name for field in fields(Trial)])
    values["readings"] = {name: _reading(one) for name, one in values["readings"].items()}
    return Trial(**values)


def choose_shown(trials: Iterable[Trial]) -> tuple[Trial, ...]:
    """Return what is worth a look: of each task the first success, and the first failure a kind."""
    first: dict[tuple[str, str], Trial] = {}
    for trial in sorted(trials, key=lambda one: one.key):
        first.setdefault((trial.task_id, trial.kind), trial)
    return tuple(first.values())


def _reading(values: Mapping[str, Any]) -> Reading:
    scale = values["scale"]
    if scale is not None:
        scale = EventCalibration(**{**scale, "cuts": tuple(scale["cuts"])})
    return Reading(**{**values, "scale": scale})
