"""Messages with arrays as bytes: msgpack with openpi's way of writing NumPy arrays.

An array is a map with the keys __ndarray__, data, dtype and shape; a NumPy scalar a map with
__npgeneric__, data and dtype. openpi writes these keys as bytes; servers in other languages
write text, so both are read.
"""

from collections.abc import Mapping
from typing import Any

import msgpack  # type: ignore[import-untyped]
import numpy as np

_REFUSED_KINDS = "OVc"
"""Python objects, records and complex numbers have no bytes that another program could read."""


def pack(message: Mapping[str, Any], *, text_keys: bool = False) -> bytes:
    """Return a message as bytes.

    Args:
        message: Arrays and plain data.
        text_keys: Whether arrays are described under keys of text, as vla-eval does.

    Raises:
        ValueError: An array has a dtype that cannot be sent.
        TypeError: A value is neither an array nor plain data.
    """
    encode = _encode_as_text if text_keys else _encode
    packed: bytes = msgpack.packb(message, default=encode)
    return packed


def unpack(data: bytes) -> Any:
    """Return the message that the bytes stand for; its arrays are writable.

    Raises:
        ValueError: The bytes are no such message.
    """
    try:
        return msgpack.unpackb(data, object_hook=_decode)
    except (TypeError, KeyError, msgpack.UnpackException) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def _encode(value: Any) -> dict[bytes, Any]:
    if not isinstance(value, np.ndarray | np.generic):
        raise TypeError(f"A {type(value).__name__} cannot be sent.")
    _check_kind(value.dtype)
    if isinstance(value, np.generic):
        return {b"__npgeneric__": True, b"data": value.item(), b"dtype": value.dtype.str}
    return {
        b"__ndarray__": True,
        b"data": value.tobytes(),
        b"dtype": value.dtype.str,
        b"shape": value.shape,
    }


def _encode_as_text(value: Any) -> dict[str, Any]:
    return {key.decode(): content for key, content in _encode(value).items()}


def _decode(item: dict[Any, Any]) -> Any:
    named = {key.decode() if isinstance(key, bytes) else key: item[key] for key in item}
    if "__ndarray__" in named:
        flat = np.frombuffer(named["data"], _checked_dtype(named["dtype"]))
        return flat.reshape(named["shape"]).copy()
    if "__npgeneric__" in named:
        return _checked_dtype(named["dtype"]).type(named["data"])
    return item


def _checked_dtype(name: Any) -> np.dtype[Any]:
    dtype: np.dtype[Any] = np.dtype(name)
    _check_kind(dtype)
    return dtype


def _check_kind(dtype: np.dtype[Any]) -> None:
    if dtype.kind in _REFUSED_KINDS:
        raise ValueError(f"Arrays of dtype {dtype} cannot be sent.")
