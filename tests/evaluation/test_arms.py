"""Tests of perm.evaluation.arms."""

import pytest

from perm.core.errors import PermError
from perm.evaluation.arms import ARMS, in_arm, original
from perm.suites.library import load_library

LIBRARY = load_library()
FAST = LIBRARY.find_task("1-1_004")
HANDLE = LIBRARY.find_task("2-3_075")
RED = LIBRARY.find_task("3-2_081_1")


def test_normal_leaves_tasks_as_they_are() -> None:
    assert in_arm([FAST, RED], "normal", LIBRARY, 0) == (FAST, RED)


def test_none_asks_for_the_task_only_and_measures_the_same() -> None:
    (told,) = in_arm([FAST], "none", LIBRARY, 0)
    twin = LIBRARY.find_twin(FAST)
    assert twin is not None
    assert told.prompt == twin.prompt
    assert (told.id, told.condition, told.measured) == (FAST.id, FAST.condition, FAST.measured)


def test_opposite_asks_for_what_excludes_it() -> None:
    (told,) = in_arm([FAST], "opposite", LIBRARY, 0)
    assert told.prompt == FAST.prompt.replace("Speed up", "Slow down")


def test_a_task_without_an_opposite_is_named() -> None:
    with pytest.raises(PermError, match=r"no such sentence for single/2-3_075\. 1 of the tasks"):
        in_arm([FAST, HANDLE], "opposite", LIBRARY, 0)


def test_shuffled_asks_for_another_preference_of_the_level_by_the_seed() -> None:
    sentences = {in_arm([FAST], "shuffled", LIBRARY, seed)[0].prompt for seed in range(20)}
    motion = {p.language for p in LIBRARY.preferences.values() if p.id.startswith("1-")}
    wishes = {sentence.partition("Preference: ")[2].removesuffix(".") for sentence in sentences}
    assert len(wishes) > 1
    assert wishes < motion - {"Speed up"}
    assert in_arm([FAST], "shuffled", LIBRARY, 3) == in_arm([FAST], "shuffled", LIBRARY, 3)


def test_paraphrased_weaves_the_wish_into_the_sentence() -> None:
    (told,) = in_arm([FAST], "paraphrased", LIBRARY, 0)
    assert told.prompt == LIBRARY.tasks["compre/1-1_004.mixture"].prompt
    assert told.wording == "mixture"


@pytest.mark.parametrize("arm", ARMS)
def test_who_asks_for_nothing_is_in_every_arm_as_he_is(arm: str) -> None:
    twin = LIBRARY.find_twin(FAST)
    assert twin is not None
    assert in_arm([twin], arm, LIBRARY, 0) == (twin,)


def test_an_unknown_arm_is_told_with_the_known_ones() -> None:
    with pytest.raises(PermError, match="Did you mean shuffled"):
        in_arm([FAST], "shufled", LIBRARY, 0)


def test_liberos_own_sentence_and_goal_on_an_edited_layout() -> None:
    (told,) = original([RED], LIBRARY)
    assert (told.id, told.prompt) == (f"{RED.id}.nopref", "put the red mug on the plate")
    assert told.mission.goal.any_of == ((("on", "red_coffee_mug_1", "plate_1"),),)
    assert told.mission.layout == RED.mission.layout
    assert (told.condition, told.measured) == ((), RED.measured)


def test_two_tasks_of_one_twin_are_asked_for_once() -> None:
    both = [LIBRARY.tasks["compose/4-3_116__A"], LIBRARY.tasks["compose/4-3_116__B"]]
    assert [task.id for task in original(both, LIBRARY)] == ["compose/4-3_116__nopref"]
