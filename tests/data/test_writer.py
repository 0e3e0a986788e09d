"""The bytes of a file are a pure function of its demonstrations, and LIBERO's readers know it."""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from perm.core.episode import Outcome
from perm.core.errors import PermError
from perm.data.demo import Demo
from perm.data.writer import write_demo_file
from tests.data.demos import BDDL, DIGEST, MODEL, PROMPT, TASK, make_demo


@pytest.fixture
def file(tmp_path: Path) -> Iterator[h5py.File]:
    path = tmp_path / "demo.hdf5"
    write_demo_file(path, (make_demo(i, n_steps=4 + i, image_size=16) for i in range(3)), 3)
    with h5py.File(path, "r") as opened:
        yield opened


def test_two_files_of_the_same_demos_have_the_same_bytes(tmp_path: Path) -> None:
    write_demo_file(tmp_path / "a.hdf5", [make_demo(i, image_size=16) for i in (0, 1)], 2)
    time.sleep(1.1)  # HDF5 counts seconds: a stored time would show
    write_demo_file(tmp_path / "b.hdf5", [make_demo(i, image_size=16) for i in (0, 1)], 2)
    assert (tmp_path / "a.hdf5").read_bytes() == (tmp_path / "b.hdf5").read_bytes()


def test_bytes_depend_neither_on_seconds_nor_on_the_order_of_names(tmp_path: Path) -> None:
    demo = make_demo(image_size=16)
    other = replace(
        demo,
        episode=replace(
            demo.episode,
            wall_s=99.0,
            versions=dict(reversed(demo.episode.versions.items())),
            proprio=dict(reversed(demo.episode.proprio.items())),
        ),
        images=dict(reversed(demo.images.items())),
        attempts=dict(reversed(demo.attempts.items())),
    )
    write_demo_file(tmp_path / "a.hdf5", [demo], 1)
    write_demo_file(tmp_path / "b.hdf5", [other], 1)
    assert (tmp_path / "a.hdf5").read_bytes() == (tmp_path / "b.hdf5").read_bytes()


def test_the_attributes_are_liberos(file: h5py.File) -> None:
    data = file["data"].attrs
    assert (data["num_demos"], data["total"], data["tag"]) == (3, 4 + 5 + 6, "libero-v1")
    assert (data["macros_image_convention"], data["obs_alignment"]) == ("opengl", "pre_action")
    assert data["env_name"] == "Libero_Tabletop_Manipulation"
    assert data["bddl_file_name"] == "libero_goal/put_the_bowl_on_the_plate.bddl"
    assert data["bddl_file_content"] == BDDL
    assert json.loads(data["problem_info"]) == {
        "problem_name": "libero_tabletop_manipulation",
        "domain_name": "robosuite",
        "language_instruction": PROMPT,
    }
    env = json.loads(data["env_args"])
    assert (env["type"], env["env_name"]) == (1, "Libero_Tabletop_Manipulation")
    assert env["bddl_file"] == "libero_goal/put_the_bowl_on_the_plate.bddl"
    assert env["env_kwargs"]["camera_heights"] == 16
    assert env["env_kwargs"]["controller_configs"]["output_max"] == [0.05] * 3 + [0.5] * 3


def test_facts_of_the_file_are_beside_the_data(file: h5py.File) -> None:
    ours = file["perm"].attrs
    assert (ours["format_version"], ours["count"]) == (1, 3)
    assert (ours["task_id"], ours["layout_digest"]) == (TASK, DIGEST)
    assert sorted(file) == ["data", "perm"]
    assert sorted(file["data"]) == ["demo_0", "demo_1", "demo_2"]


@pytest.mark.parametrize(
    ("name", "dtype", "shape"),
    [
        ("actions", "float64", (5, 7)),
        ("states", "float64", (5, 45)),
        ("robot_states", "float64", (5, 9)),
        ("rewards", "uint8", (5,)),
        ("dones", "uint8", (5,)),
        ("obs/ee_states", "float64", (5, 6)),
        ("obs/ee_pos", "float64", (5, 3)),
        ("obs/ee_ori", "float64", (5, 3)),
        ("obs/gripper_states", "float64", (5, 2)),
        ("obs/joint_states", "float64", (5, 7)),
        ("obs/agentview_rgb", "uint8", (5, 16, 16, 3)),
        ("obs/eye_in_hand_rgb", "uint8", (5, 16, 16, 3)),
    ],
)
def test_a_demo_has_liberos_arrays(
    file: h5py.File, name: str, dtype: str, shape: tuple[int, ...]
) -> None:
    array = file["data/demo_1"][name]
    assert (array.dtype, array.shape) == (dtype, shape)


def test_a_demo_has_liberos_attributes(file: h5py.File) -> None:
    demo = file["data/demo_1"]
    assert demo.attrs["num_samples"] == 5
    assert demo.attrs["model_file"] == MODEL
    assert len(MODEL) > 64 * 1024
    assert np.array_equal(demo.attrs["init_state"], demo["states"][0])


def test_obs_are_those_before_the_action(file: h5py.File) -> None:
    demo = file["data/demo_1"]
    proprio = make_demo(1, n_steps=5).episode.proprio
    assert np.array_equal(demo["obs/joint_states"], proprio["robot0_joint_pos"][:5])
    assert np.array_equal(demo["perm/end/robot0_joint_pos"], proprio["robot0_joint_pos"][5])
    expected = [proprio[f"robot0_{name}"][:5] for name in ("gripper_qpos", "eef_pos", "eef_quat")]
    assert np.array_equal(demo["robot_states"], np.concatenate(expected, axis=1))


def test_actions_are_in_the_file_once(file: h5py.File) -> None:
    demo = file["data/demo_0"]
    assert demo["actions"] == demo["perm/trace/actions"]


def test_done_is_the_measured_outcome(tmp_path: Path) -> None:
    demo = make_demo()
    trace = demo.episode.trace
    assert trace is not None
    lost = replace(trace, success=np.zeros(7, dtype=bool))
    write_demo_file(tmp_path / "lost.hdf5", [_with(demo, trace=lost)], 1)
    write_demo_file(tmp_path / "kept.hdf5", [demo], 1)
    with h5py.File(tmp_path / "lost.hdf5") as file:
        assert file["data/demo_0/dones"][()].tolist() == [0, 0, 0, 0, 0, 0]
    with h5py.File(tmp_path / "kept.hdf5") as file:
        assert file["data/demo_0/dones"][()].tolist() == [0, 0, 0, 0, 0, 1]
        assert file["data/demo_0/rewards"][()].tolist() == [0, 0, 0, 0, 0, 1]


def test_images_are_compressed_one_frame_a_chunk(file: h5py.File) -> None:
    images = file["data/demo_0/obs/agentview_rgb"]
    assert (images.chunks, images.compression) == ((1, 16, 16, 3), "gzip")


def test_no_place_on_this_machine_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "demo.hdf5"
    write_demo_file(path, [make_demo()], 1)
    content = path.read_bytes()
    for place in (Path.home(), Path.cwd(), tmp_path, sys.prefix, "site-packages"):
        assert str(place).encode() not in content


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("model_xml", '<mesh file="/home/me/plate.stl"/>'),
        ("bddl_file", "/opt/libero/bddl_files/a.bddl"),
    ],
)
def test_a_place_on_this_machine_is_refused(tmp_path: Path, field: str, text: str) -> None:
    demo = replace(make_demo(), **{field: text})
    with pytest.raises(PermError, match="names places on this machine"):
        write_demo_file(tmp_path / "demo.hdf5", [demo], 1)


def test_an_edited_layout_is_named_after_its_task(tmp_path: Path) -> None:
    write_demo_file(tmp_path / "demo.hdf5", [replace(make_demo(), bddl_file="")], 1)
    with h5py.File(tmp_path / "demo.hdf5") as file:
        assert file["data"].attrs["bddl_file_name"] == "perm/single/1-7_104.bddl"


def test_a_refused_demo_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(PermError, match="ended as failure"):
        write_demo_file(tmp_path / "demo.hdf5", [make_demo(outcome=Outcome.FAILURE)], 1)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_survives_a_failed_write(tmp_path: Path) -> None:
    path = tmp_path / "demo.hdf5"
    write_demo_file(path, [make_demo(0)], 1)
    before = path.read_bytes()
    with pytest.raises(PermError, match="share their prompt"):
        write_demo_file(path, [make_demo(0), make_demo(1, prompt="Put it away")], 2)
    assert path.read_bytes() == before


def test_a_file_without_demos_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PermError, match="at least one demonstration"):
        write_demo_file(tmp_path / "demo.hdf5", [], 0)


def _with(demo: Demo, **changes: object) -> Demo:
    return replace(demo, episode=replace(demo.episode, **changes))
