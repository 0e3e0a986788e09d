"""A kill loses the demonstration in progress at most, and nobody writes the same file twice."""

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import h5py
import pytest

from perm.core.errors import PermError
from perm.data.journal import (
    demo_path,
    existing_parts,
    merge,
    output_lock,
    parts_folder,
    write_part,
)
from perm.data.reader import read_demo_file
from perm.data.writer import write_demo_file
from tests.data.demos import make_demo, plain


@pytest.fixture
def final(tmp_path: Path) -> Path:
    return demo_path(tmp_path, "single/1-7_104")


def test_files_are_named_after_the_task(tmp_path: Path, final: Path) -> None:
    assert final == tmp_path / "single" / "1-7_104_demo.hdf5"
    assert parts_folder(final) == tmp_path / "single" / ".1-7_104.parts"
    twin = demo_path(tmp_path, "single/1-7_104.nopref")
    assert parts_folder(twin).name == ".1-7_104.nopref.parts"


def test_a_part_is_a_whole_file(final: Path) -> None:
    path = write_part(parts_folder(final), 7, make_demo(7, image_size=16))
    assert path.name == "demo_000007.hdf5"
    with read_demo_file(path) as file:
        assert plain(file.demo(0, images=True)) == plain(make_demo(7, image_size=16))


def test_the_merged_bytes_depend_on_the_demos_alone(tmp_path: Path) -> None:
    finals = []
    for run, order in enumerate(([0, 1, 2, 11], [11, 2, 0, 1])):
        final = demo_path(tmp_path / str(run), "single/1-7_104")
        folder = parts_folder(final)
        for index in order:
            write_part(folder, index, make_demo(index, image_size=16))
            if index == 2:  # an interruption in the middle of the second one, and a new start
                write_part(folder, index, make_demo(index, image_size=16))
        parts = existing_parts(folder)
        merge(dict(reversed(parts.items())) if run else parts, final)
        finals.append(final.read_bytes())
    assert finals[0] == finals[1]
    whole = tmp_path / "whole.hdf5"
    write_demo_file(whole, (make_demo(i, image_size=16) for i in (0, 1, 2, 11)), 4)
    assert finals[0] == whole.read_bytes()


def test_merged_demos_are_numbered_from_0_in_numeric_order(final: Path) -> None:
    folder = parts_folder(final)
    parts = {i: write_part(folder, i, make_demo(i, n_steps=2)) for i in (10, 9, 2)}
    merge(parts, final)
    with read_demo_file(final) as file:
        assert sorted(file.file["data"]) == ["demo_0", "demo_1", "demo_2"]
        assert [demo.episode.identity.init_index for demo in file] == [2, 9, 10]


def test_merging_nothing_is_refused(final: Path) -> None:
    with pytest.raises(PermError, match="at least one demonstration"):
        merge({}, final)


def test_a_folder_that_is_not_there_has_no_parts(tmp_path: Path) -> None:
    assert existing_parts(tmp_path / "nowhere") == {}


def test_an_unfinished_part_is_no_part_and_is_written_over(final: Path) -> None:
    folder = parts_folder(final)
    whole = write_part(folder, 0, make_demo(0)).read_bytes()
    unfinished = folder / ".demo_000001.hdf5.tmp"
    unfinished.write_bytes(whole[: len(whole) // 2])
    assert list(existing_parts(folder)) == [0]
    write_part(folder, 1, make_demo(1))
    assert list(existing_parts(folder)) == [0, 1]
    assert not unfinished.exists()


@pytest.mark.parametrize("damage", ["truncated", "foreign", "changed", "unsigned"])
def test_a_damaged_part_is_moved_aside_and_made_again(
    final: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder = parts_folder(final)
    write_part(folder, 0, make_demo(0))
    path = write_part(folder, 1, make_demo(1))
    if damage == "truncated":
        os.truncate(path, 1000)
    elif damage == "foreign":
        path.write_text("not HDF5")
    else:
        with h5py.File(path, "r+") as file:
            if damage == "changed":
                file["data/demo_0/states"][0] = 0
            else:
                del file["data/demo_0"].attrs["checksum"]
    with caplog.at_level(logging.WARNING):
        assert list(existing_parts(folder)) == [0]
    assert "demo_000001.hdf5" in caplog.text
    assert "It will be made again." in caplog.text
    assert (folder / "demo_000001.hdf5.damaged").exists()
    assert not path.exists()


def test_a_killed_writer_loses_one_demo_at_most(final: Path) -> None:
    folder = parts_folder(final)
    writer = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; from itertools import count\n"
            "from perm.data.journal import write_part; from tests.data.demos import make_demo\n"
            "for i in count():\n"
            "    write_part(Path(sys.argv[1]), i, make_demo(i, n_steps=20, image_size=64))\n"
            "    print(i, flush=True)\n",
            str(folder),
        ],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        text=True,
    )
    assert writer.stdout is not None
    finished = [int(writer.stdout.readline()) for _ in range(3)]
    writer.send_signal(signal.SIGKILL)
    finished += [int(line) for line in writer.stdout]
    writer.wait()
    parts = existing_parts(folder)
    assert list(parts)[: len(finished)] == finished
    merge(parts, final)
    with read_demo_file(final) as file:
        assert len(file) == len(parts)


def test_a_final_file_appears_complete_or_not_at_all(final: Path) -> None:
    folder = parts_folder(final)
    parts = {i: write_part(folder, i, make_demo(i)) for i in range(2)}
    merge(parts, final)
    before = final.read_bytes()
    os.truncate(parts[1], 1000)
    with pytest.raises(PermError, match=r"demo_000001\.hdf5 is damaged"):
        merge(parts, final)
    assert final.read_bytes() == before
    assert sorted(path.name for path in final.parent.iterdir()) == [
        ".1-7_104.parts",
        "1-7_104_demo.hdf5",
    ]


def test_a_second_generator_is_refused_and_told_which_file(final: Path) -> None:
    context = multiprocessing.get_context("spawn")
    held, done = context.Event(), context.Event()
    first = context.Process(target=_hold, args=(final, held, done))
    first.start()
    try:
        assert held.wait(30)
        with (
            pytest.raises(
                PermError,
                match=rf"1-7_104_demo\.hdf5 is being made by process {first.pid}\. Wait until",
            ),
            output_lock(final),
        ):
            pass
    finally:
        done.set()
        first.join()
    with output_lock(final):
        assert final.parent.is_dir()


def test_two_tasks_in_one_folder_do_not_lock_each_other(tmp_path: Path) -> None:
    with (
        output_lock(demo_path(tmp_path, "single/1-7_104")),
        output_lock(demo_path(tmp_path, "single/1-7_104.nopref")),
    ):
        assert len(list((tmp_path / "single").iterdir())) == 2


def test_a_reader_is_not_in_the_way_of_the_generator(final: Path) -> None:
    part = write_part(parts_folder(final), 0, make_demo(0))
    merge({0: part}, final)
    with read_demo_file(final) as file, output_lock(final):
        merge({0: part}, final)
        assert plain(file.demo(0)) == plain(make_demo(0))


def _hold(final: Path, held: "multiprocessing.Event", done: "multiprocessing.Event") -> None:
    with output_lock(final):
        held.set()
        done.wait(60)
