"""perm dataset check|render|salvage FILE: what can be done with a demonstration file."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from perm.cli.arguments import Arguments
from perm.cli.renderer import choose_renderer
from perm.cli.values import simulation, whole_number
from perm.cli.words import expect_words
from perm.core.errors import PermError, unknown_name
from perm.suites.library import load_library

ACTIONS = {
    "check": "FILE [sim=core|stock]",
    "render": "FILE images=128|256 [workers=K]",
    "salvage": "FILE out=FILE",
}
KEYS: Mapping[str, tuple[str, ...]] = {
    "check": ("sim",),
    "render": ("images", "workers"),
    "salvage": ("out",),
}
SIZES = {"128": 128, "256": 256}


def run(arguments: Arguments) -> int:
    """Do what is asked; return 1 if a check found a problem."""
    action, name, settings = expect_words(arguments, "dataset", ACTIONS, KEYS)
    path = Path(name)
    if not path.is_file():
        raise PermError(f"There is no file {path}.{_nearby(path)}")
    if action == "check":
        return _check(path, settings, arguments.config_dirs)
    return _render(path, settings) if action == "render" else _salvage(path, settings.get("out"))


def _check(path: Path, settings: Mapping[str, str], config_dirs: Sequence[Path]) -> int:
    from perm.core.conventions import SIMULATIONS
    from perm.pipeline.check import check_dataset

    chosen = simulation({"sim": SIMULATIONS[0], **settings})
    library = load_library(config_dirs)
    choose_renderer()
    checked = check_dataset(path, library, chosen)
    for finding in checked.findings:
        print(finding)
    for note in checked.notes:
        print(f"Note: {note}")
    if checked.findings:
        print(f"{path}: {len(checked.findings)} problems")
        return 1
    print(
        f"{path}: good. {checked.demos} demonstrations replay to the same states "
        f"(largest difference {checked.largest_difference:.3g}), success and labels, "
        "and to the same images where they have any."
    )
    return 0


def _render(path: Path, settings: Mapping[str, str]) -> int:
    from perm.core.conventions import CAMERAS
    from perm.pipeline.render import lacks_images, render_dataset

    images, workers = settings.get("images"), settings.get("workers", "1")
    if images is None:
        raise PermError("Say how large the images are: images=128 or images=256.")
    if images not in SIZES:
        raise unknown_name("size of images", images, SIZES)
    if not workers.isdecimal():
        raise PermError(f"workers must be a whole number, not {workers!r}.")
    n_workers = whole_number(1, {"workers": workers}, "workers")
    if lacks_images(path, SIZES[images]):
        choose_renderer()
        render_dataset(path, SIZES[images], n_workers)
        print(f"{path}: images of {images} px by {', '.join(CAMERAS)}")
    else:
        print(f"{path}: it has images of {images} px already; nothing to do")
    return 0


def _salvage(path: Path, out: str | None) -> int:
    from perm.data.salvage import salvage

    if out is None:
        raise PermError("Say where the intact demonstrations go: out=FILE.")
    if Path(out).exists():
        raise PermError(f"{out} is there already; give another out=.")
    saved = salvage(path, Path(out))
    numbers = ", ".join(map(str, saved))
    print(f"{out}: {len(saved)} intact demonstrations of {path} (their numbers were {numbers})")
    return 0


def _nearby(path: Path) -> str:
    """Name what would have worked, for a typo in a name or a folder in place of a file."""
    if path.is_dir():
        files = sorted(str(found) for found in path.rglob("*.hdf5"))
        return f" It is a folder; it holds {', '.join(files[:4])}." if files else ""
    siblings = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
    near = get_close_matches(path.name, siblings, n=2)
    return f" Did you mean {' or '.join(str(path.parent / n) for n in near)}?" if near else ""
