"""What a folder of `perm evaluate` shows beside its episodes: numbers, a table, a page."""

import csv
import io
from pathlib import Path

from perm.data.atomic import completed
from perm.evaluation.journal import Records
from perm.evaluation.rates import Rates
from perm.evaluation.report import report
from perm.evaluation.run import Run
from perm.evaluation.summary import Summary, summarise, to_json

SUMMARY_FILE, TABLE_FILE, PAGE_FILE = "summary.json", "summary.csv", "report.html"
COLUMNS = (
    "group",
    "name",
    "n",
    "n_error",
    "n_planned",
    "sr",
    "sr_low",
    "sr_high",
    "sa",
    "sa_low",
    "sa_high",
    "sr_preferred",
    "success_settled",
    "mean_score",
)


def write_results(run: Run, records: Records, out: Path) -> Summary:
    """Write summary.json, summary.csv and report.html; return the summary."""
    summary = summarise(run, records)
    with completed(out / SUMMARY_FILE) as path:
        path.write_text(to_json(summary), encoding="utf-8")
    with completed(out / TABLE_FILE) as path:
        path.write_text(to_csv(summary), encoding="utf-8")
    report([out], out / PAGE_FILE)
    return summary


def to_csv(summary: Summary) -> str:
    """Return one line for all, and for each level, preference and task; rates are fractions."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerow(_row("overall", "overall", summary.overall))
    for group, some in (("level", summary.levels), ("preference", summary.preferences)):
        for name, rates in some.items():
            writer.writerow(_row(group, name, rates))
    for task in summary.tasks:
        writer.writerow(_row("task", task.task_id, task.rates))
    return text.getvalue()


def _row(group: str, name: str, rates: Rates) -> tuple[object, ...]:
    counts = (rates.n, rates.n_error, rates.n_planned)
    intervals = (rates.sr, *rates.sr_interval, rates.sa, *rates.sa_interval)
    others = (rates.sr_preferred, rates.success_settled, rates.mean_score)
    return (group, name, *counts, *("" if x is None else x for x in (*intervals, *others)))
