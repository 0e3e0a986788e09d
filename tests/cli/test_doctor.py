from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from perm.cli import doctor
from perm.cli.doctor import Finding, check_versions, describe_machine, judge_renderers
from perm.cli.main import main


def fixes(findings: list[Finding]) -> list[str]:
    return [finding.fix for finding in findings if finding.fix]


def with_version(name: str, found: str | None) -> Callable[[str], str]:
    def version(asked: str) -> str:
        if asked == name and found is None:
            raise metadata.PackageNotFoundError(name)
        return found if asked == name and found else real(asked)

    real = metadata.version
    return version


def test_the_installed_versions_are_those_that_perm_pins() -> None:
    assert fixes(list(check_versions())) == []


def test_another_mujoco_is_reported_with_the_line_to_type(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor.metadata, "version", with_version("mujoco", "3.4.0"))
    findings = list(check_versions())
    assert (
        Finding(
            "mujoco",
            "3.4.0, but perm needs 3.3.2",
            "pip install mujoco==3.3.2 -c constraints.txt",
        )
        in findings
    )


def test_a_missing_package_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.metadata, "version", with_version("ompl", None))
    assert fixes(list(check_versions())) == ["pip install ompl -c constraints.txt"]


def test_the_first_renderer_that_works_is_used() -> None:
    findings = list(judge_renderers({"egl": "broken", "osmesa": ""}, asked=""))
    assert findings[-1] == Finding("renderer", "osmesa")
    assert fixes(findings) == []


def test_without_a_renderer_the_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.os, "geteuid", lambda: 1000)
    findings = list(judge_renderers({"egl": "broken", "osmesa": "broken"}, asked=""))
    assert fixes(findings) == [
        "sudo apt-get install -y libegl1 libegl-mesa0 libgl1-mesa-dri libosmesa6"
    ]


def test_a_choice_that_does_not_work_is_reported() -> None:
    findings = list(judge_renderers({"egl": "", "osmesa": "broken"}, asked="osmesa"))
    assert fixes(findings) == ["unset MUJOCO_GL"]


def report_of(
    monkeypatch: pytest.MonkeyPatch, egl: str, opencv: str, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    monkeypatch.setattr(doctor, "probe", lambda backend, timeout_s: egl)
    monkeypatch.setattr(doctor, "attempt", lambda program, timeout_s: ("", opencv))
    monkeypatch.setattr(doctor.os, "geteuid", lambda: 0)
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    return main(["doctor"]), capsys.readouterr().out


def test_a_ready_machine_exits_with_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = report_of(monkeypatch, "", "", capsys)
    assert code == 0
    assert shown.endswith("Ready.\n")
    assert "mujoco                3.3.2" in shown


def test_every_problem_comes_with_its_fix_and_exits_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opencv = "ImportError: libGL.so.1: cannot open shared object file"
    code, shown = report_of(monkeypatch, "broken", opencv, capsys)
    assert code == 1
    assert f"! import cv2            {opencv}" in shown
    assert shown.splitlines()[-2:] == [
        "  apt-get install -y libgl1 libglib2.0-0",
        "  apt-get install -y libegl1 libegl-mesa0 libgl1-mesa-dri libosmesa6",
    ]


def test_built_scenes_are_counted_with_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "perm" / "scenes"
    assert list(describe_machine())[-1].text == f"0 in {folder} (0 MB; may be removed)"
    (folder / "versions").mkdir(parents=True)
    (folder / "versions" / "a.zip").write_bytes(bytes(2_000_000))
    assert list(describe_machine())[-1].text == f"1 in {folder} (2 MB; may be removed)"
