"""The Trace in a group of the file, and back."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import h5py
import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.core.trace import ObjectFacts, RegionFacts, Trace
from perm.data.arrays_io import from_json, get_rows, put_rows, to_json

BY_NAME = ("object_pos", "object_quat", "joint_pos")
"""Fields that hold one array for each object or joint: a group in the file."""


def trace_rows(trace: Trace) -> dict[str, AnyArray]:
    """Return the arrays of a trace with T + 1 rows, by their path in the group."""
    rows: dict[str, AnyArray] = {
        "ee_pos": trace.ee_pos,
        "ee_quat": trace.ee_quat,
        "gripper_width": trace.gripper_width,
        "contact": trace.contact,
        "success": trace.success,
    }
    if trace.preferred is not None:
        rows["preferred"] = trace.preferred
    for name in BY_NAME:
        rows |= {f"{name}/{key}": array for key, array in getattr(trace, name).items()}
    return rows


def write_trace(group: h5py.Group, trace: Trace, actions: h5py.Dataset) -> None:
    """Write a trace into an empty group.

    Args:
        group: Where to.
        trace: What to write.
        actions: The trace's actions, already in the file: linked, not stored again.
    """
    for name in BY_NAME:
        group.create_group(name)
    put_rows(group, trace_rows(trace))
    group["actions"] = actions
    group.attrs["dt"] = trace.dt
    group.attrs["support_z"] = trace.support_z
    # As lists of pairs: the order of the objects is the order of the contact columns.
    group.attrs["objects"] = to_json([[k, asdict(v)] for k, v in trace.objects.items()])
    group.attrs["regions"] = to_json([[k, asdict(v)] for k, v in trace.regions.items()])


def read_trace(group: h5py.Group) -> Trace:
    """Return the trace that was written into a group."""
    return Trace(
        dt=float(group.attrs["dt"]),
        actions=group["actions"][()],
        ee_pos=group["ee_pos"][()],
        ee_quat=group["ee_quat"][()],
        gripper_width=group["gripper_width"][()],
        object_pos=get_rows(group["object_pos"]),
        object_quat=get_rows(group["object_quat"]),
        joint_pos=get_rows(group["joint_pos"]),
        contact=group["contact"][()].astype(np.bool_),
        success=group["success"][()].astype(np.bool_),
        support_z=float(group.attrs["support_z"]),
        objects={k: _object(v) for k, v in from_json(group.attrs["objects"])},
        regions={k: _region(v) for k, v in from_json(group.attrs["regions"])},
        preferred=group["preferred"][()].astype(np.bool_) if "preferred" in group else None,
    )


def _object(record: Mapping[str, Any]) -> ObjectFacts:
    return ObjectFacts(
        category=record["category"],
        half_extents=_vector(record["half_extents"]),
        centre=_vector(record["centre"]),
        lowest_offset=record["lowest_offset"],
        rim=record["rim"],
        handle=None if record["handle"] is None else _vector(record["handle"]),
        tags=tuple(record["tags"]),
    )


def _region(record: Mapping[str, Any]) -> RegionFacts:
    return RegionFacts(
        pos=_vector(record["pos"]),
        quat=_vector(record["quat"]),
        size=_vector(record["size"]),
        parent=record["parent"],
        # Files from before regions could slide have neither.
        joint=record.get("joint"),
        axis=_vector(record["axis"]) if record.get("axis") else None,
    )


def _vector(numbers: list[float]) -> FloatArray:
    return np.array(numbers, dtype=np.float64)
