"""Checksums over the content of a file, so that silent damage is found.

A demonstration's checksum covers every attribute and array of its group. Images count by their own
checksums, so that the rest can be verified without reading them.
"""

import hashlib
from typing import Any

import h5py
import numpy as np

from perm.core.arrays import AnyArray
from perm.data.schema import CHECKSUM, IMAGES, PERM, demo_name

H5_ERRORS = (OSError, KeyError, RuntimeError, ValueError, TypeError, MemoryError)
"""What h5py raises on a damaged file, depending on what was hit."""


def array_digest(array: AnyArray) -> str:
    """Return the sha256 (hex) of an array's type, shape and bytes."""
    sha = hashlib.sha256(f"{array.dtype.str}{array.shape}".encode())
    sha.update(np.ascontiguousarray(array).tobytes())
    return sha.hexdigest()


def sign_demo(demo: h5py.Group) -> None:
    """Store the checksum of a demonstration."""
    demo.attrs[CHECKSUM] = _demo_digest(demo)


def sign_file(file: h5py.File) -> None:
    """Store the checksum of the file: of its own attributes and the demonstrations' checksums."""
    file[PERM].attrs.modify(CHECKSUM, file_digest(file))


def file_digest(file: h5py.File) -> str:
    """Return the checksum of the file's attributes and its demonstrations' checksums."""
    lines = [*_attribute_lines(file["data"]), *_attribute_lines(file[PERM])]
    for name in sorted(file["data"]):
        lines.append(f"{name} {file['data'][name].attrs.get(CHECKSUM)}")
    return _digest(lines)


def why_damaged(file: h5py.File, index: int, images: bool = True) -> str:
    """Return why a demonstration is not as it was written, or "" if it is.

    Args:
        file: Where it is.
        index: Its number.
        images: Whether to read and verify its images, too.
    """
    try:
        demo = file["data"][demo_name(index)]
        if demo.attrs[CHECKSUM] != _demo_digest(demo):
            return "its checksum does not match"
        for name in IMAGES.values() if images else ():
            if name in demo and demo[name].attrs[CHECKSUM] != array_digest(demo[name][()]):
                return f"the checksum of {name} does not match"
    except H5_ERRORS as error:
        return tell(error)
    return ""


def tell(error: BaseException) -> str:
    """Return the text of what h5py raised, without the quotes that a KeyError adds."""
    return str(error).strip("'\"")


def _demo_digest(demo: h5py.Group) -> str:
    return _digest([*_attribute_lines(demo), *_member_lines(demo, "")])


def _member_lines(group: h5py.Group, prefix: str) -> list[str]:
    lines = []
    for name in sorted(group):
        member, path = group[name], prefix + name
        if isinstance(member, h5py.Group):
            lines += [f"{path}/ {line}" for line in _attribute_lines(member)]
            lines += _member_lines(member, f"{path}/")
        else:
            lines.append(f"{path} {member.attrs.get(CHECKSUM) or array_digest(member[()])}")
    return lines


def _attribute_lines(node: h5py.Group) -> list[str]:
    return [
        f"@{name} {_value_digest(node.attrs[name])}"
        for name in sorted(node.attrs)
        if name != CHECKSUM
    ]


def _value_digest(value: Any) -> str:
    if isinstance(value, str):
        return hashlib.sha256(value.encode()).hexdigest()
    return array_digest(np.asarray(value))


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
