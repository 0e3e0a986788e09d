"""Tests of perm.evaluation.paper_tables."""

from typing import Any

import pytest

from perm.core.errors import PermError
from perm.evaluation.paper_tables import TABLES, PaperTable, paper_table
from tests.evaluation.tables import evaluated, said

GOOD, BAD = (True, 1.0), (False, 0.0)


def numbers(table: PaperTable, row: int = 0) -> dict[str, float | None]:
    """Return the cells of a row in percent, by column."""
    cells = table.rows[row][1]
    means = [None if c.mean is None else round(100 * c.mean, 4) for c in cells]
    return dict(zip(table.columns, means, strict=True))


def test_table_2_pools_episodes_over_levels_and_tells_no_pref_and_compre_pref() -> None:
    run = evaluated(
        [
            *said("single/a", GOOD, BAD, level="motion"),
            *said("single/b", (True, 0.25), (True, 0.25), level="skill"),
            *said(
                "single/b.nopref",
                GOOD,
                BAD,
                condition="none",
                preference_ids=(),
                wording="original",
            ),
            *said("compre/a.implicit", GOOD, (True, 0.75), suite="compre_pref"),
        ]
    )
    found = numbers(paper_table("2", [run]))
    assert found["No-Pref SR"] == 50.0
    assert (found["All SR"], found["All SA"]) == (75.0, 37.5)
    assert (found["Motion SR"], found["Skill SA"], found["Profile SR"]) == (50.0, 25.0, None)
    assert (found["ComprePref SR"], found["ComprePref SA"]) == (100.0, 87.5)


def test_seeds_of_one_policy_are_one_row_with_mean_and_sample_deviation() -> None:
    runs = [
        evaluated(said("single/a", *episodes), folder=str(seed), seed=seed)
        for seed, episodes in enumerate([(GOOD, GOOD), (GOOD, BAD)])
    ]
    table = paper_table("2", runs)
    assert len(table.rows) == 1
    cell = dict(zip(table.columns, table.rows[0][1], strict=True))["All SR"]
    assert (cell.mean, cell.n) == (0.75, 4)
    assert cell.deviation == pytest.approx(0.353553, abs=1e-6)


def test_another_prompt_makes_another_row_and_counts_in_no_cell_of_the_paper() -> None:
    told = said("single/a", GOOD, GOOD, perturbation="prompt_none")
    runs = [evaluated(said("single/a", GOOD, BAD)), evaluated(told, prompt="none")]
    table = paper_table("2", runs)
    assert [name for name, _ in table.rows] == ["random", "random prompt=none"]
    assert numbers(table, 1)["All SR"] is None


def test_policies_that_played_other_tasks_are_not_set_side_by_side() -> None:
    runs = [evaluated(said("single/a", GOOD)), evaluated(said("single/b", GOOD), policy="hold")]
    with pytest.raises(PermError, match=r"Table 2, All SR: random and hold .* single/a, single/b"):
        paper_table("2", runs)
    assert len(paper_table("2", runs, allow_partial=True).rows) == 2


def test_what_broke_is_told_beside_the_number() -> None:
    records = said("single/a", GOOD, GOOD)
    run = evaluated([*records, *said("single/b", GOOD)])  # two episodes each: one was not played
    assert "1 broke or were not played" in paper_table("2", [run]).notes[-1]


def test_table_4_as_in_the_vectors() -> None:
    suite = {"suite": "pref_compose"}
    both: dict[str, Any] = {"condition": "A+B", "level": "pair", **suite}
    joint = [
        (True, {"A": 1, "B": 1}),
        (True, {"A": 1, "B": 0.75}),
        (True, {"A": 0.25, "B": 1}),
        (False, {"A": 1, "B": 1}),
    ]
    alone = [(k < 9, 0.0) for k in range(24)]
    run = evaluated(
        [
            *said("compose/x__AB", *joint, **both),
            *said("compose/x__B", *alone, condition="B", **suite),
        ]
    )
    found = numbers(paper_table("4", [run]))
    assert (found["Comp. eval SR"], found["Comp. eval SA"]) == (75.0, 50.0)
    assert (found["Decomp. eval SR"], found["Decomp. eval SA"]) == (37.5, 0.0)


def test_table_5_as_in_the_vectors() -> None:
    suite = {"suite": "pref_conflict"}
    pairs = {
        "pair1": [(1, 1, 0), (1, 0.75, 0), (1, 0, 1), (0, 1, 0), (1, 0.25, 0.25)],
        "pair2": [(1, 0, 1), (1, 0, 0.75), (1, 0.25, 0), (0, 0, 0), (1, 0, 0.25)],
    }
    against = [(True, 0.0)] * 5 + [(True, 0.25)] * 3 + [(False, 1.0)] * 4 + [(False, 0.75)] * 3
    against += [(False, 0.0)] * 6 + [(False, 0.25)] * 3
    records = said("conflict/t__task_pref", *against, condition="task+P", **suite)
    for name, rows in pairs.items():
        episodes = [(bool(s), {"P1": first, "P2": second}) for s, first, second in rows]
        records += said(f"conflict/{name}__joint", *episodes, condition="P1+P2", **suite)
    found = numbers(paper_table("5", [evaluated(records)]))
    assert (found["Conflict SR"], found["Conflict SA"]) == (80.0, 52.5)
    assert found["Pref-Dom"] == 25.0
    assert (found["Follow task"], found["Follow pref."]) == (33.3333, 29.1667)
    assert found["Incomplete"] == 37.5


def test_an_unknown_table_is_told_with_the_known_ones() -> None:
    with pytest.raises(PermError, match="Unknown table '6'"):
        paper_table("6", [evaluated(said("single/a", GOOD))])
    assert list(TABLES) == ["2", "3", "4", "5"]
