"""Asks until an answer will do, within a budget; what was wrong goes with the next question."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from perm.core.errors import PermError
from perm.pipeline.models.question import (
    CUT,
    REFUSED,
    SHORT,
    Answer,
    Model,
    NoAnswerError,
    Question,
)

_log = logging.getLogger(__name__)

FoundT = TypeVar("FoundT")

LONGER = 4
"""How many times as long an answer may be that was cut once."""


@dataclass
class Budget:
    """What may still be asked.

    Attributes:
        attempts: Answers to one question.
        tokens: Of all questions and answers together.
    """

    attempts: int = 5
    tokens: int = 200_000


def ask(model: Model, question: Question, read: Callable[[str], FoundT], budget: Budget) -> FoundT:
    """Return what an answer says, once one can be read and makes sense.

    An answer that was cut is asked for once more with more room; its text is never read.

    Args:
        model: Who is asked.
        question: What.
        read: From a text to what it says; raises PermError with a reason that helps the model.
        budget: Its tokens are used up.

    Raises:
        NoAnswerError: No answer will do within the budget; lists why.
    """
    reasons: list[str] = []
    for _ in range(budget.attempts):
        if budget.tokens <= 0:
            reasons.append("the budget of tokens is used up")
            break
        answer = model.answer(replace(question, reasons=tuple(reasons)))
        budget.tokens -= answer.tokens
        try:
            return read(_whole(answer))
        except PermError as error:
            reasons.append(str(error))
            _log.info("%s, %s: rejected: %s", model.name, question.purpose, error)
        if answer.finish == CUT and question.max_tokens < LONGER * SHORT:
            question = replace(question, max_tokens=question.max_tokens * LONGER)
            reasons.pop()
    told = "; ".join(reasons) or "every answer was cut"
    raise NoAnswerError(f"{model.name} gave no answer to {question.purpose} that will do: {told}")


def _whole(answer: Answer) -> str:
    """Return the text of an answer that is whole, before anything is read from it."""
    if answer.finish == CUT:
        raise PermError("the answer was cut off at its limit of length; answer shorter")
    if answer.finish == REFUSED:
        raise PermError("the answer was refused or filtered")
    if not answer.text.strip():
        raise PermError("the answer is empty")
    return answer.text
