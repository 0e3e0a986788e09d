from pathlib import Path
from typing import Any

from perm.evaluation.pairing import Clip, choose_pair, find_clips, read_evaluated
from perm.evaluation.rates import rates_of
from perm.evaluation.runner import evaluate
from perm.evaluation.summary import TaskSummary
from perm.evaluation.video import video_path
from tests.evaluation.world import HIGH, LIBRARY, RED_MUG, BreaksAt31, record, request, twin_of


def clip(name: str, success: bool = True, d: float | None = 1.0, **changes: Any) -> Clip:
    one = record(success, d, **changes)
    task = TaskSummary(one.task_id, one.group, one.level, (), one.prompt, 100, rates_of([one]))
    return Clip(Path(name), one, task)


def names(*clips: Clip) -> list[str]:
    return [one.path.name for one in choose_pair(clips)]


def test_the_twin_stands_beside_its_task() -> None:
    asked, twin = clip("asked"), clip("twin", d=0.25, task=twin_of(HIGH))
    assert names(twin, asked) == ["asked", "twin"]


def test_the_policy_that_ignores_the_preference_stands_at_the_right() -> None:
    assert names(clip("ignores", d=0.25), clip("follows")) == ["follows", "ignores"]


def test_the_larger_contrast_is_shown() -> None:
    assert names(clip("a"), clip("b", d=0.75), clip("c", d=0.0)) == ["a", "c"]


def test_the_same_start_matters_more_than_contrast() -> None:
    away = clip("away", d=0.0, init_index=31)
    assert names(clip("a"), away, clip("b", d=0.75)) == ["a", "b"]


def test_success_matters_more_than_contrast() -> None:
    assert names(clip("a"), clip("failed", False, 0.0), clip("b", d=0.75)) == ["a", "b"]


def test_a_label_that_is_not_known_is_no_contrast() -> None:
    assert names(clip("a"), clip("unknown", d=None), clip("b", d=0.75)) == ["a", "b"]


def test_one_clip_stands_alone() -> None:
    assert names(clip("a")) == ["a"]
    assert names(clip("twin", task=twin_of(HIGH))) == ["twin"]
    assert names() == []


def test_clips_are_the_filmed_episodes_that_did_not_break(tmp_path: Path) -> None:
    evaluate(request(tmp_path, twins=True), LIBRARY, BreaksAt31)
    one = read_evaluated(tmp_path)
    (tmp_path / "videos").mkdir()
    filmed = [i for i in one.records if i.init_index in (30, 31)]
    for identity in filmed:
        video_path(tmp_path, "random", identity).touch()
    assert [c.path.name for c in find_clips([one], HIGH.id)] == [
        "single-1-7_104_random_init30_seed0.mp4",
        "single-1-7_104.nopref_random_init30_seed0.mp4",
    ]
    assert [c.record.task_id for c in find_clips([one], RED_MUG.id)] == [
        RED_MUG.id,
        f"{RED_MUG.id}.nopref",
    ]
