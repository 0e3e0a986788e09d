"""The start of an episode in a group of the file, and back."""

import h5py

from perm.core.episode import Start
from perm.data.arrays_io import from_json, get_rows, put_array, put_rows, to_json


def write_start(group: h5py.Group, start: Start) -> None:
    """Write a start into an empty group."""
    group.attrs["layout_digest"] = start.layout_digest
    group.attrs["joints"] = to_json(start.joints)
    put_array(group, "state", start.state)
    put_array(group, "warmstart", start.warmstart)
    put_rows(group.create_group("fixture_pos"), start.fixture_pos)
    put_rows(group.create_group("fixture_quat"), start.fixture_quat)


def read_start(group: h5py.Group) -> Start:
    """Return the start that was written into a group."""
    return Start(
        state=group["state"][()],
        warmstart=group["warmstart"][()],
        fixture_pos=get_rows(group["fixture_pos"]),
        fixture_quat=get_rows(group["fixture_quat"]),
        joints=tuple(from_json(group.attrs["joints"])),
        layout_digest=group.attrs["layout_digest"],
    )
