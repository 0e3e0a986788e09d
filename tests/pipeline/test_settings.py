import json
from dataclasses import replace
from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.pipeline.request import GenerateRequest, settings_of
from perm.pipeline.settings import claim_folder
from perm.suites.library import load_library

LIBRARY = load_library()
TASK = LIBRARY.find_task("1-7_104")
SETTINGS = {"seed": 0, "tasks": {TASK.id: {"cuts": (1.0, 50.0, 80.0)}}}


def test_the_same_run_goes_on(tmp_path: Path) -> None:
    claim_folder(tmp_path / "out", SETTINGS)
    claim_folder(tmp_path / "out", SETTINGS)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["generate.json"]


def test_another_run_is_refused_with_what_differs(tmp_path: Path) -> None:
    claim_folder(tmp_path, SETTINGS)
    other = {"seed": 5, "tasks": {TASK.id: {"cuts": (2.0, 50.0, 80.0)}}}
    with pytest.raises(PermError) as refusal:
        claim_folder(tmp_path, other)
    assert str(refusal.value).splitlines()[1:3] == [
        "  seed: 5, there 0",
        "  tasks.single/1-7_104.cuts: [2.0, 50.0, 80.0], there [1.0, 50.0, 80.0]",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"seed": 0, "ta', r"generate\.json is damaged: "),
        (b"\xff\x00", r"generate\.json is damaged: "),
        (b"[]", r"generate\.json does not describe a run of perm generate; choose another"),
    ],
)
def test_a_torn_or_foreign_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "generate.json").write_bytes(content)
    with pytest.raises(PermError, match=message):
        claim_folder(tmp_path, SETTINGS)


def test_demonstrations_of_which_nobody_says_how_they_were_made_are_refused(
    tmp_path: Path,
) -> None:
    (tmp_path / "single").mkdir()
    (tmp_path / "single" / "1-7_104_demo.hdf5").touch()
    with pytest.raises(PermError, match=r"holds single/1-7_104_demo\.hdf5 but no generate\.json"):
        claim_folder(tmp_path, SETTINGS)
    assert not (tmp_path / "generate.json").exists()


def test_what_decides_the_bytes_is_in_the_settings_and_what_does_not_is_not(
    tmp_path: Path,
) -> None:
    request = GenerateRequest((TASK,), demos=2, out=tmp_path)
    settings = settings_of(request, LIBRARY)
    assert list(settings["tasks"]) == [TASK.id, f"{TASK.id}.nopref"]
    assert json.loads(json.dumps(settings)) == settings
    longer = replace(TASK, mission=replace(TASK.mission, max_steps=999))
    for changed in (
        replace(request, tasks=(longer,)),
        replace(request, seed=1),
        replace(request, images=None),
        replace(request, twins=False),
        replace(request, init_indices=(0, 1)),
    ):
        assert settings_of(changed, LIBRARY) != settings
    same = replace(request, workers=4, out=tmp_path / "other")
    assert settings_of(same, LIBRARY) == settings


def test_a_calibration_decides_too(tmp_path: Path) -> None:
    request = GenerateRequest((TASK,), demos=2, out=tmp_path)
    without = replace(LIBRARY, calibrations={})
    scale = settings_of(request, LIBRARY)["tasks"][TASK.id]["calibration"]
    assert settings_of(request, without)["tasks"][TASK.id]["calibration"] == {}
    assert set(scale) == {preference for _, preference in LIBRARY.calibrations} & {"1-7"}
