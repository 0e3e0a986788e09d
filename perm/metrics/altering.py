"""Changes of a trace by a known amount, each as if it had happened so.

All take a trace, the parameters of the metric that is to notice, and the amount.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from perm.core.arrays import FloatArray, IntArray
from perm.core.conventions import SIDES
from perm.core.errors import PermError
from perm.core.geometry import matrix_to_quat, quat_to_matrix, rotation_from_vector
from perm.core.task import MetricSpec
from perm.core.trace import Trace
from perm.metrics.grasping import ANY
from perm.metrics.measurements import measure
from perm.metrics.moments import (
    Carry,
    carries,
    carries_of_one,
    completion_row,
    descent_row,
    moves_while_carrying,
)

UP = np.array([0.0, 0.0, 1.0])
WAVES = 3
"""Turns there and back of a hand that turns more on its way."""


def slower(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace that stays at every row for so many more."""
    return _rows(trace, np.repeat(np.arange(trace.n_steps + 1), 1 + int(amount)))


def faster(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace without so many rows after each."""
    return _rows(trace, np.arange(0, trace.n_steps + 1, 1 + int(amount)))


def _rows(trace: Trace, rows: IntArray) -> Trace:
    """Return a trace of some rows, in this order."""
    return replace(
        trace,
        actions=trace.actions[np.minimum(rows[:-1], trace.n_steps - 1)],
        ee_pos=trace.ee_pos[rows],
        ee_quat=trace.ee_quat[rows],
        gripper_width=trace.gripper_width[rows],
        object_pos={name: pos[rows] for name, pos in trace.object_pos.items()},
        object_quat={name: quat[rows] for name, quat in trace.object_quat.items()},
        joint_pos={name: pos[rows] for name, pos in trace.joint_pos.items()},
        contact=trace.contact[rows],
        success=trace.success[rows],
        preferred=None if trace.preferred is None else trace.preferred[rows],
    )


def higher(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace in which the hand carries so much higher [m] wherever it goes sideways."""
    moves = moves_while_carrying(trace, params.get("object"))
    return _carried(trace, params, moves[:, None] * amount * UP)


def bent(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace in which each carry swings so far to the side [m]."""
    shift = np.zeros_like(trace.ee_pos)
    for carry in carries(trace, params.get("object")):
        path = trace.ee_pos[carry.grasp : carry.stop]
        aside = np.cross(UP, path[-1] - path[0])
        aside /= max(float(np.linalg.norm(aside)), 1e-9)
        share = np.linspace(0.0, np.pi, len(path))
        shift[carry.grasp : carry.stop] = amount * np.sin(share)[:, None] * aside
    return _carried(trace, params, shift)


def _carried(trace: Trace, params: Mapping[str, Any], shift: FloatArray) -> Trace:
    """Move the hand, and what it carries, by as much at each row, (T+1, 3) [m]."""
    pos = dict(trace.object_pos)
    for carry in carries(trace, params.get("object")):
        rows = slice(carry.grasp, carry.stop)
        moved = pos[carry.object].copy()
        moved[rows] += shift[rows]
        pos[carry.object] = moved
    return replace(trace, ee_pos=trace.ee_pos + shift, object_pos=pos)


def nearer(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace with the target so much nearer [m] to where it is passed most closely."""
    target = params["target"]
    row = measure(MetricSpec("target_distance", params), trace)[-1].step
    assert row is not None
    if target in trace.regions:
        region = trace.regions[target]
        moved = replace(region, pos=region.pos + amount * _towards(region.pos, trace.ee_pos[row]))
        return replace(trace, regions={**trace.regions, target: moved})
    pos = trace.object_pos[target]
    shifted = pos + amount * _towards(pos[row], trace.ee_pos[row])
    return replace(trace, object_pos={**trace.object_pos, target: shifted})


def _towards(start: FloatArray, end: FloatArray) -> FloatArray:
    away = end - start
    direction: FloatArray = away / max(float(np.linalg.norm(away)), 1e-9)
    return direction


def waved(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace in which the hand turns so far about the vertical [rad], there and back."""
    quat = trace.ee_quat.copy()
    for carry in carries(trace, params.get("object")):
        rows = range(carry.grasp, carry.stop)
        for row, share in zip(rows, np.linspace(0.0, 1.0, len(rows)), strict=True):
            yaw = amount * math.sin(2 * math.pi * WAVES * share)
            quat[row] = _turned(quat[row], yaw * UP)
    return replace(trace, ee_quat=quat)


def aside(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace with the hand so much farther to the asked side [m]."""
    return replace(trace, ee_pos=trace.ee_pos + amount * SIDES[params["side"]])


def to_handle(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace with the hand so much nearer to the handle of what it takes first [m]."""
    carry = _first(trace, params)
    facts = trace.objects[carry.object]
    assert facts.handle is not None
    rotation = quat_to_matrix(trace.object_quat[carry.object][carry.grasp])
    way = (rotation @ (facts.handle - facts.centre)) * np.array([1.0, 1.0, 0.0])
    return replace(trace, ee_pos=trace.ee_pos + amount * way / np.linalg.norm(way))


def tilted(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace in which the hand leans so much further [rad] to where it should come from."""
    side = params.get("from", ANY)
    back = -quat_to_matrix(trace.ee_quat[_first(trace, params).grasp])[:, 2]
    lean = back * np.array([1.0, 1.0, 0.0]) if side == ANY else SIDES[side]
    axis = np.cross(UP, lean / max(float(np.linalg.norm(lean)), 1e-9))
    quat = np.array([_turned(one, amount * axis) for one in trace.ee_quat])
    return replace(trace, ee_quat=quat)


def lifted(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace in which what is slid is lifted for a share of its way to the goal."""
    name = params["object"]
    until = completion_row(trace)
    way = np.cumsum(np.linalg.norm(np.diff(trace.object_pos[name][:, :2], axis=0), axis=1))
    pos = trace.object_pos[name].copy()
    lifts = np.r_[0.0, way] > (1 - amount) * way[until - 1]
    pos[: until + 1, 2] += 0.02 * lifts[: until + 1]
    return replace(trace, object_pos={**trace.object_pos, name: pos})


def dropped(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace that lets go from so much higher [m]."""
    carry = carries_of_one(trace, params.get("object"))[-1]
    assert carry.release is not None
    pos = trace.object_pos[carry.object].copy()
    pos[: carry.release + 1, 2] += amount
    return replace(trace, object_pos={**trace.object_pos, carry.object: pos})


def placed_turned(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace in which what is placed turns so much further [rad] in its final descent."""
    carry = carries_of_one(trace, params.get("object"))[-1]
    begin, end = descent_row(trace, carry), carry.stop - 1
    quat = trace.object_quat[carry.object].copy()
    turn = quat_to_matrix(quat[end]) @ quat_to_matrix(quat[begin]).T
    way = math.copysign(1.0, math.atan2(turn[1, 0] - turn[0, 1], turn[0, 0] + turn[1, 1]))
    for row in range(begin, len(quat)):
        share = min(1.0, (row - begin) / max(end - begin, 1))
        quat[row] = _turned(quat[row], share * amount * way * UP)
    return replace(trace, object_quat={**trace.object_quat, carry.object: quat})


def uprighted(trace: Trace, params: Mapping[str, Any], amount: float) -> Trace:
    """Return a trace in which what was laid down leans so much less [rad]."""
    found = carries_of_one(trace, params.get("object"))
    carry = found[-1]
    quat = trace.object_quat[carry.object].copy()
    axis = (quat_to_matrix(quat[-1]) @ quat_to_matrix(quat[found[0].grasp]).T)[:, 2]
    about = np.cross(axis, UP)
    about /= max(float(np.linalg.norm(about)), 1e-9)
    for row in range(carry.stop, len(quat)):
        quat[row] = _turned(quat[row], amount * about)
    return replace(trace, object_quat={**trace.object_quat, carry.object: quat})


def _first(trace: Trace, params: Mapping[str, Any]) -> Carry:
    found = carries_of_one(trace, params.get("object"))
    if not found:
        raise PermError("Nothing was picked up.")
    return found[0]


def _turned(quat: FloatArray, vector: FloatArray) -> FloatArray:
    """Return an orientation turned in the world frame by axis times angle (3,) [rad]."""
    return matrix_to_quat(rotation_from_vector(vector) @ quat_to_matrix(quat))
