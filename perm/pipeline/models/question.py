"""A question to a model, its answer, and the one method that a model has."""

import hashlib
import json
from dataclasses import dataclass
from typing import Protocol

from perm.core.errors import PermError

CUT, REFUSED = "length", "content_filter"
"""Finish reasons of an answer that is not whole; any other one is of a whole answer."""

SHORT = 1500
"""Tokens that an answer may have, unless it was cut."""


class ModelError(PermError):
    """A model gave no answer: no key, no connection, a time-out, a refusal."""


class NoAnswerError(ModelError):
    """A model was asked as often as the budget allows, and no answer would do."""


@dataclass(frozen=True)
class Question:
    """What a model is asked.

    Attributes:
        purpose: "layout", "plan" or "inspect", with the version of its words: "layout-1".
        text: The question.
        images: PNG files, right way up.
        reasons: Why earlier answers were rejected, the latest last.
        max_tokens: Longest answer.
        temperature: How much answers to one question may differ.
    """

    purpose: str
    text: str
    images: tuple[bytes, ...] = ()
    reasons: tuple[str, ...] = ()
    max_tokens: int = SHORT
    temperature: float = 0.0

    @property
    def prompt(self) -> str:
        """The question with what was wrong so far; answers themselves are not repeated."""
        if not self.reasons:
            return self.text
        told = "\n".join(f"- {reason}" for reason in self.reasons)
        return f"{self.text}\n\nEarlier answers were rejected:\n{told}"

    def key(self, model: str) -> str:
        """Return the address of the answer of a model: a hash of all that it is asked."""
        asked = {
            "model": model,
            "purpose": self.purpose,
            "prompt": self.prompt,
            "images": [hashlib.sha256(image).hexdigest() for image in self.images],
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
        }
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Answer:
    """What came back.

    Attributes:
        text: As it was given.
        finish: Why it ended there: "stop", "length", "content_filter", ...
        tokens: Of the question and the answer together, as the model counts them.
    """

    text: str
    finish: str = "stop"
    tokens: int = 0


class Model(Protocol):
    """Answers questions."""

    @property
    def name(self) -> str:
        """As in commands, and in what is kept."""
        ...

    def answer(self, question: Question) -> Answer:
        """Return the answer, whole or not.

        Raises:
            ModelError: There is none.
        """
        ...
