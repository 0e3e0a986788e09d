"""Summaries as text for a terminal of 80 columns; rates in percent with two decimals."""

from collections import Counter
from collections.abc import Iterable, Sequence

from perm.core.errors import PermError
from perm.evaluation.rates import Rates
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.summary import Summary

WIDTH = 80
NUMBERS = ("Episodes", "Errors", "SR", "SA")
CAUSES = 3
"""So many causes of broken episodes are told."""


def percent(fraction: float | None) -> str:
    """Return "62.50", or "-" where nothing can be said."""
    return "-" if fraction is None else f"{100 * fraction:.2f}"


def policy_table(summaries: Sequence[Summary], *, allow_partial: bool = False) -> str:
    """Return one row a run: policy, episodes, errors, SR [%], SA [%].

    Args:
        summaries: Of one or several runs.
        allow_partial: Whether the runs may cover different tasks.

    Raises:
        PermError: They do, so that the rows could not be compared.
    """
    refuse_other_tasks(summaries, allow_partial)
    rows = [(summary.policy, *_numbers(summary.overall)) for summary in summaries]
    return text_table(("Policy", *NUMBERS), rows)


def task_table(summary: Summary) -> str:
    """Return one row a task of a run, then one a level if there are several, and one for all."""
    rows = [(task.task_id, *_numbers(task.rates)) for task in summary.tasks]
    if len(summary.levels) > 1:
        rows += [(f"level {name}", *_numbers(rates)) for name, rates in summary.levels.items()]
    rows.append(("overall", *_numbers(summary.overall)))
    return text_table(("Task", *NUMBERS), rows)


def broken_text(records: Iterable[EpisodeRecord]) -> str:
    """Return how many episodes broke, why, the most frequent cause first, and what to do; or ""."""
    causes = Counter(record.cause for record in records if record.cause is not None)
    if not causes:
        return ""
    told = [f"{count} x {cause}" for cause, count in causes.most_common(CAUSES)]
    if len(causes) > CAUSES:
        told.append(f"and {len(causes) - CAUSES} more causes, in the report")
    lines = [
        f"Broken episodes, which are in no rate: {causes.total()}",
        *(f"  {shortened(line, WIDTH - 2)}" for line in told),
        "When that is put right, the same command with resume=true plays them again.",
    ]
    return "\n".join(lines)


def refuse_other_tasks(summaries: Sequence[Summary], allow_partial: bool = False) -> None:
    """Refuse runs that cover different tasks; twins make no difference.

    Raises:
        PermError: Two runs do; the message names the tasks.
    """
    covered = [{t.task_id for t in s.tasks if t.preferences} for s in summaries]
    for summary, tasks in zip(summaries, covered, strict=True):
        if tasks != covered[0] and not allow_partial:
            names = ", ".join(sorted(tasks ^ covered[0]))
            raise PermError(
                f"{summaries[0].policy} and {summary.policy} were not evaluated on the same tasks: "
                f"only one of them has {names}. allow_partial=true shows them all the same."
            )


def _numbers(rates: Rates) -> tuple[str, ...]:
    played = str(rates.n) if rates.coverage == 1 else f"{rates.n} of {rates.n_planned}"
    return played, str(rates.n_error), percent(rates.sr), percent(rates.sa)


def text_table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], width: int = WIDTH) -> str:
    """Return columns two blanks apart; the first one gives way where the line is too long."""
    table = [header, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    widths[0] = min(widths[0], width - sum(other + 2 for other in widths[1:]))
    lines = []
    for first, *others in table:
        cells = [cell.rjust(w) for cell, w in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([shortened(first, widths[0]).ljust(widths[0]), *cells]).rstrip())
    lines.insert(1, "  ".join("-" * column for column in widths))
    return "\n".join(lines)


def shortened(text: str, width: int) -> str:
    """Return the text, cut off with a mark where it is longer than the width."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
