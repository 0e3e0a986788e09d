import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from perm.core.errors import PermError
from perm.pipeline.models.names import find_model
from perm.pipeline.models.question import Answer, ModelError, Question
from perm.pipeline.models.recorded import Recorded, Recording

QUESTION = Question("plan-1", "What?", images=(b"png",))


@dataclass
class Counting:
    """A model that counts how often it is asked."""

    count: int = 0
    name: str = "counting:small"

    def answer(self, question: Question) -> Answer:
        del question
        self.count += 1
        return Answer(f"answer {self.count}", tokens=7)


def test_a_kept_answer_is_not_asked_for_again(tmp_path: Path) -> None:
    model = Counting()
    first = Recording(model, tmp_path).answer(QUESTION)
    assert Recording(model, tmp_path).answer(QUESTION) == first == Answer("answer 1", tokens=7)
    assert model.count == 1


def test_other_words_images_or_reasons_are_another_question(tmp_path: Path) -> None:
    model = Counting()
    keeping = Recording(model, tmp_path)
    for other in (
        QUESTION,
        replace(QUESTION, text="What else?"),
        replace(QUESTION, images=(b"gnp",)),
        replace(QUESTION, reasons=("no",)),
        replace(QUESTION, max_tokens=9),
        replace(QUESTION, purpose="plan-2"),
    ):
        keeping.answer(other)
    assert model.count == 6


def test_the_raw_answer_and_the_words_of_the_question_are_kept(tmp_path: Path) -> None:
    Recording(Counting(), tmp_path).answer(QUESTION)
    (file,) = tmp_path.iterdir()
    kept = json.loads(file.read_text())
    assert kept["answer"]["text"] == "answer 1"
    assert kept["prompt"] == "What?"


def test_recorded_answers_are_replayed_without_the_model(tmp_path: Path) -> None:
    Recording(Counting(), tmp_path).answer(QUESTION)
    model = find_model(f"recorded:{tmp_path}", tmp_path / "unused")
    assert isinstance(model, Recorded)
    assert model.name == "counting:small"
    assert model.answer(QUESTION).text == "answer 1"
    with pytest.raises(ModelError, match="holds no answer"):
        model.answer(replace(QUESTION, text="What else?"))


def test_a_damaged_answer_is_told(tmp_path: Path) -> None:
    Recording(Counting(), tmp_path).answer(QUESTION)
    next(tmp_path.iterdir()).write_text("{")
    with pytest.raises(PermError, match="is no recorded answer"):
        Recording(Counting(), tmp_path).answer(QUESTION)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("opnai:gpt", "Unknown model 'opnai:gpt'"),
        ("openai:", "Unknown model"),
        ("openai-compatible:small", "names no server"),
        ("recorded:nowhere", "There is no folder 'nowhere'"),
    ],
)
def test_a_name_that_nobody_has_is_refused(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(PermError, match=told):
        find_model(text, tmp_path)


def test_rules_are_no_model(tmp_path: Path) -> None:
    assert find_model("rules", tmp_path) is None


def test_the_address_of_a_server_is_not_kept(tmp_path: Path) -> None:
    model = find_model("openai-compatible:small@http://user:secret@127.0.0.1:1/v1", tmp_path)
    assert model is not None
    assert model.name == "openai-compatible:small"
