"""perm report: several evaluations in one table and on one page."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.values import output_folder
from perm.core.errors import PermError


def run(arguments: Arguments) -> int:
    """Run the command line."""
    return run_with_hydra("report", arguments, _report)


def _report(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.evaluation.report import report
    from perm.evaluation.summary import read_summary
    from perm.evaluation.table import policy_table

    del config_dirs
    if not values["runs"]:
        raise PermError("Say which evaluations: runs=DIR,DIR.")
    runs = [Path(folder) for folder in values["runs"]]
    page = output_folder(values) / "report.html"
    allow_partial = values["allow_partial"]

    def work() -> int:
        report(runs, page, allow_partial=allow_partial)
        print(policy_table([read_summary(run) for run in runs], allow_partial=allow_partial))
        print(f"\nReport: {page}")
        return 0

    return work
