"""What was written comes back; what is damaged or foreign is told."""

import os
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from perm.core.errors import PermError
from perm.data.reader import read_demo_file
from perm.data.writer import write_demo_file
from tests.data.demos import DIGEST, PROMPT, TASK, TWIN, make_demo, plain


@pytest.fixture
def five(tmp_path: Path) -> Path:
    path = tmp_path / "five_demo.hdf5"
    write_demo_file(path, (make_demo(i, image_size=16) for i in range(5)), 5)
    return path


def test_a_demo_comes_back_bit_for_bit(tmp_path: Path) -> None:
    demo = make_demo(image_size=16)
    write_demo_file(tmp_path / "demo.hdf5", [demo], 1)
    with read_demo_file(tmp_path / "demo.hdf5") as file:
        assert plain(file.demo(0, images=True)) == plain(demo)


def test_large_arrays_come_back_bit_for_bit(tmp_path: Path) -> None:
    demo = make_demo(n_steps=120)
    write_demo_file(tmp_path / "demo.hdf5", [demo], 1)
    with read_demo_file(tmp_path / "demo.hdf5") as file:
        assert file.file["data/demo_0/states"].compression == "gzip"
        assert plain(file.demo(0)) == plain(demo)


def test_a_demo_without_images_comes_back(tmp_path: Path) -> None:
    demo = make_demo(image_size=0)
    write_demo_file(tmp_path / "demo.hdf5", [demo], 1)
    with read_demo_file(tmp_path / "demo.hdf5") as file:
        assert plain(file.demo(0, images=True)) == plain(demo)


def test_a_demo_that_is_not_calibrated_comes_back(tmp_path: Path) -> None:
    write_demo_file(tmp_path / "demo.hdf5", [replace(make_demo(), calibrations={})], 1)
    with read_demo_file(tmp_path / "demo.hdf5") as file:
        assert file.demo(0).calibrations == {}


def test_a_scene_without_objects_comes_back(tmp_path: Path) -> None:
    demo = make_demo()
    trace = demo.episode.trace
    assert trace is not None
    empty = replace(
        trace,
        object_pos={},
        object_quat={},
        joint_pos={},
        objects={},
        contact=np.zeros((7, 0, 2), bool),
    )
    demo = replace(demo, episode=replace(demo.episode, trace=replace(empty, preferred=None)))
    write_demo_file(tmp_path / "demo.hdf5", [demo], 1)
    with read_demo_file(tmp_path / "demo.hdf5") as file:
        assert plain(file.demo(0)) == plain(demo)


def test_the_seconds_it_took_are_not_stored(tmp_path: Path) -> None:
    write_demo_file(tmp_path / "demo.hdf5", [make_demo(wall_s=12.5)], 1)
    with read_demo_file(tmp_path / "demo.hdf5") as file:
        assert file.demo(0).episode.wall_s == 0.0


def test_the_order_of_objects_is_that_of_the_contact_columns(tmp_path: Path) -> None:
    write_demo_file(tmp_path / "demo.hdf5", [make_demo()], 1)
    with read_demo_file(tmp_path / "demo.hdf5") as file:
        trace = file.demo(0).episode.trace
        assert trace is not None
        assert trace.object_names == ("plate_1", "akita_black_bowl_1")


def test_demo_10_comes_after_demo_9(tmp_path: Path) -> None:
    write_demo_file(tmp_path / "demo.hdf5", (make_demo(i, n_steps=2) for i in range(12)), 12)
    with read_demo_file(tmp_path / "demo.hdf5") as file:
        assert list(file.file["data"])[:3] == ["demo_0", "demo_1", "demo_10"]
        assert [demo.episode.identity.init_index for demo in file] == list(range(12))


def test_images_are_read_only_when_asked_for(five: Path) -> None:
    with read_demo_file(five) as file:
        assert file.demo(0).images == {}
        assert file.demo(0, images=True).images["agentview"].shape == (6, 16, 16, 3)


def test_the_facts_of_the_file_need_no_demo(five: Path) -> None:
    with read_demo_file(five) as file:
        facts = file.facts
    assert (facts.task_id, facts.twin, facts.layout_digest) == (TASK, TWIN, DIGEST)
    assert (facts.prompt, facts.image_size) == (PROMPT, 16)


def test_an_index_out_of_range_names_what_is_there(five: Path) -> None:
    with (
        read_demo_file(five) as file,
        pytest.raises(PermError, match=r"has no demo_5: it holds demo_0 \.\. demo_4"),
    ):
        file.demo(5)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(PermError, match=r"There is no file .*gone\.hdf5"),
        read_demo_file(tmp_path / "gone.hdf5"),
    ):
        pass


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.hdf5"
    path.write_text("not at all")
    with pytest.raises(PermError, match="is not an HDF5 file"), read_demo_file(path):
        pass


def test_a_foreign_hdf5_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.hdf5"
    with h5py.File(path, "w") as file:
        file["data/demo_0/actions"] = np.zeros((4, 7))
        file["mask/train"] = [b"demo_0"]
    with (
        pytest.raises(PermError, match="not one of perm's: it holds /data, /mask"),
        read_demo_file(path),
    ):
        pass


def test_a_foreign_file_whose_data_is_no_group_is_refused(five: Path) -> None:
    with h5py.File(five, "r+") as file:
        del file["data"]
        file["data"] = np.zeros(3)
    message = "not one of perm's: it holds /data, /perm; a group /data and"
    with pytest.raises(PermError, match=message), read_demo_file(five):
        pass


def test_a_file_without_demos_is_refused(five: Path) -> None:
    with h5py.File(five, "r+") as file:
        for name in list(file["data"]):
            del file["data"][name]
    message = r"five_demo\.hdf5 holds no demonstrations\."
    with pytest.raises(PermError, match=message), read_demo_file(five):
        pass


def test_a_missing_demo_is_damage_and_the_others_are_named(five: Path) -> None:
    with h5py.File(five, "r+") as file:
        del file["data/demo_1"]
        file.move("data/demo_4", "data/demo_999999999999")
    with (
        pytest.raises(
            PermError,
            match=r"demonstrations are missing\. Intact: demo_0, demo_2 \.\. demo_3, "
            r"demo_999999999999 of 4\.",
        ),
        read_demo_file(five),
    ):
        pass


def test_a_newer_format_is_refused(five: Path) -> None:
    with h5py.File(five, "r+") as file:
        file["perm"].attrs["format_version"] = 2
    with pytest.raises(PermError, match="has format 2; this perm reads 1"), read_demo_file(five):
        pass


def test_a_truncated_file_tells_which_demos_are_intact(five: Path) -> None:
    with h5py.File(five, "r") as file:
        first_lost = file["data/demo_3/obs/agentview_rgb"].id.get_chunk_info(0).byte_offset
    os.truncate(five, first_lost)
    with (
        pytest.raises(
            PermError,
            match=r"is damaged: .*truncated.* Intact: demo_0 \.\. demo_2 of 5\. "
            r"Not intact: demo_3 \.\. demo_4 \(demo_3: .+\)",
        ),
        read_demo_file(five),
    ):
        pass


def test_a_file_cut_by_one_byte_loses_at_most_its_last_demo(five: Path) -> None:
    os.truncate(five, five.stat().st_size - 1)
    with (
        pytest.raises(PermError, match=r"Intact: demo_0 \.\. demo_[34] of 5"),
        read_demo_file(five),
    ):
        pass


def test_a_file_of_which_nothing_is_left_says_so(five: Path) -> None:
    os.truncate(five, 64)
    with pytest.raises(PermError, match=r"Nothing is intact"), read_demo_file(five):
        pass


def test_damage_inside_is_found_and_the_rest_is_readable(five: Path) -> None:
    with h5py.File(five, "r") as file:
        hit = file["data/demo_3/states"].id.get_offset()
    with five.open("r+b") as raw:
        raw.seek(hit)
        raw.write(b"\0" * 8)
    with read_demo_file(five) as file:
        assert plain(file.demo(4)) == plain(make_demo(4, image_size=16)) | {"images": {}}
        with pytest.raises(
            PermError,
            match=r"Intact: demo_0 \.\. demo_2, demo_4 of 5\. Not intact: demo_3 "
            r"\(demo_3: its checksum does not match\)",
        ):
            file.demo(3)


def test_a_black_frame_is_found_when_images_are_read(five: Path) -> None:
    with h5py.File(five, "r+") as file:
        file["data/demo_1/obs/agentview_rgb"][2] = 0
    with read_demo_file(five) as file:
        assert file.demo(1).images == {}
        with pytest.raises(PermError, match=r"checksum of obs/agentview_rgb does not match"):
            file.demo(1, images=True)


def test_damage_anywhere_is_either_told_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "demo.hdf5"
    demos = [make_demo(index, n_steps=3, image_size=16) for index in range(2)]
    write_demo_file(path, demos, 2)
    whole, told = path.read_bytes(), 0
    for start in np.random.default_rng(0).integers(0, len(whole) - 512, size=25):
        path.write_bytes(whole[:start] + b"\0" * 512 + whole[start + 512 :])
        try:
            with read_demo_file(path) as file:
                found = [plain(file.demo(index, images=True)) for index in range(2)]
        except PermError:
            told += 1
        else:
            assert found == [plain(demo) for demo in demos]
    assert told > 12
