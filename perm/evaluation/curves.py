"""How a preference stood while an episode went on: what the report draws under a video."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from perm.core.conventions import DT
from perm.core.task import Task
from perm.core.trace import Trace
from perm.data.atomic import completed
from perm.metrics.calibration import Calibration
from perm.metrics.satisfaction import judge, satisfaction_curve

STRIDE = 4
"""Every so many rows have a point: five a second."""


@dataclass(frozen=True)
class Curve:
    """One preference over an episode.

    Attributes:
        preference, name, unit: What was measured.
        decided_s: When the quantity that decides was reached [s]; None if it never was.
        times: Of the points [s].
        raw, score: As if the episode had ended there; None where there is none yet.
    """

    preference: str
    name: str
    unit: str
    decided_s: float | None
    times: tuple[float, ...]
    raw: tuple[float | None, ...]
    score: tuple[float | None, ...]


def curves_of(
    task: Task, trace: Trace, calibrations: Mapping[str, Calibration | None]
) -> tuple[Curve, ...]:
    """Return the curve of each measured preference."""
    rows = range(0, trace.n_steps + 1, STRIDE)
    found = []
    for preference in task.measured:
        known = calibrations.get(preference.id)
        verdict = judge(preference, trace, known)
        raw, score = satisfaction_curve(preference, trace, known, rows)
        found.append(
            Curve(
                preference=preference.id,
                name=preference.name,
                unit=verdict.unit,
                decided_s=None if verdict.step is None else verdict.step * DT,
                times=tuple(row * DT for row in rows),
                raw=tuple(None if np.isnan(x) else float(x) for x in raw),
                score=tuple(None if np.isnan(x) else float(x) for x in score),
            )
        )
    return tuple(found)


def curves_path(video: Path) -> Path:
    """Return where the curves of a filmed episode are."""
    return video.with_suffix(".json")


def write_curves(video: Path, curves: tuple[Curve, ...]) -> None:
    """Keep curves beside a video."""
    with completed(curves_path(video)) as path:
        path.write_text(json.dumps([asdict(curve) for curve in curves]), encoding="utf-8")


def read_curves(video: Path) -> tuple[Curve, ...]:
    """Return the curves beside a video; none if there are none, or they are damaged."""
    try:
        content = json.loads(curves_path(video).read_text(encoding="utf-8"))
        return tuple(_from_plain(one) for one in content)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return ()


def _from_plain(values: dict[str, Any]) -> Curve:
    lists = {key: tuple(values[key]) for key in ("times", "raw", "score")}
    return Curve(**{**values, **lists})
