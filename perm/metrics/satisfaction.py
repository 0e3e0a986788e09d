"""From what happened to a verdict: measurement, score, label."""

from collections.abc import Mapping, Sequence

import numpy as np

from perm.core.arrays import FloatArray
from perm.core.errors import PermError
from perm.core.satisfaction import Measurement, SatisfactionScore
from perm.core.task import Preference, Task
from perm.core.trace import Trace
from perm.metrics.calibration import MATCH, Calibration, EventCalibration
from perm.metrics.measurements import measure


def judge(
    preference: Preference, trace: Trace, calibration: Calibration | None
) -> SatisfactionScore:
    """Return how well a preference was kept in an episode, whether or not the task succeeded.

    Of the measured events that are calibrated, the last one in time decides. A choice (unit
    "match") needs no calibration. Without a calibration there is a raw quantity, but no score.

    Args:
        preference: What was asked.
        trace: What happened; a prefix gives the verdict so far.
        calibration: What the raw quantity is worth in this task, or None.

    Raises:
        PermError: The metric is unknown, or does not fit the scene or the calibration.
    """
    measured = measure(preference.metric, trace)
    known = [m for m in measured if m.raw is not None]
    scored = [m for m in known if _scale(m, calibration) is not None]
    decider = (scored or known or measured)[-1]
    scale = _scale(decider, calibration)
    if decider.raw is None or scale is None:
        reason = decider.reason if decider.raw is None else _unscored(known, calibration)
        return SatisfactionScore(
            preference.id, decider.raw, decider.unit, None, None, decider.step, reason
        )
    return SatisfactionScore(
        preference=preference.id,
        raw=decider.raw,
        unit=decider.unit,
        value=scale.score(decider.raw),
        label=scale.label(decider.raw),
        step=decider.step,
        reason=f"{decider.event}: {decider.reason}" if decider.reason else decider.event,
    )


def judge_all(
    task: Task, trace: Trace, calibrations: Mapping[str, Calibration | None]
) -> tuple[SatisfactionScore, ...]:
    """Return the verdicts on all measured preferences of a task, in their order.

    Args:
        task: What was played.
        trace: What happened.
        calibrations: By preference id; one that is missing is not calibrated.

    Raises:
        PermError: As for `judge`.
    """
    return tuple(judge(p, trace, calibrations.get(p.id)) for p in task.measured)


def satisfaction_curve(
    preference: Preference,
    trace: Trace,
    calibration: Calibration | None,
    rows: Sequence[int] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return how raw quantity and score stood at some rows, as if the episode had ended there.

    Args:
        preference: What was asked.
        trace: What happened.
        calibration: As for `judge`.
        rows: Which rows, N of them; None for all T + 1.

    Returns:
        The raw quantity and the score 0 to 100, both (N,), NaN where there is none. Row t uses
        rows 0 to t only.
    """
    chosen = range(trace.n_steps + 1) if rows is None else rows
    verdicts = [judge(preference, trace.until(t), calibration) for t in chosen]
    raw = [np.nan if v.raw is None else v.raw for v in verdicts]
    value = [np.nan if v.value is None else v.value for v in verdicts]
    return np.array(raw), np.array(value)


def _scale(measured: Measurement, calibration: Calibration | None) -> EventCalibration | None:
    if measured.unit == MATCH.unit:
        return MATCH
    scale = None if calibration is None else calibration.events.get(measured.event)
    if scale is not None and scale.unit != measured.unit:
        raise PermError(
            f"{measured.event} is measured in {measured.unit}, but calibrated in {scale.unit}; "
            "calibrate the task again."
        )
    return scale


def _unscored(known: Sequence[Measurement], calibration: Calibration | None) -> str:
    if calibration is None:
        return "not calibrated"
    causes = [f"{m.event}: {calibration.not_scored.get(m.event, 'Not calibrated.')}" for m in known]
    return f"no scored event yet; {' '.join(causes)}"
