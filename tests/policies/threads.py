"""A server of a test on a thread of its own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def in_thread(run: Callable[[], object], stop: Callable[[], object]) -> Iterator[None]:
    """Let something run beside the test, and stop it."""
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop()
        thread.join(5)
