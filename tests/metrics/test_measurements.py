import dataclasses

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.task import MetricSpec
from perm.metrics.measurements import MEASUREMENTS, check_metric, measure

from .traces import nothing_happens, pick_and_place

PARAMS = {
    "carry_height": {},
    "event_steps": {},
    "edge_pick": {"side": "right"},
    "object_choice": {"preferred": ["mug"], "candidates": ["mug", "plate"]},
    "target_choice": {"object": "mug", "preferred": ["plate"], "candidates": ["plate"]},
}


def random_trace(seed: int, n_steps: int = 60):
    """Contacts, widths and positions without rhyme or reason."""
    rng = np.random.default_rng(seed)
    trace, n = nothing_happens(n_steps), n_steps + 1
    return dataclasses.replace(
        trace,
        ee_pos=rng.normal(size=(n, 3)),
        gripper_width=rng.uniform(0, 0.078, n),
        object_pos={name: rng.normal(size=(n, 3)) for name in trace.object_names},
        contact=rng.random((n, 2, 2)) < rng.uniform(0.2, 1.0),
    )


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_a_measurement_holds_on_any_trace_and_says_why_it_is_none(name) -> None:
    traces = [random_trace(seed) for seed in range(20)] + [nothing_happens(n) for n in (0, 1, 5)]
    for trace in traces:
        measured = measure(MetricSpec(name, PARAMS[name]), trace)
        steps = [m.step for m in measured if m.step is not None]
        assert steps == sorted(steps)
        assert measured
        for m in measured:
            assert m.reason if m.raw is None else np.isfinite(m.raw)
            assert m.step is None or 0 <= m.step <= trace.n_steps


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_a_measurement_of_a_prefix_does_not_know_the_future(name) -> None:
    ours, theirs = random_trace(1), random_trace(2)
    for t in (10, 30, 50):
        spliced = splice(ours, theirs, t)
        metric = MetricSpec(name, PARAMS[name])
        assert measure(metric, spliced.until(t)) == measure(metric, ours.until(t))


def splice(first, second, t):
    def join(a, b):
        return np.concatenate([a[: t + 1], b[t + 1 :]])

    return dataclasses.replace(
        first,
        ee_pos=join(first.ee_pos, second.ee_pos),
        gripper_width=join(first.gripper_width, second.gripper_width),
        object_pos={k: join(v, second.object_pos[k]) for k, v in first.object_pos.items()},
        contact=join(first.contact, second.contact),
    )


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_every_measurement_measures_a_plain_pick_and_place(name) -> None:
    assert measure(MetricSpec(name, PARAMS[name]), pick_and_place().trace)[-1].raw is not None


def test_a_simulation_that_blew_up_is_not_measurable() -> None:
    trace = pick_and_place().trace
    broken = dataclasses.replace(trace, ee_pos=np.full_like(trace.ee_pos, np.nan))
    (measured,) = measure(MetricSpec("edge_pick", {"side": "left"}), broken)
    assert (measured.raw, measured.reason) == (None, "not a finite number: nan")


def test_unknown_names_and_parameters_are_refused_without_a_trace() -> None:
    with pytest.raises(PermError, match=r"Unknown measurement 'cary_height'. Did you mean carry"):
        check_metric(MetricSpec("cary_height"))
    with pytest.raises(PermError, match=r"key of metric edge_pick 'sides'. Did you mean side\?"):
        check_metric(MetricSpec("edge_pick", {"sides": "left"}))
    with pytest.raises(PermError, match="metric object_choice lacks preferred"):
        check_metric(MetricSpec("object_choice", {"candidates": ["mug"]}))
    with pytest.raises(PermError, match=r"lacks side"):
        MEASUREMENTS["edge_pick"](nothing_happens(0), {})
    check_metric(MetricSpec("edge_pick", {"side": "left", "object": "bowl"}))
