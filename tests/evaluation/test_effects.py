"""Tests of perm.evaluation.effects."""

import pytest

from perm.core.errors import PermError
from perm.evaluation.effects import arm_table, uplift_table
from tests.evaluation.tables import evaluated, said

HEARD, DEAF = (True, 1.0), (True, 0.25)


def test_uplift_has_a_line_for_all_each_level_and_each_preference() -> None:
    told = said("single/a", HEARD, HEARD, HEARD)
    twin = said("single/a.nopref", DEAF, DEAF, HEARD, preference_ids=(), level="none")
    lines = uplift_table(evaluated([*told, *twin]).summary).splitlines()
    assert lines[2].split()[:5] == ["overall", "3", "100.00", "50.00", "+50.00"]
    assert [line.split()[0] for line in lines[2:5]] == ["overall", "motion", "1-7"]
    assert max(map(len, lines)) <= 100


def test_uplift_needs_twins() -> None:
    with pytest.raises(PermError, match=r"was evaluated without twins; .*twins=true"):
        uplift_table(evaluated(said("single/a", HEARD)).summary)


def test_arms_are_compared_with_the_normal_prompt_episode_by_episode() -> None:
    normal = evaluated(said("single/a", HEARD, HEARD))
    none = evaluated(said("single/a", HEARD, DEAF), prompt="none")
    line = arm_table([normal, none]).splitlines()[2]
    assert line.split()[:6] == ["random", "prompt=none", "2", "62.50", "100.00", "-37.50"]


def test_an_arm_without_a_normal_run_is_refused() -> None:
    none = evaluated(said("single/a", HEARD), prompt="none", folder="x")
    with pytest.raises(PermError, match="x: there is no run of random with prompt=normal"):
        arm_table([none])
    with pytest.raises(PermError, match="All runs have prompt=normal"):
        arm_table([evaluated(said("single/a", HEARD))])
