"""Why an attempt of the expert failed, as one of a few kinds."""

import numpy as np

from perm.core.arrays import IntArray
from perm.core.episode import Episode, Outcome
from perm.core.task import Task
from perm.core.trace import Trace
from perm.data.trial import KINDS

GAVE_UP = "gave up: "
"""How `Episode.stop` begins where the expert gave up; its cause follows."""
WIDTH_STEP = 0.003
"""Fingers whose distance has changed by more than this have moved [m]."""


def kind_of(task: Task, episode: Episode) -> str:
    """Return the kind of a failed attempt, one of `perm.data.trial.KINDS`.

    Args:
        task: What was tried.
        episode: An attempt that did not do the task.
    """
    if episode.outcome is Outcome.ERROR or episode.trace is None:
        return "other"
    if episode.stop.startswith(GAVE_UP):
        word = episode.stop.removeprefix(GAVE_UP).partition(":")[0]
        return word if word in KINDS else "other"
    if episode.stop == "settled":
        return "knock"
    return _kind_of_end(task, episode.trace)


def _kind_of_end(task: Task, trace: Trace) -> str:
    """Tell by the fingers what became of an episode that nobody gave up."""
    grasps = any(call.skill == "pick" for call in task.plan.calls)
    held = _rows_of_holding(task, trace)
    if not len(held):
        return "grasp" if grasps else "place"
    width = trace.gripper_width[held[-1] :] - trace.gripper_width[held[-1]]
    moved = np.flatnonzero(np.abs(width) > WIDTH_STEP)
    # Fingers that lost something close on nothing; those that let go of it open.
    return "slip" if len(moved) and width[moved[0]] < 0 else "place"


def _rows_of_holding(task: Task, trace: Trace) -> IntArray:
    """Return the rows at which both fingers touch something that the plan moves."""
    moved = {call.object for call in task.plan.calls}
    indices = [i for i, name in enumerate(trace.object_names) if name in moved]
    return np.flatnonzero(np.isin(trace.held, indices)).astype(np.int64)
