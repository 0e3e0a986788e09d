"""The check finds what is wrong, where, and what would be right."""

import json
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from perm.data.check import check_structure
from perm.data.finding import Finding
from perm.data.writer import write_demo_file
from tests.data.demos import PROMPT, make_demo, sign_again

Change = Callable[[h5py.File], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "demo.hdf5"
    write_demo_file(path, (make_demo(i, image_size=16) for i in range(2)), 2)
    return path


@pytest.mark.parametrize("image_size", [0, 16])
def test_what_the_writer_writes_is_in_order(tmp_path: Path, image_size: int) -> None:
    path = tmp_path / "demo.hdf5"
    write_demo_file(path, (make_demo(i, image_size=image_size) for i in range(2)), 2)
    assert check_structure(path) == []


def test_filter_keys_of_robomimic_are_welcome(path: Path) -> None:
    with h5py.File(path, "r+") as file:
        file["mask/train"] = np.array([b"demo_0"])
    assert check_structure(path) == []


def test_a_finding_says_what_is_there_and_what_should_be(path: Path) -> None:
    (finding,) = _after(path, lambda file: _set(file["data"], "tag", "libero-v0"))
    assert str(finding) == "/data: attribute tag is libero-v0; expected libero-v1"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_demos", 3),
        ("total", 11),
        ("macros_image_convention", "opencv"),
        ("obs_alignment", "post_action"),
        ("env_name", "Libero_Floor_Manipulation"),
        ("bddl_file_content", "(define)"),
        ("env_args", "{}"),
        ("problem_info", json.dumps({"language_instruction": "put the bowl on the plate"})),
    ],
)
def test_a_wrong_attribute_of_the_file_is_found(path: Path, name: str, value: object) -> None:
    (finding,) = _after(path, lambda file: _set(file["data"], name, value))
    assert (finding.where, finding.what, finding.value) == (
        "/data",
        f"attribute {name}",
        str(value),
    )


def test_the_language_must_be_the_prompt(path: Path) -> None:
    info = json.dumps({"language_instruction": "put the bowl on the plate"})
    (finding,) = _after(path, lambda file: _set(file["data"], "problem_info", info))
    assert PROMPT in finding.expected


def test_another_group_in_data_is_found(path: Path) -> None:
    found = _after(path, lambda file: file["data"].create_group("metadata"), sign=False)
    assert found[0].what == "members"
    assert found[0].expected == "['demo_0', 'demo_1']"


def _shift_obs(file: h5py.File) -> None:
    """Store observations as LIBERO's own script does, one row late."""
    proprio = make_demo(0, image_size=16).episode.proprio["robot0_joint_pos"]
    file["data/demo_0/obs/joint_states"][()] = proprio[1:]


def _drop_last_action(file: h5py.File) -> None:
    demo = file["data/demo_0"]
    actions = demo["actions"][:-1]
    del demo["actions"]
    demo["actions"] = actions


def _change_type(file: h5py.File) -> None:
    demo = file["data/demo_0"]
    rewards = demo["rewards"][()].astype(np.float64)
    del demo["rewards"]
    demo["rewards"] = rewards


def _drop_camera(file: h5py.File) -> None:
    del file["data/demo_0/obs/eye_in_hand_rgb"]


def _lose_goal(file: h5py.File) -> None:
    file["data/demo_0/perm/trace/success"][()] = 0
    file["data/demo_0/dones"][()] = 0
    file["data/demo_0/rewards"][()] = 0


def _claim_success(file: h5py.File) -> None:
    file["data/demo_0/perm/trace/success"][()] = 0


def _other_start(file: h5py.File) -> None:
    file["data/demo_0/perm/start/state"][3] += 0.5


def _other_init(file: h5py.File) -> None:
    state = file["data/demo_0"].attrs["init_state"]
    file["data/demo_0"].attrs["init_state"] = state + 0.25


def _other_rotation(file: h5py.File) -> None:
    file["data/demo_0/obs/ee_ori"][2] += 0.125


def _set_in_demo(name: str, value: object) -> Change:
    return lambda file: _set(file["data/demo_0/perm"], name, value)


def _span(start: int, stop: int) -> str:
    frame = {"goal_pos": [0.0] * 3, "goal_quat": [1.0, 0.0, 0.0, 0.0]}
    call = {"skill": "pick", "object": "plate_1", "target": None}
    return json.dumps([{**call, **frame, "start": start, "stop": stop}])


def _set_score(**changes: object) -> Change:
    def change(file: h5py.File) -> None:
        facts = file["data/demo_0/perm"].attrs
        (score,) = json.loads(facts["scores"])
        facts["scores"] = json.dumps([{**score, **changes}])

    return change


@pytest.mark.parametrize(
    ("change", "what", "value", "expected"),
    [
        (_shift_obs, "obs/joint_states", "off the state before", "seen before the action"),
        (_drop_last_action, "array", "float64 (5, 7)", "float64 (6, 7)"),
        (_change_type, "array", "float64 (6,)", "uint8 (6,)"),
        (_drop_camera, "array", "missing", "uint8 of 6 rows"),
        (_lose_goal, "goal after the last action", "not reached", "reached"),
        (_claim_success, "array", "off by 1", "what was measured"),
        (_other_start, "states[0]", "off by 0.5", "the state of perm/start"),
        (_other_init, "init_state", "off by 0.25", "the state of perm/start"),
        (_other_rotation, "array", "off by 0.12", "what was measured"),
        (_set_in_demo("prompt", "Put it away"), "prompt", "Put it away", PROMPT),
        (_set_in_demo("task_id", "single/1-2_065"), "task", "single/1-2_065", "single/1-7_104"),
        (_set_in_demo("outcome", "failure"), "content", "ended as failure", "a complete"),
        (_set_in_demo("subtasks", "[{}]"), "content", "goal_pos", "a complete demonstration"),
        (_set_in_demo("subtasks", _span(3, 9)), "span of pick", "(3, 9)", "rows 0 to 7"),
        (_set_score(value=50.0), "score at the end of the curve", "95.5", "50.0"),
        (_set_score(raw=None), "raw quantity at the end of the curve", "0.31", "None"),
        (_set_score(label=0.5), "label", "0.5", "one of (0.0, 0.25, 0.75, 1.0)"),
        (_set_score(label=None), "label", "None", "one of (0.0, 0.25, 0.75, 1.0)"),
        (_set_score(preference="1-5"), "preferences with a curve", "['1-7']", "['1-5']"),
    ],
)
def test_a_demo_that_contradicts_itself_is_found(
    path: Path, change: Change, what: str, value: str, expected: str
) -> None:
    findings = _after(path, change)
    hits = [f for f in findings if f.what == what and value in f.value and expected in f.expected]
    assert hits, [str(finding) for finding in findings]
    assert all(finding.where.startswith("/data/demo_0") for finding in findings)


def test_a_change_without_a_new_checksum_is_found(path: Path) -> None:
    def change(file: h5py.File) -> None:
        file["data/demo_1/actions"][0, 0] = 0.0

    (finding,) = _after(path, change, sign=False)
    assert (finding.where, finding.value) == ("/data/demo_1", "its checksum does not match")


def test_a_swapped_frame_is_found(path: Path) -> None:
    def change(file: h5py.File) -> None:
        images = file["data/demo_1/obs/agentview_rgb"]
        images[[0, 1]] = images[[0, 1]][::-1]

    (finding,) = _after(path, change, sign=False)
    assert finding.value == "the checksum of obs/agentview_rgb does not match"


def test_a_demo_of_another_file_is_found(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.hdf5"
    write_demo_file(other, [make_demo(9, image_size=16)], 1)

    def change(file: h5py.File) -> None:
        del file["data/demo_1"]
        with h5py.File(other) as source:
            source.copy("data/demo_0", file["data"], "demo_1")

    (finding,) = _after(path, change, sign=False)
    assert (finding.where, finding.what) == ("/perm", "checksum")


def test_a_missing_demo_is_found(path: Path) -> None:
    def change(file: h5py.File) -> None:
        del file["data/demo_1"]

    found = {finding.where for finding in _after(path, change, sign=False)}
    assert found == {"/data", "/perm"}


def test_a_place_on_the_writing_machine_is_found_wherever_it_is(path: Path) -> None:
    def change(file: h5py.File) -> None:
        file["data/demo_1"].attrs["model_file"] = '<mesh file="/home/me/plate.stl"/>'
        file["notes"] = "made in /home/me/demos"
        file.attrs["log"] = ["fine", "/var/log/perm"]

    findings = _after(path, change)
    assert {finding.value for finding in findings if finding.what == "path"} == {
        "/home/me/plate.stl",
        "/home/me/demos",
        "/var/log/perm",
    }


def test_a_file_that_cannot_be_read_is_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "text.hdf5"
    path.write_text("nothing")
    (finding,) = check_structure(path)
    assert "is not an HDF5 file" in finding.value


def _set(node: h5py.Group, name: str, value: object) -> None:
    node.attrs[name] = value


def _after(path: Path, change: Change, sign: bool = True) -> list[Finding]:
    """Check a file after a change, with checksums that fit it unless told otherwise."""
    with h5py.File(path, "r+") as file:
        change(file)
        if sign:
            sign_again(file)
    return check_structure(path)
