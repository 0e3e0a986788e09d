"""perm dataset check|salvage FILE: is a demonstration file sound, and what can be saved of it?"""

from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from perm.cli.arguments import Arguments
from perm.cli.renderer import choose_renderer
from perm.cli.words import expect_words
from perm.core.errors import PermError
from perm.suites.library import load_library

ACTIONS = {"check": "FILE", "salvage": "FILE out=FILE"}


def run(arguments: Arguments) -> int:
    """Do what is asked; return 1 if a check found a problem."""
    settings = dict(arguments.settings)
    out = settings.pop("out", None) if arguments.words[:1] == ("salvage",) else None
    action, name = expect_words(replace(arguments, settings=settings), "dataset", ACTIONS)
    path = Path(name)
    if not path.is_file():
        raise PermError(f"There is no file {path}.{_nearby(path)}")
    return _check(path, arguments) if action == "check" else _salvage(path, out)


def _check(path: Path, arguments: Arguments) -> int:
    from perm.pipeline.check import check_dataset

    library = load_library(arguments.config_dirs)
    choose_renderer()
    checked = check_dataset(path, library)
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
