from typing import Any

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.task import MetricSpec
from perm.metrics.measurements import MEASUREMENTS, measure
from perm.metrics.mutants import MUTATIONS, follows, mutated, swapped
from perm.metrics.profile import UNIT

from .deeds import deed
from .traces import Script


def placed() -> Script:
    return Script({"mug": (0.0, 0.0, 0.95), "cup": (0.3, 0.0, 0.95), "plate": (0.0, 0.3, 0.91)})


@pytest.mark.parametrize(
    ("name", "params", "effect"),
    [
        ("carry_height", {}, [0.0, 0.01, 0.02, 0.04]),
        ("edge_pick", {"side": "right"}, [0.0, 0.01, 0.02, 0.04]),
        ("handle_pick", {}, [0.0, 0.01, 0.02, 0.04]),
        ("target_distance", {"target": "plate"}, [0.0, -0.01, -0.02, -0.04]),
        ("target_distance", {"target": "corner"}, [0.0, -0.01, -0.02, -0.04]),
        ("approach_angle", {}, np.radians([0, 5, 10, 15])),
        ("place_turn", {}, np.radians([0, 5, 10, 15])),
    ],
)
def test_a_known_change_is_measured_as_large_as_it_is(
    name: str, params: dict[str, Any], effect: Any
) -> None:
    raws = mutated(MetricSpec(name, params), deed())
    assert np.subtract(raws, raws[0]) == pytest.approx(np.array(effect), abs=2e-3)


@pytest.mark.parametrize("name", ["event_steps", "peak_acceleration", "detour", "carry_rotation"])
def test_a_larger_change_is_measured_as_larger(name: str) -> None:
    metric = MetricSpec(name)
    assert follows(metric, mutated(metric, deed()))


@pytest.mark.parametrize(("name", "held"), [("pushed_share", False), ("dragged_share", True)])
def test_what_is_lifted_for_longer_is_slid_for_less(name: str, held: bool) -> None:
    script = placed().move(0.0, 0.0, 0.96)
    if held:
        script.grip("mug").move(0.0, 0.2, 0.96)
    else:
        script.slide("mug", 0.0, 0.2, 0.95, rows=10)
    raws = mutated(MetricSpec(name, {"object": "mug"}), script.complete().wait(5).trace)
    assert raws == pytest.approx([1.0, 0.8, 0.5, 0.3], abs=0.11)


def test_what_lies_is_raised_by_degrees() -> None:
    script = placed().move(0.0, 0.0, 0.97).grip("mug").move(0.0, 0.0, 1.1)
    script.move(0.0, 0.3, 1.0, turn=(1.5, 0.0, 0.0)).let_go().wait(8)
    raws = mutated(MetricSpec("lay_tilt", {"object": "mug"}), script.trace)
    assert raws == pytest.approx(1.5 - np.radians([0, 5, 10, 15]), abs=1e-3)


def test_what_is_let_go_higher_falls_further() -> None:
    script = placed().move(0.0, 0.0, 0.97).grip("mug").move(0.0, 0.0, 1.1)
    script.move(0.0, 0.3, 1.1).let_go(rows=1).slide("mug", 0.0, 0.33, 0.95, rows=4).wait(6)
    raws = mutated(MetricSpec("throw_fall", {"object": "mug"}), script.trace)
    assert np.subtract(raws, raws[0]) == pytest.approx([0.0, 0.01, 0.02, 0.04])


def test_a_metric_that_does_not_follow_is_found_out() -> None:
    height = MetricSpec("carry_height")
    assert follows(height, [0.20, 0.21, 0.22, 0.24])
    assert not follows(height, [0.20, 0.21, 0.21, 0.24])
    assert not follows(height, [0.24, 0.22, 0.21, 0.20])
    assert follows(MetricSpec("target_distance"), [0.24, 0.22, 0.21, 0.20])


def test_every_measurement_has_a_mutation_or_is_a_choice() -> None:
    choices = {"object_choice", "target_choice", "portions"}
    assert set(MUTATIONS) == set(MEASUREMENTS) - choices
    with pytest.raises(PermError, match="no mutation for object_choice"):
        mutated(MetricSpec("object_choice"), deed())


def test_a_change_of_nothing_measurable_is_told() -> None:
    with pytest.raises(PermError, match="carry_height: carried higher"):
        mutated(MetricSpec("carry_height"), placed().wait(5).trace)


def test_candidates_that_change_places_change_the_choice() -> None:
    trace = placed().move(0.0, 0.0, 0.97).grip("mug").move(0.0, 0.2, 1.1).trace
    metric = MetricSpec("object_choice", {"candidates": ["mug", "cup"], "preferred": ["mug"]})
    (before,), (after,) = measure(metric, trace), measure(metric, swapped(trace, "mug", "cup"))
    assert (before.raw, after.raw, before.unit) == (1.0, 0.0, UNIT)
    twice = swapped(swapped(trace, "mug", "cup"), "mug", "cup")
    assert (twice.contact == trace.contact).all()
