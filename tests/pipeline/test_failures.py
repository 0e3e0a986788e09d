"""Demonstrations that cannot be made."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.pipeline import demonstrate
from perm.pipeline.demonstrate import Done, Job, generate
from perm.pipeline.request import GenerateRequest
from perm.suites.library import load_library

LIBRARY = load_library()


@contextmanager
def helpless(*_: object) -> Iterator[Callable[[Iterable[Job]], Iterator[Done]]]:
    """A crew that rejects every attempt."""

    def work(jobs: Iterable[Job]) -> Iterator[Done]:
        for job in jobs:
            order = job.order
            causes = {"step limit": 2, "moved plate_1": 10}
            yield Done(order.task.id, order.index, order.init_index, False, causes)

    yield work


def test_the_message_says_which_why_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demonstrate, "open_crew", helpless)
    task = LIBRARY.find_task("1-7_104")
    request = GenerateRequest((task,), demos=2, out=tmp_path, init_indices=(4, 7))
    with pytest.raises(PermError) as refusal:
        generate(request, LIBRARY)
    lines = str(refusal.value).splitlines()
    assert len(lines) == 4
    assert lines[1] == (
        "single/1-7_104: demonstration 1 could not be made from init index 7; its attempts were "
        "rejected: moved plate_1 (10x), step limit (2x). Into another folder, try another seed=, "
        "or init= without 7."
    )
    assert not list(tmp_path.rglob("*_demo.hdf5"))
