import dataclasses

import pytest

from perm.core.episode import Outcome
from perm.core.errors import PermError
from perm.evaluation.rates import rates_of
from perm.evaluation.summary import Summary, summarise
from perm.evaluation.table import broken_text, percent, policy_table, task_table
from tests.evaluation.test_run import plan
from tests.evaluation.test_summary import plan_with_twins, played, records
from tests.evaluation.world import HIGH, record


def summary(policy: str = "expert") -> Summary:
    run = dataclasses.replace(plan(episodes=2), policy=policy)
    return summarise(run, played(run))


def test_a_rate_is_percent_with_two_decimals() -> None:
    assert [percent(0.625), percent(1 / 3), percent(1.0), percent(None)] == [
        "62.50",
        "33.33",
        "100.00",
        "-",
    ]


def test_one_row_a_policy() -> None:
    eight = dataclasses.replace(summary("random"), overall=rates_of([*records(), None, None]))
    assert policy_table([summary(), eight]) == (
        "Policy  Episodes  Errors      SR      SA\n"
        "------  --------  ------  ------  ------\n"
        "expert         4       0  100.00  100.00\n"
        "random   8 of 10       0   62.50   37.50"
    )


def test_one_row_a_task_and_one_a_level() -> None:
    run = dataclasses.replace(plan_with_twins(), episodes=2)
    assert task_table(summarise(run, played(run))) == (
        "Task                     Episodes  Errors      SR      SA\n"
        "-----------------------  --------  ------  ------  ------\n"
        "single/1-7_104                  2       0  100.00  100.00\n"
        "single/1-7_104.nopref           2       0  100.00   25.00\n"
        "single/3-2_081_1                2       0  100.00  100.00\n"
        "single/3-2_081_1.nopref         2       0  100.00   25.00\n"
        "level none                      4       0  100.00   25.00\n"
        "level motion                    2       0  100.00  100.00\n"
        "level profile                   2       0  100.00  100.00\n"
        "overall                         4       0  100.00  100.00"
    )


def test_a_long_name_gives_way() -> None:
    lines = policy_table([summary("openpi, " + "fine-tuned " * 10)]).splitlines()
    assert [len(line) for line in lines] == [80, 80, 80]
    assert lines[2].split("  ")[0].endswith("fine-tuned fine…")


def test_causes_of_broken_episodes_come_by_frequency_shortened_to_a_line() -> None:
    errors = ["rare", "often\ntraceback", "often", "long " * 30, "long " * 30, "a", "b"]
    broken = [record(outcome=Outcome.ERROR, success=False, error=error) for error in errors]
    first, *causes, last = broken_text([record(), *broken]).splitlines()
    assert first == "Broken episodes, which are in no rate: 7"
    assert causes == [
        "  2 x often",
        f"  2 x {'long ' * 14}lon…",
        "  1 x rare",
        "  and 2 more causes, in the report",
    ]
    assert "resume=true" in last


def test_without_broken_episodes_nothing_is_said() -> None:
    assert broken_text([record()]) == ""


def test_policies_on_different_tasks_are_not_compared() -> None:
    run = plan(tasks=(HIGH,))
    less = dataclasses.replace(summarise(run, played(run)), policy="random")
    with pytest.raises(PermError, match=r"expert and random .* one of them has single/3-2_081_1\."):
        policy_table([summary(), less])
    assert "random" in policy_table([summary(), less], allow_partial=True)
