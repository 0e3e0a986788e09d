import math

import pytest

from perm.sim.blueprint import Threshold


@pytest.mark.parametrize(
    ("threshold", "below", "at", "above"),
    [
        (Threshold(0.5, above=True, at_limit=True), False, True, True),
        (Threshold(-0.14, above=False, at_limit=False), True, False, False),
    ],
)
def test_a_threshold_turns_exactly_at_its_limit(
    threshold: Threshold, below: bool, at: bool, above: bool
) -> None:
    limit = threshold.limit
    assert threshold.holds(math.nextafter(limit, -math.inf)) is below
    assert threshold.holds(limit) is at
    assert threshold.holds(math.nextafter(limit, math.inf)) is above
