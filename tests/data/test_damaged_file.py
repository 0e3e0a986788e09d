"""Damage that would keep HDF5 reading for ever is seen before HDF5 looks."""

from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.data.damaged_file import endless_heaps, open_damaged
from perm.data.reader import read_demo_file
from perm.data.writer import write_demo_file
from tests.data.demos import make_demo

HEAP = b"GCOL\x01\0\0\0"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "demo.hdf5"
    write_demo_file(path, (make_demo(i, n_steps=2) for i in range(3)), 3)
    return path


def test_an_intact_file_has_no_endless_heap(path: Path) -> None:
    assert HEAP in path.read_bytes()
    assert endless_heaps(path) == []


def test_a_zeroed_object_header_makes_a_heap_endless(path: Path) -> None:
    content = bytearray(path.read_bytes())
    heap = content.rindex(HEAP)
    content[heap + 16 : heap + 32] = bytes(16)
    path.write_bytes(content)
    assert endless_heaps(path) == [heap]
    with (
        pytest.raises(
            PermError,
            match=r"texts are lost\. Intact: demo_0 \.\. demo_1 of 3\. Not intact: demo_2",
        ),
        read_demo_file(path),
    ):
        pass


def test_a_heap_that_is_cut_off_is_endless(path: Path) -> None:
    content = path.read_bytes()
    heap = content.rindex(HEAP)
    path.write_bytes(content[: heap + 8])
    assert endless_heaps(path) == [heap]
    path.write_bytes(content[: heap + 20])
    assert endless_heaps(path) == [heap]


def test_what_is_missing_reads_as_zeros(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with open_damaged(path) as file:
        assert sorted(file["data"]) == ["demo_0", "demo_1", "demo_2"]
