"""perm dataset check FILE: is a demonstration file what it says it is?"""

from difflib import get_close_matches
from pathlib import Path

from perm.cli.arguments import Arguments
from perm.cli.renderer import choose_renderer
from perm.cli.words import expect_words
from perm.core.errors import PermError
from perm.suites.library import load_library


def run(arguments: Arguments) -> int:
    """Print what the check found; return 1 if it found a problem."""
    _, name = expect_words(arguments, "dataset", {"check": "FILE"})
    path = Path(name)
    if not path.is_file():
        raise PermError(f"There is no file {path}.{_nearby(path)}")
    from perm.pipeline.check import check_dataset

    library = load_library(arguments.config_dirs)
    choose_renderer()
    checked = check_dataset(path, library)
    for finding in checked.findings:
        print(finding)
    if checked.findings:
        print(f"{path}: {len(checked.findings)} problems")
        return 1
    print(
        f"{path}: good. {checked.demos} demonstrations replay to the same states "
        f"(largest difference {checked.largest_difference:.3g}), success and labels."
    )
    return 0


def _nearby(path: Path) -> str:
    """Name what would have worked, for a typo in a name or a folder in place of a file."""
    if path.is_dir():
        files = sorted(str(found) for found in path.rglob("*.hdf5"))
        return f" It is a folder; it holds {', '.join(files[:4])}." if files else ""
    siblings = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
    near = get_close_matches(path.name, siblings, n=2)
    return f" Did you mean {' or '.join(str(path.parent / n) for n in near)}?" if near else ""
