import dataclasses
import json

import pytest

from perm.core.episode import EpisodeId, Outcome
from perm.evaluation.rates import rates_of
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.run import Run
from perm.evaluation.summary import summarise, to_json
from tests.evaluation.test_run import plan
from tests.evaluation.world import HIGH, RED_MUG, record, twin_of

# (success, d not gated): SR 5/8; SA (1 + .75 + .25 + 0 + 1)/8; the mean of all d is .59375.
EPISODES = [(1, 1.0), (1, 0.75), (1, 0.25), (1, 0.0), (0, 1.0), (0, 0.75), (1, 1.0), (0, 0.0)]


def records() -> list[EpisodeRecord]:
    return [record(bool(s), d, init_index=30 + i) for i, (s, d) in enumerate(EPISODES)]


def test_sa_counts_a_label_only_where_the_task_succeeded() -> None:
    rates = rates_of(records())
    assert rates.sr == 0.625
    assert rates.sa == 0.375


def test_an_error_is_in_no_rate_and_is_counted_apart() -> None:
    broken = record(False, None, outcome=Outcome.ERROR)
    rates = rates_of([*records(), broken])
    assert (rates.n, rates.n_error, rates.n_planned) == (8, 1, 9)
    assert (rates.sr, rates.sa) == (0.625, 0.375)
    assert rates.coverage == pytest.approx(8 / 9)


def test_an_episode_that_was_not_played_lowers_the_coverage_only() -> None:
    rates = rates_of([*records(), None, None])
    assert (rates.n, rates.n_error, rates.coverage) == (8, 0, 0.8)


def test_labels_are_counted_over_successes() -> None:
    rates = rates_of([*records(), record(d=None)])
    assert rates.labels == {"0": 1, "0.25": 1, "0.75": 1, "1": 2, "none": 1}


def test_wilsons_interval_of_five_successes_in_eight() -> None:
    assert rates_of(records()).sr_interval == pytest.approx((0.3057, 0.8632), abs=1e-4)


def test_the_interval_of_sa_is_wilsons_for_the_same_sum() -> None:
    # 3 of 8 that count whole
    assert rates_of(records()).sa_interval == pytest.approx((0.1368, 0.6943), abs=1e-4)


def test_a_sum_of_labels_between_whole_numbers_is_rounded_outwards() -> None:
    rates = rates_of([record(d=0.75), record(d=0.75)])
    low, high = rates_of([record(), record(False)]), rates_of([record(), record()])
    assert rates.sa_interval == (low.sa_interval[0], high.sa_interval[1])


def test_without_an_episode_nothing_is_said() -> None:
    rates = rates_of([None])
    assert (rates.sr, rates.sa, rates.mean_score, rates.sr_preferred) == (None,) * 4
    assert rates.sr_interval == (0.0, 1.0)


def test_success_at_the_end_and_settled_are_told_apart() -> None:
    rates = rates_of([record(success_settled=False), record(success_end=False), record()])
    assert (rates.sr, rates.success_end, rates.success_settled) == (1.0, 2 / 3, 2 / 3)


def test_the_preferred_choice_is_counted_where_there_is_one() -> None:
    reached, missed = ({"name": "preferred goal", "reached": is_it} for is_it in (True, False))
    some = [record(milestones=(reached,)), record(milestones=(missed,)), record()]
    assert rates_of(some).sr_preferred == 0.5


def test_the_mean_score_is_over_episodes_that_have_one() -> None:
    some = [record(score=100.0), record(False, score=20.0), record(score=None)]
    assert rates_of(some).mean_score == 60.0


def played(run: Run) -> dict[EpisodeId, EpisodeRecord]:
    """Success everywhere; label 1 where something is asked, else 1/4."""
    tasks = {t.id: t for one in (HIGH, RED_MUG) for t in (one, twin_of(one))}
    return {
        i: record(
            d=1.0 if tasks[name].condition else 0.25, task=tasks[name], init_index=i.init_index
        )
        for name in run.tasks
        for i in run.identities(name)
    }


def test_the_pooled_numbers_leave_out_episodes_that_ask_for_nothing() -> None:
    run = plan_with_twins()
    summary = summarise(run, played(run))
    assert (summary.overall.n, summary.overall.sa) == (6, 1.0)
    assert list(summary.levels) == ["none", "motion", "profile"]
    assert summary.levels["none"].sa == 0.25
    assert [task.task_id for task in summary.tasks] == list(run.tasks)


def test_a_run_that_asks_for_nothing_pools_all() -> None:
    run = plan_with_twins()
    twins = {name: task for name, task in run.tasks.items() if not task.preferences}
    only_twins = dataclasses.replace(run, tasks=twins)
    assert summarise(only_twins, played(only_twins)).overall.n == 6


def test_the_file_holds_fractions_and_does_not_depend_on_the_order_of_records() -> None:
    run = plan()
    forth = played(run)
    back = dict(reversed(forth.items()))
    assert to_json(summarise(run, forth)) == to_json(summarise(run, back))
    content = json.loads(to_json(summarise(run, forth)))
    assert content["overall"]["sr"] == 1.0
    assert content["tasks"][0]["task_id"] == HIGH.id


def plan_with_twins() -> Run:
    one = plan()
    tasks = {}
    for name, task in one.tasks.items():
        twin = {**vars(task), "level": "none", "preferences": ()}
        tasks |= {name: task, f"{name}.nopref": type(task)(**twin)}
    return dataclasses.replace(one, tasks=tasks)


def test_twins_tell_what_asking_changes() -> None:
    run = plan_with_twins()
    found = summarise(run, played(run)).uplift
    assert list(found) == ["overall", "level", "preference"]
    assert list(found["level"]) == ["motion", "profile"]
    one = found["preference"]["1-7"]
    assert (one.n, one.asked, one.plain, one.difference) == (3, 1.0, 0.25, 0.75)
    assert (one.gained, one.lost, one.p_value, one.adjusted) == (3, 0, 0.25, 0.5)


def test_a_pair_counts_only_if_both_sides_were_played_to_an_end() -> None:
    run = plan_with_twins()
    records = played(run)
    broken, unplayed = run.identities(f"{HIGH.id}.nopref")[:2]
    records[broken] = dataclasses.replace(records[broken], outcome=Outcome.ERROR)
    del records[unplayed]
    assert summarise(run, records).uplift["preference"]["1-7"].n == 1


def test_without_twins_there_is_no_uplift() -> None:
    run = plan()
    assert summarise(run, played(run)).uplift == {}


def test_every_repeat_has_its_own_numbers() -> None:
    run = plan(repeats=2)
    records = played(run)
    for identity in run.repeated(HIGH.id)[1]:
        records[identity] = dataclasses.replace(records[identity], success_any=False)
    summary = summarise(run, records)
    assert summary.repeats == ({"sr": 1.0, "sa": 1.0}, {"sr": 0.5, "sa": 0.5})
    assert summary.overall.n == 12


def test_the_interval_of_sa_over_several_tasks_draws_tasks() -> None:
    some = [
        record(d=d, task=dataclasses.replace(HIGH, id=f"single/{k}"))
        for k, d in enumerate((0.0, 0.0, 1.0, 1.0))
        for _ in range(50)
    ]
    low, high = rates_of(some).sa_interval
    assert high - low > 0.5  # 200 independent episodes would give 0.14


def test_preferences_have_rates_of_their_own() -> None:
    run = plan()
    assert list(summarise(run, played(run)).preferences) == ["1-7", "3-2"]
