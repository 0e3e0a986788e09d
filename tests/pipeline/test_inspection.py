import io
from dataclasses import dataclass, field

import numpy as np
import pytest
from PIL import Image

from perm.core.task import Task
from perm.pipeline.inspection import PICTURES, Inspection, Inspector, Look, can_be_seen, look_twice
from perm.pipeline.models.asking import Budget
from perm.pipeline.models.question import Answer, ModelError, Question
from perm.pipeline.workshop import Order, open_workshop
from perm.suites.library import Library, load_library


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


@dataclass
class Scripted:
    """A model that gives answers in turn, the last one for ever."""

    answers: list[str]
    asked: list[Question] = field(default_factory=list)
    name: str = "scripted"

    def answer(self, question: Question) -> Answer:
        self.asked.append(question)
        return Answer(self.answers[min(len(self.asked), len(self.answers)) - 1])


def said(done: str, kept: str) -> str:
    return (
        f"Task_Verdict: {done}\nTask_Reason: it is there\n"
        f"Preference_Verdict: <{kept}>\nPreference_Reason: see 3\nSubtask_Analysis: none"
    )


def looked(task: Task, *answers: str) -> tuple[Inspection, Scripted]:
    model = Scripted(list(answers))
    return look_twice(task, [b"1", b"2"], model, Budget()), model


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (("yes", "yes"), ("yes", "yes"), "accepted"),
        (("yes", "no"), ("yes", "no"), "rejected"),
        (("no", "yes"), ("no", "yes"), "rejected"),
        (("yes", "unverifiable"), ("yes", "unverifiable"), "unverifiable"),
        (("yes", "yes"), ("yes", "no"), "look again"),
        (("yes", "yes"), ("yes", "unverifiable"), "look again"),
        (("yes", "yes"), ("no", "yes"), "look again"),
    ],
)
def test_two_looks_that_differ_never_accept(
    library: Library, first: tuple[str, str], second: tuple[str, str], verdict: str
) -> None:
    found, _ = looked(library.find_task("3-2_081_1"), said(*first), said(*second))
    assert found.verdict == verdict


def test_the_looks_do_not_know_of_each_other(library: Library) -> None:
    found, model = looked(library.find_task("3-2_081_1"), said("yes", "yes"))
    first, second = model.asked
    assert first.prompt == second.prompt
    assert first.images == (b"1", b"2")
    assert first.key("m") != second.key("m")
    assert found.looks[0] == Look("yes", "yes", ("it is there", "see 3"))


def test_what_no_picture_shows_is_unverifiable_whatever_is_answered(library: Library) -> None:
    seen = {key for key, preference in library.preferences.items() if can_be_seen(preference)}
    assert {"1-1", "1-3", "1-4", "1-5", "1-7", "2-10"}.isdisjoint(seen)
    assert {"2-1", "2-3", "2-5", "2-14", "3-1", "3-15"} <= seen
    found, _ = looked(library.find_task("1-7_104"), said("yes", "yes"))
    assert found.verdict == "unverifiable"


def test_of_whom_nothing_was_asked_only_the_task_is_judged(library: Library) -> None:
    twin = library.find_task("3-2_081_1.nopref")
    found, model = looked(twin, said("yes", "no"), "Task_Verdict:yes\nTask_Reason: there")
    assert found.verdict == "unverifiable"
    assert "Preference_Verdict" not in model.asked[0].prompt
    assert looked(twin, "Task_Verdict:no\nTask_Reason: it fell")[0].verdict == "rejected"


def test_an_answer_of_another_form_is_asked_for_again(library: Library) -> None:
    task = library.find_task("3-2_081_1")
    found, model = looked(task, "It looks fine.", said("yes", "maybe"), said("yes", "yes"))
    assert found.verdict == "accepted"
    assert "Task_Verdict has to be one of yes, no, found nothing" in model.asked[1].prompt
    assert "Preference_Verdict has to be one of" in model.asked[2].prompt
    with pytest.raises(ModelError):
        looked(task, "It looks fine.")


@pytest.mark.sim
def test_an_attempt_becomes_a_demonstration_only_if_two_looks_agree_to_it(
    library: Library,
) -> None:
    model = Scripted(
        [said("yes", "no")] * 2  # rejected
        + [said("yes", "yes"), said("no", "yes"), said("no", "yes"), said("yes", "yes")]  # differ
        + ["It looks fine."] * 5  # says nothing
        + [said("yes", "yes"), said("no", "yes"), said("yes", "yes")]  # fresh looks agree
    )
    task = library.find_task("3-4_104_1")
    order = Order(task, 0, seed=0, purpose="demo", init_indices=(0,), calibrations={})
    with open_workshop("core", Inspector(model)) as workshop:
        made = workshop.make(order)
    assert made.attempts == {
        "inspection: not as asked for": 1,
        "inspection: the looks differ": 1,
        "inspection: no verdict": 1,
    }
    assert made.inspection == "accepted"
    assert [len(question.images) for question in model.asked] == [PICTURES] * 15
    first, last = (np.array(Image.open(io.BytesIO(model.asked[0].images[i]))) for i in (0, -1))
    # Right way up the wall is above the table: darker than it in this kitchen.
    assert first.shape == last.shape == (256, 256, 3)
    assert first[:40].mean() < first[-80:].mean()
    assert (first != last).any()
