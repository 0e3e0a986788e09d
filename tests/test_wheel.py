"""What has to be in the packages that people install."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FRAME = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "NOTICE")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An sdist, and the wheel built from it."""
    source = tmp_path_factory.mktemp("source")
    for name in ("perm", "configs"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FRAME:
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "build", "--no-isolation", str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return source / "dist"


def members(built: Path) -> set[str]:
    (wheel,) = built.glob("*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_carries_every_config(built: Path) -> None:
    expected = {
        f"perm/configs/{path.relative_to(ROOT / 'configs').as_posix()}"
        for path in (ROOT / "configs").rglob("*")
        if path.is_file()
    }
    assert "perm/configs/generate.yaml" in expected
    assert expected - members(built) == set()


def test_the_wheel_carries_every_module_and_template(built: Path) -> None:
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "perm").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected - members(built) == set()


def test_the_wheel_carries_nothing_else_but_its_metadata(built: Path) -> None:
    others = {name for name in members(built) if not name.startswith("perm/")}
    assert all(".dist-info/" in name for name in others)
    assert {Path(name).name for name in others} >= {"LICENSE", "NOTICE", "entry_points.txt"}


def test_the_sdist_carries_the_configs(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"configs/generate.yaml", "LICENSE", "NOTICE", "setup.py"} <= names


def test_an_installed_wheel_finds_its_configs(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = "from perm.suites.paths import packaged_configs; print(packaged_configs())"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert Path(done.stdout.strip()) == tmp_path / "perm" / "configs"
