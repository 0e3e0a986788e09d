"""perm suite leakage: which tasks are satisfied by who was told nothing?"""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.renderer import choose_renderer
from perm.cli.select import select_tasks
from perm.cli.tables import print_table
from perm.cli.values import run_settings, whole_number
from perm.data.atomic import completed
from perm.suites.library import load_library

if TYPE_CHECKING:
    from perm.pipeline.leakage import Leak

TABLE = "leakage.csv"


def run(arguments: Arguments) -> int:
    """Run the command line behind `perm suite leakage`; return 1 unless every task is sound."""
    return run_with_hydra("leakage", arguments, _leakage)


def _leakage(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.pipeline.leakage import leaks, plain_tasks
    from perm.pipeline.trials import TrialsRequest, run_trials

    tasks, library = plain_tasks(select_tasks(known := load_library(config_dirs), values), known)
    request = TrialsRequest(
        tasks=tasks,
        trials=whole_number(1, values, "twins"),
        **run_settings(values),
    )
    choose_renderer()

    def work() -> int:
        found = leaks(tasks, run_trials(request, library))
        with completed(request.out / TABLE) as unfinished:
            unfinished.write_text(_to_csv(found), encoding="utf-8")
        rows = [_row(leak) for leak in found if leak.kept or leak.verdict != "sound"]
        if rows:
            print_table(["Group", "Preference", "Kept", "Of", "Share", "Verdict"], rows)
        shares = [leak.share for leak in found if leak.share is not None]
        mean = f"{sum(shares) / len(shares):.2%}" if shares else "not measured"
        sound = sum(leak.verdict == "sound" for leak in found)
        print(f"{sound} of {len(found)} are sound; kept by chance on average: {mean}.")
        print(f"Table: {request.out / TABLE}")
        return 0 if sound == len(found) else 1

    return work


def _row(leak: "Leak") -> list[str]:
    share = "-" if leak.share is None else f"{leak.share:.1%}"
    return [leak.group, leak.preference, str(leak.kept), str(leak.n), share, leak.verdict]


def _to_csv(found: "Sequence[Leak]") -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["group", "preference", "kept", "episodes", "share", "verdict"])
    for leak in found:
        share = "" if leak.share is None else leak.share
        writer.writerow([leak.group, leak.preference, leak.kept, leak.n, share, leak.verdict])
    return text.getvalue()
