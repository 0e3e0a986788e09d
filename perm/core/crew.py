"""Jobs done by this process, or by several side by side."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

from perm.core.errors import PermError

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")

Begin = Callable[[], AbstractContextManager[Callable[[JobT], ResultT]]]
"""Gets everything ready and gives the function that does one job; can be pickled."""
Work = Callable[[Iterable[JobT]], Iterator[ResultT]]
Lost = Callable[[JobT, str], ResultT]
"""The result of a job whose process died, with a text that says so."""


@contextmanager
def open_crew(
    begin: Begin[JobT, ResultT], workers: int, lost: Lost[JobT, ResultT]
) -> Iterator[Work[JobT, ResultT]]:
    """Get everything ready and give the function that does jobs; results come in any order.

    Args:
        begin: What each process does first.
        workers: Number of processes; with 1, this one.
        lost: Makes the result of a job whose process died.

    Raises:
        PermError: What `begin` raises; no job has been done then.
    """
    if workers == 1:
        with begin() as work:
            yield partial(map, work)
        return
    members = [_Member(begin, lost) for _ in range(workers)]
    try:
        for member in members:
            member.start()
        for member in members:
            member.await_ready()
        yield partial(_share, members)
    finally:
        for member in members:
            member.kill()


class WorkerError(Exception):
    """A process ended without an answer."""


class _Member(Generic[JobT, ResultT]):
    """One process that does a job at a time."""

    job: JobT | None = None

    def __init__(self, begin: Begin[JobT, ResultT], lost: Lost[JobT, ResultT]) -> None:
        self._begin, self._lost = begin, lost

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

    def give(self, job: JobT) -> None:
        """Send a job; a process that died while it had nothing to do is replaced first."""
        self.job = job
        try:
            self.connection.send(job)
        except (BrokenPipeError, ConnectionResetError):
            self._replace()
            self.connection.send(job)

    def take(self) -> ResultT:
        """Return what became of the job; a process that died over it is replaced."""
        job, self.job = self.job, None
        assert job is not None
        try:
            result = self._receive()
        except WorkerError as error:
            self._replace()
            return self._lost(job, f"{type(error).__name__}: {error}")
        assert result is not None
        return result

    def kill(self) -> None:
        self._process.kill()
        self._process.join()

    def _replace(self) -> None:
        self.kill()
        self.connection.close()
        self.start()
        self.await_ready()

    def _receive(self) -> ResultT | None:
        try:
            answer: ResultT | PermError | None = self.connection.recv()
        except (EOFError, ConnectionResetError) as error:
            self._process.join()
            code = self._process.exitcode
            raise WorkerError(f"A worker process ended with code {code}.") from error
        if isinstance(answer, PermError):
            raise answer
        return answer


def _share(members: list[_Member[JobT, ResultT]], jobs: Iterable[JobT]) -> Iterator[ResultT]:
    """Yield results as they come."""
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
                yield member.take()


def _work(begin: Begin[JobT, ResultT], connection: Connection) -> None:
    """Do what the parent sends until it stops sending."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the parent ends us
    try:
        with begin() as work:
            connection.send(None)
            while True:
                connection.send(work(connection.recv()))
    except PermError as error:
        connection.send(error)
    except (EOFError, BrokenPipeError):  # the parent is gone
        return
