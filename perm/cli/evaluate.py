"""perm evaluate: SR and SA of one policy."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.renderer import choose_renderer
from perm.cli.select import select_tasks
from perm.cli.values import expand_indices, output_folder, simulation, whole_number
from perm.suites.library import load_library


def run(arguments: Arguments) -> int:
    """Run the command line; return 1 if every episode broke."""
    return run_with_hydra("evaluate", arguments, _evaluate)


def _evaluate(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.evaluation.journal import read_records
    from perm.evaluation.players import check_options
    from perm.evaluation.runner import EvaluateRequest, evaluate
    from perm.evaluation.table import broken_text, task_table

    library = load_library(config_dirs)
    request = EvaluateRequest(
        tasks=select_tasks(library, values),
        policy=values["policy"],
        episodes=whole_number(1, values, "episodes"),
        out=output_folder(values),
        seed=whole_number(0, values, "seed"),
        workers=whole_number(1, values, "workers"),
        twins=values["twins"],
        init_indices=expand_indices(values["init"]) or None,
        simulation=simulation(values),
        resume=values["resume"],
        videos=whole_number(0, values, "videos"),
    )
    check_options(request.policy)
    choose_renderer(pictures=request.videos > 0 or request.policy["name"] == "openpi")

    def work() -> int:
        summary = evaluate(request, library)
        print(task_table(summary))
        if broken := broken_text(read_records(request.out).values()):
            print(f"\n{broken}")
        print(f"\nReport: {request.out / 'report.html'}")
        return 0 if any(task.rates.n for task in summary.tasks) else 1

    return work
