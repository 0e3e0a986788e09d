import dataclasses
import time

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.core.task import Level, MetricSpec, Preference
from perm.metrics.calibration import MATCH, MIN_GAP
from perm.metrics.measurements import MEASUREMENTS, check_metric, measure
from perm.metrics.satisfaction import satisfaction_curve

from .deeds import END_OF_DEED, deed, moved, random_trace, splice, with_facts
from .traces import Script, nothing_happens, pick_and_place

PARAMS = {
    "event_steps": {},
    "peak_acceleration": {},
    "target_distance": {"target": "corner"},
    "carry_height": {},
    "detour": {},
    "carry_rotation": {},
    "edge_pick": {"side": "right"},
    "handle_pick": {},
    "approach_angle": {"from": "left"},
    "pushed_share": {},
    "dragged_share": {},
    "throw_fall": {},
    "place_turn": {},
    "lay_tilt": {},
    "object_choice": {"preferred": ["mug"], "candidates": ["mug", "plate"]},
    "target_choice": {"object": "mug", "preferred": ["plate"], "candidates": ["plate", "corner"]},
    "portions": {"candidates": ["mug"], "targets": ["plate", "corner"]},
}
FOR_GOOD = {"edge_pick", "handle_pick", "approach_angle", "object_choice"}
"""Decided by the first grasp."""
UNTIL_COMPLETE = {"pushed_share", "dragged_share"}
"""Decided when the mission is complete."""
GOES_ON = {"peak_acceleration"}
"""Looks at the whole episode, also when nothing is held."""
COUNTS = {"portions"}
"""Counts things: the same one moved again is no second one."""
AWAY = np.array([0.7, -1.3, 0.4])


def test_every_measurement_is_tested_here() -> None:
    assert list(PARAMS) == list(MEASUREMENTS)


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_a_measurement_holds_on_any_trace_and_says_why_it_is_none(name) -> None:
    traces = [random_trace(seed) for seed in range(20)]
    traces += [with_facts(nothing_happens(n)) for n in (0, 1, 5)]
    for trace in traces:
        measured = measure(MetricSpec(name, PARAMS[name]), trace)
        steps = [m.step for m in measured if m.step is not None]
        assert steps == sorted(steps)
        assert measured
        for m in measured:
            assert m.reason if m.raw is None else np.isfinite(m.raw)
            assert m.step is None or 0 <= m.step <= trace.n_steps


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_what_is_measured_can_be_scored(name) -> None:
    measured = measure(MetricSpec(name, PARAMS[name]), deed())
    assert {m.unit for m in measured} <= {*MIN_GAP, MATCH.unit}


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_a_measurement_does_not_depend_on_where_the_world_is(name) -> None:
    metric = MetricSpec(name, PARAMS[name])
    for trace in (deed(), *(random_trace(seed) for seed in range(5))):
        here, there = measure(metric, trace), measure(metric, moved(trace, AWAY))
        assert [(m.event, m.step, m.reason) for m in there] == [
            (m.event, m.step, m.reason) for m in here
        ]
        assert [m.raw for m in there] == [
            None if m.raw is None else pytest.approx(m.raw, abs=1e-9) for m in here
        ]


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_a_measurement_of_a_prefix_does_not_know_the_future(name) -> None:
    metric = MetricSpec(name, PARAMS[name])
    for ours in (random_trace(1), deed()):
        for t in (10, 30, 50):
            spliced = splice(ours, random_trace(2, ours.n_steps), t)
            assert measure(metric, spliced.until(t)) == measure(metric, ours.until(t))


@pytest.mark.parametrize("name", [n for n in MEASUREMENTS if n not in GOES_ON])
def test_what_is_decided_does_not_change_while_nothing_is_touched(name) -> None:
    metric, trace = MetricSpec(name, PARAMS[name]), deed()
    decided = measure(metric, trace.until(END_OF_DEED))
    assert decided[-1].raw is not None
    for t in range(END_OF_DEED, trace.n_steps + 1):
        assert measure(metric, trace.until(t)) == decided


@pytest.mark.parametrize("name", sorted(FOR_GOOD | UNTIL_COMPLETE))
def test_what_is_decided_for_good_does_not_change_whatever_comes(name) -> None:
    metric, trace = MetricSpec(name, PARAMS[name]), deed()
    decided = measure(metric, trace.until(END_OF_DEED))
    for seed in range(5):
        after = splice(trace, random_trace(seed, trace.n_steps), END_OF_DEED)
        for t in range(END_OF_DEED, trace.n_steps + 1):
            assert measure(metric, after.until(t)) == decided


@pytest.mark.parametrize(
    "name", [n for n in MEASUREMENTS if n not in FOR_GOOD | UNTIL_COMPLETE | GOES_ON | COUNTS]
)
def test_what_is_not_decided_for_good_counts_a_second_attempt(name) -> None:
    metric = MetricSpec(name, PARAMS[name])
    first, second = (measure(metric, deed(again=again))[-1] for again in (False, True))
    assert None not in (first.raw, second.raw)
    assert second.raw != pytest.approx(first.raw, abs=0.01)


@pytest.mark.parametrize("name", [n for n, m in MEASUREMENTS.items() if "object" in m.optional])
def test_what_is_done_with_another_object_does_not_decide_where_one_is_named(name) -> None:
    script = Script({"mug": (0.0, 0.0, 0.95), "plate": (0.3, 0.0, 0.95)}).move(0.0, 0.0, 0.95)
    script.grip("mug").move(0.0, 0.1, 1.1).move(0.0, 0.2, 0.95).let_go(rows=10)
    one = with_facts(script.trace)
    script.move(0.3, 0.0, 1.0).tilt(0.3, 0.2, 0.1).grip("plate").move(0.2, 0.2, 1.4)
    two = with_facts(script.move(0.2, 0.4, 1.3, turn=(0.3, 0.4, 0.9), rows=5).let_go().trace)
    mug, plate = ({**PARAMS[name], "object": which} for which in ("mug", "plate"))
    alone, both = (measure(MetricSpec(name, mug), trace) for trace in (one, two))
    assert alone[-1].raw is not None
    assert [(m.event, m.raw) for m in both] == [(m.event, m.raw) for m in alone]
    assert measure(MetricSpec(name, plate), one)[-1].raw is None
    assert measure(MetricSpec(name, plate), two)[-1].raw is not None


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_the_curve_of_an_episode_takes_less_than_a_second(name) -> None:
    others = {f"can_{i}": (0.1 * i, 0.5, 0.95) for i in range(8)}
    script = Script({"mug": (0.0, 0.0, 0.95), "plate": (0.0, 0.3, 0.91), **others})
    script.move(0.0, 0.0, 0.95).grip("mug").move(0.0, 0.3, 1.2, rows=80).let_go(rows=50)
    script.grip("plate").move(0.5, 0.3, 1.2, rows=80).let_go(rows=75)
    preference = Preference("x", "x", Level.MOTION, "x", MetricSpec(name, PARAMS[name]))
    began = time.process_time()
    raw, _ = satisfaction_curve(preference, with_facts(script.trace), None)
    assert time.process_time() - began < 1.0
    assert len(raw) == 306
    assert np.isfinite(raw[-1])


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_every_measurement_measures_a_plain_pick_and_place(name) -> None:
    assert measure(MetricSpec(name, PARAMS[name]), deed())[-1].raw is not None


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
    with pytest.raises(PermError, match="metric target_distance lacks target"):
        check_metric(MetricSpec("target_distance", {"object": "mug"}))
    with pytest.raises(PermError, match=r"key of metric detour 'target'"):
        check_metric(MetricSpec("detour", {"target": "mug"}))
    with pytest.raises(PermError, match="metric object_choice lacks preferred"):
        check_metric(MetricSpec("object_choice", {"candidates": ["mug"]}))
    with pytest.raises(PermError, match=r"lacks side"):
        MEASUREMENTS["edge_pick"](nothing_happens(0), {})
    check_metric(MetricSpec("edge_pick", {"side": "left", "object": "bowl"}))
