"""One moving line on stderr: how far an evaluation is, what SR is so far, how long it will take."""

from collections.abc import Iterable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from perm.core.episode import Outcome
from perm.evaluation.record import EpisodeRecord


class EpisodeProgress:
    """A progress bar over the episodes of a run."""

    def __init__(self, total: int, records: Iterable[EpisodeRecord]) -> None:
        """Begin with the records that are there already.

        Args:
            total: Number of episodes of the run.
            records: Those that need not be played.
        """
        done = list(records)
        self._counts = {outcome: 0 for outcome in Outcome}
        for record in done:
            self._counts[record.outcome] += 1
        self._bar = Progress(
            TextColumn("Episodes"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TextColumn("{task.description}"),
            TextColumn("left"),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
        )
        self._task = self._bar.add_task(self._text(), total=total, completed=len(done))

    def __enter__(self) -> Self:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the bar as it stands."""
        self._bar.stop()

    def show(self, record: EpisodeRecord) -> None:
        """Count one more episode."""
        self._counts[record.outcome] += 1
        self._bar.update(self._task, advance=1, description=self._text())

    def _text(self) -> str:
        """Return SR so far, and the number of errors if there are any."""
        played = self._counts[Outcome.SUCCESS] + self._counts[Outcome.FAILURE]
        rate = f"SR {100 * self._counts[Outcome.SUCCESS] / played:.2f} %" if played else "SR -"
        errors = self._counts[Outcome.ERROR]
        return rate + (f", {errors} error{'s' * (errors > 1)}" if errors else "")
