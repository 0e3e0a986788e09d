"""perm results merge: the shards of an evaluation as one."""

from pathlib import Path

from perm.cli.arguments import Arguments
from perm.cli.keys import list_items
from perm.cli.values import output_folder
from perm.cli.words import expect_words
from perm.core.errors import PermError

ACTIONS = {"merge": ""}
KEYS = {"merge": ("runs", "out")}


def run(arguments: Arguments) -> int:
    """Merge the folders that are named."""
    _, _, settings = expect_words(arguments, "results", ACTIONS, KEYS)
    for key in KEYS["merge"]:
        if key not in settings:
            raise PermError(f"{key} is missing. Usage: perm results merge runs=DIR,DIR out=DIR")
    runs = [Path(text) for text in list_items(settings["runs"])]
    out = output_folder(settings)

    from perm.evaluation.merging import merge
    from perm.evaluation.table import task_table

    print(task_table(merge(runs, out)))
    print(f"\nReport: {out / 'report.html'}")
    return 0
