"""Who plays the episodes: this process, or several of them side by side."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from perm.core.errors import PermError
from perm.evaluation.examine import Job
from perm.evaluation.record import EpisodeRecord

Begin = Callable[[], AbstractContextManager[Callable[[Job], EpisodeRecord]]]
"""Gets everything ready and gives the function that plays one episode; can be pickled."""
Play = Callable[[Iterable[Job]], Iterator[EpisodeRecord]]
Lost = Callable[[Job, str], EpisodeRecord]
"""The record of an episode whose process died, with a text that says so."""


@contextmanager
def open_crew(begin: Begin, workers: int, lost: Lost) -> Iterator[Play]:
    """Get everything ready and give the function that plays episodes.

    Args:
        begin: What each process does first.
        workers: Number of processes; with 1, this one.
        lost: Makes the record of an episode whose process died.

    Raises:
        PermError: What `begin` raises; no episode has been played then.
    """
    if workers == 1:
        with begin() as work:
            yield partial(map, work)
        return
    members = [_Member(begin) for _ in range(workers)]
    try:
        for member in members:
            member.start()
        for member in members:
            member.await_ready()
        yield lambda jobs: _share(members, jobs, lost)
    finally:
        for member in members:
            member.kill()


class WorkerError(Exception):
    """A process ended without an answer."""


class _Member:
    """One process that plays an episode at a time."""

    job: Job | None = None

    def __init__(self, begin: Begin) -> None:
        self._begin = begin

    def start(self) -> None:
        # A forked process would share OpenGL's and the policy server's state with this one.
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(self._begin, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def await_ready(self) -> None:
        try:
            self._receive()
        except WorkerError as error:
            raise PermError(f"{error} It had not begun; try workers=1 to see why.") from error

    def give(self, job: Job) -> None:
        self.job = job
        self.connection.send(job)

    def take(self, lost: Lost) -> EpisodeRecord:
        """Return what became of the job; a process that died over it is replaced."""
        job, self.job = self.job, None
        assert job is not None
        try:
            record = self._receive()
        except WorkerError as error:
            self.start()
            self.await_ready()
            return lost(job, f"{type(error).__name__}: {error}")
        assert record is not None
        return record

    def kill(self) -> None:
        self._process.kill()
        self._process.join()

    def _receive(self) -> EpisodeRecord | None:
        try:
            answer: EpisodeRecord | PermError | None = self.connection.recv()
        except (EOFError, ConnectionResetError) as error:
            self._process.join()
            code = self._process.exitcode
            raise WorkerError(f"A worker process ended with code {code}.") from error
        if isinstance(answer, PermError):
            raise answer
        return answer


def _share(members: list[_Member], jobs: Iterable[Job], lost: Lost) -> Iterator[EpisodeRecord]:
    """Yield records as they come, in any order."""
    waiting = deque(jobs)
    while True:
        for member in members:
            if member.job is None and waiting:
                member.give(waiting.popleft())
        busy = {member.connection: member for member in members if member.job is not None}
        if not busy:
            return
        ready = wait(list(busy))
        for connection, member in busy.items():
            if connection in ready:
                yield member.take(lost)


def _work(begin: Begin, connection: Connection) -> None:
    """Play what the parent sends until it stops sending."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the parent ends us
    try:
        with begin() as work:
            connection.send(None)
            while True:
                connection.send(work(connection.recv()))
    except PermError as error:
        connection.send(error)
    except EOFError:  # the parent is gone
        return
