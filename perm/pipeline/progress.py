"""One moving line on stderr: how far a long piece of work is, and how long it will take."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def show_progress(what: str, total: int, done: int = 0) -> Iterator[Callable[[str], None]]:
    """Show a bar and give the function that counts one more, with a word on it.

    Args:
        what: What is counted.
        total: How many there will be.
        done: How many there are already.
    """
    bar = Progress(
        TextColumn(what),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
    )
    task = bar.add_task("", total=total, completed=done)
    with bar:
        yield lambda word: bar.update(task, advance=1, description=word)
