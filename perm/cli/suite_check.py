"""perm suite check: can the expert do the tasks as asked, and plainly when nothing is asked?"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.renderer import choose_renderer
from perm.cli.select import select_tasks
from perm.cli.values import run_settings, whole_number
from perm.suites.library import load_library


def run(arguments: Arguments) -> int:
    """Run the command line behind `perm suite check`; return 1 if every attempt failed."""
    return run_with_hydra("check", arguments, _check)


def _check(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.evaluation.trials_film import develop
    from perm.evaluation.trials_page import write_check
    from perm.evaluation.trials_summary import sum_up
    from perm.evaluation.trials_table import attempts_table, spreads_table
    from perm.pipeline.trials import TrialsRequest, run_trials
    from perm.skills.offsets import offsets_of

    library = load_library(config_dirs)
    ways = library.with_other_ways(select_tasks(library, values))
    request = TrialsRequest(
        tasks=library.with_twins(task for task in ways if not task.leaves_task),
        trials=whole_number(1, values, "trials"),
        **run_settings(values),
    )
    choose_renderer(pictures=values["videos"])

    def work() -> int:
        checked = sum_up(request.tasks, run_trials(request, library))
        if values["videos"]:
            develop(request.out, checked, request.workers)
        write_check(request.out, checked)
        for table in (attempts_table(checked), spreads_table(checked)):
            print(f"{table}\n" if table else "", end="\n" if table else "")
        print(offsets_of(request.tasks))
        print(f"Report: {request.out / 'report.html'}")
        return 0 if any(one.side.successes for one in checked) else 1

    return work
