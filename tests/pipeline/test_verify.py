from dataclasses import replace

import pytest

from perm.core.errors import PermError
from perm.core.mission import SkillCall
from perm.pipeline import verify as verifying
from perm.pipeline.contrasts import Contrast, contrast_of
from perm.pipeline.verify import VerifyRequest, verify
from perm.suites.library import load_library

LIBRARY = load_library()


def contrasts(*names: str) -> list[Contrast]:
    return [contrast_of(LIBRARY.preferences[name], LIBRARY) for name in names]


def test_a_preference_is_judged_where_its_opposite_can_be_kept_too() -> None:
    (left, edge, bigger) = contrasts("2-5", "2-1", "3-5")
    assert (left.task.id, left.opposite and left.opposite.id) == (
        "single/2-5_112",
        "single/2-6_112",
    )
    assert edge.opposite is not None
    assert [p.id for p in edge.opposite.followed] == ["2-13"]
    assert (bigger.task.id, bigger.opposite and bigger.opposite.id) == (
        "single/3-5_120_1",
        "single/3-15_120_1",
    )


def test_without_a_twin_another_skill_is_set_against_it() -> None:
    pushed, dragged, level = contrasts("2-8", "2-9", "2-7")
    assert [call.skill for call in pushed.twin.plan.calls] == ["drag"]
    assert [call.skill for call in dragged.twin.plan.calls] == ["push"]
    put_back = SkillCall("place_on", "plate_1", "yellow_milk_1")
    assert level.twin.plan.calls == (SkillCall("pick", "plate_1"), put_back)
    assert not level.finishes
    assert level.twin.followed == ()


def test_every_preference_has_a_task_and_a_negative() -> None:
    found = contrasts(*LIBRARY.preferences)
    assert len(found) == 37
    assert all(one.twin.followed == () for one in found)


def test_a_preference_that_no_task_asks_for_is_told() -> None:
    library = replace(LIBRARY, tasks={}, suites={})
    with pytest.raises(PermError, match=r"No task asks for 1-7; add one that does\."):
        verify(VerifyRequest(("1-7",), (30,)), library)


@pytest.mark.parametrize(
    ("labels", "problems"),
    [
        ((1.0, 0.25, None), []),
        ((1.0, 0.0, 0.0), []),
        ((0.75, 0.25, None), ["who keeps it scores 0.75"]),
        ((1.0, 0.75, 0.25), ["who was told nothing scores 0.75", "who does the opposite scores"]),
        ((1.0, None, None), ["who was told nothing scores None"]),
    ],
)
def test_a_label_that_is_not_what_was_done_is_told(
    labels: tuple[float | None, float | None, float | None], problems: list[str]
) -> None:
    found = list(verifying._label_problems(labels, labels[2] is not None))
    assert len(found) == len(problems)
    assert all(text.startswith(start) for text, start in zip(found, problems, strict=True))


@pytest.mark.sim
@pytest.mark.parametrize("name", ["1-7", "3-8"])
def test_a_metric_proves_itself_on_real_episodes(name: str) -> None:
    (found,) = verify(VerifyRequest((name,), (30,)), LIBRARY)
    assert found.problems == ()
    assert found.labels[0] == 1.0
