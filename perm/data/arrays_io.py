"""How arrays and small records go into a group, the same way each time."""

import json
from collections.abc import Mapping
from typing import Any

import h5py
import numpy as np

from perm.core.arrays import AnyArray, ImageArray
from perm.data.checksum import array_digest
from perm.data.schema import CHECKSUM

PACK_FROM = 16384
"""Arrays of at least so many bytes are compressed; smaller ones would not shrink the file."""


def put_array(group: h5py.Group, name: str, array: AnyArray) -> None:
    """Write an array; booleans as uint8, which every reader understands."""
    data = np.asarray(array)
    if data.dtype == np.bool_:
        data = data.astype(np.uint8)
    packing: dict[str, Any] = {}
    if data.nbytes >= PACK_FROM:
        packing = {"chunks": data.shape, "compression": "gzip", "shuffle": True}
    group.create_dataset(name, data=data, track_times=False, **packing)


def put_images(group: h5py.Group, name: str, frames: ImageArray) -> None:
    """Write frames (T, H, W, 3), one a chunk, with their own checksum.

    gzip at level 1: every HDF5 library reads it without a plugin.
    """
    dataset = group.create_dataset(
        name,
        data=frames,
        chunks=(1, *frames.shape[1:]),
        compression="gzip",
        compression_opts=1,
        track_times=False,
    )
    dataset.attrs[CHECKSUM] = array_digest(frames)


def put_rows(group: h5py.Group, rows: Mapping[str, AnyArray]) -> None:
    """Write arrays by name, in the order of their names."""
    for name in sorted(rows):
        put_array(group, name, rows[name])


def get_rows(group: h5py.Group) -> dict[str, AnyArray]:
    """Read all arrays of a group."""
    return {name: group[name][()] for name in group}


def to_json(value: Any) -> str:
    """Return JSON of records and arrays; floats come back bit for bit."""
    return json.dumps(value, default=lambda array: array.tolist())


def from_json(text: Any) -> Any:
    """Return what `to_json` was given, arrays as lists."""
    return json.loads(text)
