import dataclasses
import json

import pytest

from perm.core.episode import EpisodeId, Outcome
from perm.core.errors import PermError
from perm.evaluation.record import from_json, to_json
from tests.evaluation.world import HIGH, record, twin_of

FIELDS = [
    "run",
    "policy",
    "checkpoint_step",
    "camera",
    "seed",
    "suite",
    "series",
    "task_id",
    "group",
    "mission_id",
    "layout_digest",
    "init_index",
    "prompt",
    "wording",
    "preference_ids",
    "level",
    "condition",
    "generalization",
    "split",
    "perturbation",
    "outcome",
    "error",
    "success_any",
    "success_end",
    "success_settled",
    "d",
    "score",
    "raw",
    "milestones",
    "subtasks",
    "steps",
    "wall_s",
    "clip_count",
    "versions",
    "renderer",
    "first_frame_sha256",
    "scene_sha256",
]


def test_a_line_has_the_fields_of_the_benchmark_in_their_order() -> None:
    assert list(json.loads(to_json(record()))) == FIELDS


def test_a_line_gives_the_record_back() -> None:
    one = record(milestones=({"name": "preferred goal", "reached": True},), prompt="Tee für zwei")
    text = to_json(one)
    assert "\n" not in text
    assert from_json(text) == one


def test_the_label_is_stored_although_the_episode_failed() -> None:
    line = json.loads(to_json(record(success=False, d=0.75)))
    assert line["outcome"] == "failure"
    assert line["d"] == {"1-7": 0.75}


def test_an_unknown_field_is_refused_by_name() -> None:
    line = {**json.loads(to_json(record())), "colour": "red"}
    with pytest.raises(PermError, match="fields that nobody knows: colour"):
        from_json(json.dumps(line))


def test_a_missing_field_is_refused_by_name() -> None:
    line = json.loads(to_json(record()))
    del line["d"], line["prompt"]
    with pytest.raises(PermError, match=r"lacks fields: d, prompt\."):
        from_json(json.dumps(line))


def test_an_unknown_outcome_is_refused() -> None:
    line = {**json.loads(to_json(record())), "outcome": "succes"}
    with pytest.raises(PermError, match=r"Unknown outcome 'succes'\. Did you mean success"):
        from_json(json.dumps(line))


@pytest.mark.parametrize("text", ["", '{"run": "x"', "[1, 2]"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(PermError, match="An episode record is"):
        from_json(text)


def test_identity_is_task_init_index_and_seed() -> None:
    assert record(init_index=33, seed=2).identity == EpisodeId(HIGH.id, 33, 2)


def test_two_preferences_have_the_smaller_label_and_score() -> None:
    both = dataclasses.replace(
        record(),
        preference_ids=("1-7", "2-5"),
        d={"1-7": 1.0, "2-5": 0.75},
        score={"1-7": 90.0, "2-5": 64.0},
    )
    assert (both.label, both.joint_score) == (0.75, 64.0)


def test_of_two_preferences_that_exclude_each_other_the_larger_label_counts() -> None:
    against = dataclasses.replace(
        record(), condition="P1+P2", preference_ids=("1-5", "1-7"), d={"1-5": 0.0, "1-7": 1.0}
    )
    assert against.label == 1.0


def test_one_label_of_two_is_no_label() -> None:
    both = ("1-7", "2-5")
    one = dataclasses.replace(record(), preference_ids=both, d={"1-7": 1.0, "2-5": None})
    assert one.label is None


def test_a_twin_has_the_label_of_what_was_measured() -> None:
    assert record(d=0.25, task=twin_of(HIGH)).label == 0.25


def test_a_broken_episode_has_no_label() -> None:
    assert record(d=None, outcome=Outcome.ERROR).label is None


def test_no_milestone_means_that_there_is_no_preferred_goal() -> None:
    assert record().reached_preferred is None
    missed = record(milestones=({"name": "preferred goal", "reached": False},))
    assert missed.reached_preferred is False
