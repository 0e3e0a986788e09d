"""What is intact in a damaged file can be saved."""

import os
from pathlib import Path

import h5py
import pytest

from perm.core.errors import PermError
from perm.data.check import check_structure
from perm.data.reader import read_demo_file
from perm.data.salvage import salvage
from perm.data.writer import write_demo_file
from tests.data.demos import make_demo, plain


def test_intact_demos_of_a_truncated_file_are_saved(tmp_path: Path) -> None:
    damaged, out = tmp_path / "cut.hdf5", tmp_path / "saved.hdf5"
    write_demo_file(damaged, (make_demo(i, image_size=16) for i in range(4)), 4)
    with h5py.File(damaged, "r") as file:
        lost = file["data/demo_2/obs/agentview_rgb"].id.get_chunk_info(0).byte_offset
    os.truncate(damaged, lost)
    assert salvage(damaged, out) == (0, 1)
    assert check_structure(out) == []
    with read_demo_file(out) as file:
        assert plain(file.demo(1, images=True)) == plain(make_demo(1, image_size=16))


def test_all_that_is_left_is_saved_whatever_its_numbers(tmp_path: Path) -> None:
    damaged, out = tmp_path / "gap.hdf5", tmp_path / "saved.hdf5"
    write_demo_file(damaged, (make_demo(i, image_size=16) for i in range(4)), 4)
    with h5py.File(damaged, "r+") as file:
        del file["data/demo_1"]
        file.move("data/demo_2", "data/demo_88888888888888")
    assert salvage(damaged, out) == (0, 3, 88888888888888)
    assert check_structure(out) == []
    with read_demo_file(out) as file:
        assert [demo.episode.identity.init_index for demo in file] == [0, 3, 2]


def test_a_file_whose_data_is_no_group_is_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "x.hdf5", "w") as file:
        file["data"] = [1.0, 2.0]
    with pytest.raises(PermError, match="Nothing is intact"):
        salvage(tmp_path / "x.hdf5", tmp_path / "saved.hdf5")


def test_a_file_without_anything_intact_is_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "cut.hdf5"
    write_demo_file(damaged, [make_demo()], 1)
    os.truncate(damaged, 64)
    with pytest.raises(PermError, match="Nothing is intact"):
        salvage(damaged, tmp_path / "saved.hdf5")
    assert not (tmp_path / "saved.hdf5").exists()
