import msgpack
import numpy as np
import pytest

from perm.policies.codec import pack, unpack


@pytest.mark.parametrize("dtype", ["u1", "<f4", ">f4", "<f8", "?", "<i8"])
def test_arrays_come_back_with_dtype_shape_and_bytes(dtype: str) -> None:
    array = np.arange(24).reshape(2, 3, 4).astype(dtype)
    back = unpack(pack({"a": array[:, ::-1]}))["a"]
    assert back.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(back, array[:, ::-1])
    back[:] = 0  # not a read-only view of the message


def test_arrays_are_written_as_openpi_reads_them() -> None:
    written = msgpack.unpackb(pack({"a": np.array([[1, 2]], dtype=np.uint8)}))
    assert written == {
        "a": {b"__ndarray__": True, b"data": b"\x01\x02", b"dtype": "|u1", b"shape": [1, 2]}
    }


def test_numpy_scalars_keep_their_type() -> None:
    back = unpack(pack({"ms": np.float32(1.5), "n": np.int16(3)}))
    assert back == {"ms": np.float32(1.5), "n": np.int16(3)}
    assert isinstance(back["ms"], np.float32)
    assert isinstance(back["n"], np.int16)


def test_keys_may_be_text_as_other_languages_write_them() -> None:
    array = {"__ndarray__": True, "data": b"\x01\x02", "dtype": "|u1", "shape": [2]}
    back = unpack(msgpack.packb({"actions": array, "note": "two"}))
    np.testing.assert_array_equal(back["actions"], [1, 2])
    assert back["note"] == "two"


def test_sentences_keep_every_byte() -> None:
    sentence = "Task: Stell die Schüssel ab.  Preference: 慢一点 🥣. "
    assert unpack(pack({"prompt": sentence}))["prompt"] == sentence


@pytest.mark.parametrize(
    "array", [np.array([None]), np.array([1j]), np.zeros(1, dtype=[("x", "f4")])]
)
def test_what_another_program_cannot_read_is_not_sent(array: np.ndarray) -> None:
    with pytest.raises(ValueError, match="cannot be sent"):
        pack({"a": array})


def test_other_objects_are_not_sent() -> None:
    with pytest.raises(TypeError, match="A set cannot be sent"):
        pack({"a": {1}})


def _array(**changes: object) -> bytes:
    fields = {"__ndarray__": True, "data": b"\x01\x02", "dtype": "|u1", "shape": [2], **changes}
    return msgpack.packb({"a": {key: value for key, value in fields.items() if value is not None}})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"<html>404</html>",
        pack({"a": 1}) + b"\x00",
        _array(dtype="|O"),
        _array(dtype="c16"),
        _array(dtype="no such dtype"),
        _array(dtype=None),
        _array(shape=[3]),
        _array(data="text"),
    ],
)
def test_foreign_bytes_are_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpack(data)
