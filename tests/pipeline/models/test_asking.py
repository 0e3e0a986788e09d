from dataclasses import dataclass, field

import pytest

from perm.core.errors import PermError
from perm.pipeline.models.answers import read_json, read_number
from perm.pipeline.models.asking import Budget, ask
from perm.pipeline.models.question import Answer, ModelError, Question

QUESTION = Question("layout-1", "Where?")


@dataclass
class Scripted:
    """A model that gives answers in turn, the last one for ever; it knows what it was asked."""

    answers: list[Answer]
    asked: list[Question] = field(default_factory=list)
    name: str = "scripted"

    def answer(self, question: Question) -> Answer:
        self.asked.append(question)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


def number(text: str) -> float:
    return read_number(read_json(text), "x", -0.25, 0.25)


def test_an_answer_that_makes_sense_is_taken_at_once() -> None:
    model = Scripted([Answer('{"x": 0.1}')])
    assert ask(model, QUESTION, number, Budget()) == 0.1
    assert len(model.asked) == 1


def test_what_was_wrong_goes_back_and_the_answer_does_not() -> None:
    model = Scripted([Answer('{"x": 7}'), Answer("no idea"), Answer('{"x": 0.1}')])
    assert ask(model, QUESTION, number, Budget()) == 0.1
    prompt = model.asked[2].prompt
    assert "x has to be a number from -0.25 to 0.25, found 7" in prompt
    assert "no JSON object in the answer: 'no idea'" in prompt
    assert prompt.count("Where?") == 1


def test_a_cut_answer_is_never_read_and_gets_more_room_without_its_broken_text() -> None:
    model = Scripted([Answer('{"x": 0.1} {"x', finish="length"), Answer('{"x": 0.2}')])
    assert ask(model, QUESTION, number, Budget()) == 0.2
    assert model.asked[1].max_tokens == 4 * model.asked[0].max_tokens
    assert model.asked[1].prompt == QUESTION.text


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer("", finish="content_filter"), "refused or filtered"),
        (Answer("  "), "the answer is empty"),
        (Answer("{", finish="length"), "cut off at its limit"),
    ],
)
def test_what_is_no_answer_is_told_and_the_attempts_are_bounded(answer: Answer, told: str) -> None:
    model = Scripted([answer])
    with pytest.raises(ModelError, match=told):
        ask(model, QUESTION, number, Budget(attempts=3))
    assert len(model.asked) == 3


def test_tokens_are_bounded_over_several_questions() -> None:
    model, budget = Scripted([Answer('{"x": 0.1}', tokens=80)]), Budget(tokens=100)
    ask(model, QUESTION, number, budget)
    ask(model, QUESTION, number, budget)
    with pytest.raises(ModelError, match="budget of tokens is used up"):
        ask(model, QUESTION, number, budget)
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    "text",
    [
        '{"x": 0.1}',
        'Sure, here it is:\n```json\n{"x": 0.1}\n```\nAnything else?',
        'I thought of {this} and came to {"x": 0.1}',
        '{"x": 0.1} Once more: {"x": 0.1}',
    ],
)
def test_a_json_object_is_found_in_prose_and_in_a_fence(text: str) -> None:
    assert read_json(text) == {"x": 0.1}


def test_two_different_objects_are_no_answer() -> None:
    with pytest.raises(PermError, match="2 JSON objects"):
        read_json('{"x": 0.1} or {"x": 0.2}')


@pytest.mark.parametrize("value", ["NaN", "Infinity", '"0.1"', "true", "null", "0.26", "[0.1]"])
def test_a_number_is_finite_typed_and_within_bounds(value: str) -> None:
    with pytest.raises(PermError, match="x has to be a number"):
        number(f'{{"x": {value}}}')
