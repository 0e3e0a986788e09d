import errno
import logging

import pytest

from perm.sim.linking import call_compiled


def test_compiled_code_runs_once_also_where_it_cannot_be_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ran, refusals = [], [OSError(errno.ENOSPC, "No space left on device")] * 2

    def compiled(value: int) -> None:
        if refusals:
            raise refusals.pop()
        ran.append(value)

    with caplog.at_level(logging.WARNING):
        call_compiled(compiled, 7)
    assert ran == [7]
    assert caplog.text.count("not kept for next time") == 2


def test_a_mistake_is_not_taken_for_a_full_disk() -> None:
    def compiled() -> None:
        raise ValueError("LAPACK found no singular values.")

    with pytest.raises(ValueError, match="singular"):
        call_compiled(compiled)
