"""From one attempt of the expert to its line."""

import math

from perm.core.satisfaction import Measurement
from perm.data.trial import Reading, Trial
from perm.metrics.calibration import MATCH, Calibration, EventCalibration
from perm.metrics.measurements import measure
from perm.pipeline.trials_failure import kind_of
from perm.pipeline.workshop import Attempt, Order, why_failed


def trial_of(order: Order, done: Attempt) -> Trial:
    """Return what an attempt comes to.

    Args:
        order: What was tried.
        done: What came of it.
    """
    task, episode = order.task, done.episode
    cause = why_failed(task, episode)
    return Trial(
        task_id=task.id,
        index=order.index,
        init_index=order.init_index,
        seed=episode.identity.seed,
        success=not cause,
        cause=cause,
        kind=kind_of(task, episode) if cause else "",
        steps=None if episode.trace is None else episode.trace.n_steps,
        wall_s=episode.wall_s,
        planning_s=None if math.isnan(done.planning_s) else done.planning_s,
        readings=_readings(order, done),
    )


def broken_trial(order: Order, why: str) -> Trial:
    """Return the trial that was not played to an end, with what broke it in words."""
    identity = order.identity(0)
    return Trial(
        task_id=identity.task_id,
        index=order.index,
        init_index=identity.init_index,
        seed=identity.seed,
        success=False,
        cause=f"error: {why}",
        kind="other",
        steps=None,
        wall_s=0.0,
        planning_s=None,
        readings={},
    )


def _readings(order: Order, done: Attempt) -> dict[str, Reading]:
    """Return what was measured, with the scale of the moment that decided."""
    trace = done.episode.trace
    if trace is None:
        return {}
    found = {}
    for preference, score in zip(order.task.measured, done.scores, strict=True):
        decider = next(
            one
            for one in reversed(measure(preference.metric, trace))
            if (one.raw, one.step) == (score.raw, score.step)
        )
        scale = _scale(decider, order.calibrations.get(preference.id))
        found[preference.id] = Reading(decider.event, score.raw, score.unit, score.label, scale)
    return found


def _scale(decider: Measurement, known: Calibration | None) -> EventCalibration | None:
    if decider.unit == MATCH.unit:
        return MATCH
    return None if known is None else known.events.get(decider.event)
