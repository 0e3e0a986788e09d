"""The import contracts of pyproject.toml hold, and each of them fails when it is broken."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOADED_BY_NOBODY = ("mujoco", "robosuite", "libero", "ompl")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package and its contracts, to break."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "perm", tmp_path / "perm", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint_imports(folder: Path) -> tuple[int, str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_every_contract_is_kept(copy: Path) -> None:
    code, shown = lint_imports(copy)
    assert code == 0, shown
    assert "10 kept, 0 broken" in shown


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("core/broken.py", "import perm.metrics", "Imports point down"),
        ("policies/broken.py", "import perm.data", "Imports point down"),
        ("evaluation/broken.py", "import perm.pipeline", "Imports point down"),
        ("newroom/__init__.py", "", "Imports point down"),
        ("metrics/broken.py", "import mujoco", "No room below skills reaches the simulator"),
        ("data/broken.py", "import ompl", "No room below skills reaches the simulator"),
        ("skills/broken.py", "import mujoco", "Only perm.sim imports the simulator"),
        ("cli/broken.py", "import libero.libero", "Only perm.sim imports the simulator"),
        ("skills/broken.py", "import numba", "Only perm.sim imports the simulator"),
        ("pipeline/broken.py", "import ompl", "Only perm.skills imports OMPL"),
        ("evaluation/broken.py", "import h5py", "Only perm.data imports h5py"),
        ("suites/broken.py", "import hydra", "Only perm.cli imports Hydra"),
        ("data/broken.py", "import PIL", "Only perm.policies and perm.pipeline import"),
        ("cli/broken.py", "import msgpack", "Only perm.policies imports what a network policy"),
        ("cli/broken.py", "import openai", "Only perm.pipeline imports what asks models"),
        ("sim/broken.py", "import imageio", "Only perm.evaluation imports what pages and videos"),
        ("cli/broken.py", "import jinja2", "Only perm.evaluation imports what pages and videos"),
    ],
)
def test_a_contract_fails_when_it_is_broken(
    copy: Path, module: str, line: str, contract: str
) -> None:
    path = copy / "perm" / module
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'"""Broken on purpose."""\n\n{line}\n')
    code, shown = lint_imports(copy)
    assert code == 1
    assert any(line.startswith(contract) and "BROKEN" in line for line in shown.splitlines())


def test_an_import_within_a_function_counts(copy: Path) -> None:
    program = '"""Broken."""\n\ndef load() -> None:\n    """Load."""\n    import mujoco\n'
    (copy / "perm" / "policies" / "broken.py").write_text(program)
    code, shown = lint_imports(copy)
    assert (code, "No room below skills reaches the simulator BROKEN" in shown) == (1, True)


@pytest.mark.parametrize(
    "module",
    [
        "perm",
        "perm.cli.main",
        *(f"perm.{room}" for room in ("core", "bddl", "metrics", "suites", "policies", "data")),
    ],
)
def test_importing_a_room_with_all_its_modules_loads_no_simulator(module: str) -> None:
    program = f"""
import importlib, pkgutil, sys
package = importlib.import_module({module!r})
if {module!r} != "perm":
    for found in pkgutil.walk_packages(getattr(package, "__path__", []), {module!r} + "."):
        importlib.import_module(found.name)
print(sorted(set({LOADED_BY_NOBODY!r}) & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"
