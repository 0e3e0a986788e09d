import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from perm.core.crew import open_crew
from perm.core.errors import PermError


@contextmanager
def squares() -> Iterator[Callable[[int], int]]:
    yield lambda n: n * n


@contextmanager
def mortal() -> Iterator[Callable[[int], int]]:
    yield lambda n: os._exit(3) if n == 2 else n


@contextmanager
def pids() -> Iterator[Callable[[int], int]]:
    yield lambda n: os.getpid()


@contextmanager
def unable() -> Iterator[Callable[[int], int]]:
    raise PermError("no scene")
    yield


def lost(job: int, why: str) -> int:
    assert "ended with code 3" in why
    return -job


@pytest.mark.parametrize("workers", [1, 2])
def test_every_job_is_done_once(workers: int) -> None:
    with open_crew(squares, workers, lost) as work:
        assert sorted(work(range(5))) == [0, 1, 4, 9, 16]


def test_a_process_that_dies_costs_its_job_and_is_replaced() -> None:
    with open_crew(mortal, 2, lost) as work:
        assert sorted(work(range(5))) == [-2, 0, 1, 3, 4]


def test_a_process_that_died_while_it_had_nothing_to_do_costs_no_job() -> None:
    with open_crew(pids, 2, lost) as work:
        first = set(work([1, 2]))
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        while first & {process.pid for process in multiprocessing.active_children()}:
            time.sleep(0.01)
        assert min(work([3, 4])) > 0


@pytest.mark.parametrize("workers", [1, 2])
def test_who_cannot_begin_says_why_before_any_job(workers: int) -> None:
    with (
        pytest.raises(PermError, match="no scene"),
        open_crew(unable, workers, lost) as work,
    ):
        list(work([1]))
