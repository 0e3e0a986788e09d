"""perm report: several evaluations on one page, or as one of the paper's tables."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.values import output_folder
from perm.core.errors import PermError, unknown_name

if TYPE_CHECKING:
    from perm.evaluation.pairing import Evaluated

KINDS = ("2", "3", "4", "5", "figure4", "uplift", "arms")


def run(arguments: Arguments) -> int:
    """Run the command line."""
    return run_with_hydra("report", arguments, _report)


def _report(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    del config_dirs
    if not values["runs"]:
        raise PermError("Say which evaluations: runs=DIR,DIR.")
    kind = str(values["table"])
    if kind and kind not in KINDS:
        raise unknown_name("table", kind, KINDS)
    runs = [Path(folder) for folder in values["runs"]]
    out, allow_partial = output_folder(values), bool(values["allow_partial"])
    if not kind:
        return lambda: _page(runs, out / "report.html", allow_partial=allow_partial)

    def work() -> int:
        from perm.evaluation.pairing import read_evaluated

        evaluated = [read_evaluated(folder) for folder in runs]
        show = _OTHERS.get(kind)
        if show is not None:
            show(evaluated, out)
        else:
            _paper_table(kind, evaluated, out, allow_partial=allow_partial)
        return 0

    return work


def _page(runs: Sequence[Path], page: Path, *, allow_partial: bool) -> int:
    from perm.evaluation.report import report
    from perm.evaluation.summary import read_summary
    from perm.evaluation.table import policy_table

    report(runs, page, allow_partial=allow_partial)
    print(policy_table([read_summary(run) for run in runs], allow_partial=allow_partial))
    print(f"\nReport: {page}")
    return 0


def _paper_table(
    kind: str, evaluated: "Sequence[Evaluated]", out: Path, *, allow_partial: bool
) -> None:
    from perm.evaluation.paper_tables import paper_table
    from perm.evaluation.table_files import to_text, write_table

    table = paper_table(kind, evaluated, allow_partial=allow_partial)
    print(to_text(table))
    print(f"\nFiles: {', '.join(map(str, write_table(table, out)))}")


def _figure4(evaluated: "Sequence[Evaluated]", out: Path) -> None:
    from perm.data.atomic import completed
    from perm.evaluation.scaling import draw, points_of, to_csv

    points = points_of(evaluated)
    with completed(out / "figure4.csv") as path:
        path.write_text(to_csv(points), encoding="utf-8")
    draw(points, out / "figure4.png")
    print(to_csv(points))
    print(f"Files: {out / 'figure4.csv'}, {out / 'figure4.png'}")


def _uplift(evaluated: "Sequence[Evaluated]", out: Path) -> None:
    from perm.evaluation.effects import uplift_table
    from perm.evaluation.samples import row_name

    _tell("uplift", "\n\n".join(
        f"{row_name(one.run)}\n\n{uplift_table(one.summary)}" for one in evaluated
    ), out)  # fmt: skip


def _arms(evaluated: "Sequence[Evaluated]", out: Path) -> None:
    from perm.evaluation.effects import arm_table

    _tell("arms", arm_table(evaluated), out)


def _tell(name: str, text: str, out: Path) -> None:
    from perm.data.atomic import completed

    with completed(out / f"{name}.txt") as path:
        path.write_text(f"{text}\n", encoding="utf-8")
    print(f"{text}\n\nFile: {out / f'{name}.txt'}")


_OTHERS: "Mapping[str, Callable[[Sequence[Evaluated], Path], None]]" = {
    "figure4": _figure4,
    "uplift": _uplift,
    "arms": _arms,
}
