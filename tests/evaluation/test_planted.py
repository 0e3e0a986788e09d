"""Tests of perm.evaluation.planted."""

import dataclasses

import pytest

from perm.core.errors import PermError
from perm.evaluation.planted import (
    Planted,
    Recorded,
    coverage,
    draw,
    intervals,
    level_probabilities,
    recorded_in,
    truth,
)
from tests.evaluation.tables import evaluated, said

HEARS = Planted(level_probabilities((0.9, 0.8, 0.7)), level_probabilities((0.8, 0.5, 0.3)))
DEAF = Planted(level_probabilities((0.8,) * 3), level_probabilities((0.0,) * 3))


def recorded(tasks: int = 20, episodes: int = 6) -> list[Recorded]:
    """As the expert does: nearly always a success, label 1 if it is asked, 1/4 or 0 if not."""
    found = []
    for level, plain in (("motion", 0.25), ("skill", 0.25), ("profile", 0.0)):
        for k in range(tasks):
            told = said(f"single/{level}{k}", *[(e > 0 or k > 1, 1.0) for e in range(episodes)])
            twin = said(f"single/{level}{k}.nopref", *[(True, plain)] * episodes, level="none")
            found += [
                Recorded(dataclasses.replace(a, level=level), b)
                for a, b in zip(told, twin, strict=True)
            ]
    return found


def test_the_truth_is_the_mean_over_draws() -> None:
    some = recorded(tasks=5)
    means = dict.fromkeys(("sr", "sa"), 0.0)
    for seed in range(300):
        asked = [a for a, _ in draw(some, HEARS, seed)]
        means["sr"] += sum(a.success_any for a in asked) / len(asked) / 300
        means["sa"] += sum(a.worth(a.label) or 0.0 for a in asked) / len(asked) / 300
    true = truth(some, HEARS)
    assert means["sr"] == pytest.approx(true["sr"], abs=0.01)
    assert means["sa"] == pytest.approx(true["sa"], abs=0.01)


def test_intervals_hold_the_planted_truth_in_90_to_98_percent() -> None:
    found = coverage(recorded(), HEARS, draws=100)
    assert {name: 0.90 <= share <= 0.98 for name, share in found.items()} == {
        "sr": True,
        "sa": True,
        "uplift": True,
    }


def test_who_ignores_language_has_no_uplift() -> None:
    some = recorded()
    assert truth(some, DEAF)["uplift"] == 0.0
    low, high = intervals(draw(some, DEAF, seed=1))["uplift"]
    assert low <= 0.0 <= high


def test_same_seed_same_episodes() -> None:
    some = recorded(tasks=2)
    assert draw(some, HEARS, 3) == draw(some, HEARS, 3)
    assert draw(some, HEARS, 3) != draw(some, HEARS, 4)


def test_a_run_without_twins_is_refused() -> None:
    with pytest.raises(PermError, match="holds no episodes with twins"):
        recorded_in(evaluated(said("single/a", (True, 1.0))))


def test_pairs_are_found_by_task_and_start() -> None:
    told = said("single/a", (True, 1.0), (True, 0.75))
    twin = said("single/a.nopref", (True, 0.25), (False, 0.0), preference_ids=(), level="none")
    pairs = recorded_in(evaluated([*told, *twin]))
    assert [(one.asked.label, one.plain.d["1-7"]) for one in pairs] == [(1.0, 0.25), (0.75, 0.0)]
