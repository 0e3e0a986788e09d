"""Keeps raw answers under the address of their question, so that a run resumes and replays."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from perm.core.errors import PermError
from perm.data.atomic import completed
from perm.pipeline.models.question import Answer, Model, ModelError, Question


@dataclass(frozen=True)
class Recorded:
    """Answers from a folder only: nobody is asked.

    Attributes:
        name: Of the model whose answers they are.
        folder: Holds a file an answer.
    """

    name: str
    folder: Path

    def answer(self, question: Question) -> Answer:
        """Return the kept answer."""
        kept = _read(self.folder, self.name, question)
        if kept is None:
            raise ModelError(
                f"{self.folder} holds no answer of {self.name} to this question "
                f"({question.purpose}, {question.key(self.name)[:12]}): it was recorded with other "
                "words, another scene or another model. Ask the model once more."
            )
        return kept


@dataclass(frozen=True)
class Recording:
    """Asks a model what is not in a folder yet, and keeps the answers there.

    Attributes:
        model: Who is asked.
        folder: Where answers are kept.
    """

    model: Model
    folder: Path

    @property
    def name(self) -> str:
        """Of the model."""
        return self.model.name

    def answer(self, question: Question) -> Answer:
        """Return the kept answer, or ask and keep it."""
        kept = _read(self.folder, self.name, question)
        if kept is not None:
            return kept
        answer = self.model.answer(question)
        path = _path(self.folder, self.name, question)
        record = {
            "model": self.name,
            "purpose": question.purpose,
            "prompt": question.prompt,
            "n_images": len(question.images),
            "answer": asdict(answer),
        }
        with completed(path) as unfinished:
            unfinished.write_text(json.dumps(record, indent=1, sort_keys=True), encoding="utf-8")
        return answer


def recorded_name(folder: Path) -> str:
    """Return the name of the model whose answers a folder holds.

    Raises:
        PermError: It holds none, or those of several.
    """
    names = {
        json.loads(path.read_text(encoding="utf-8"))["model"] for path in folder.glob("*.json")
    }
    if len(names) != 1:
        held = ", ".join(sorted(names)) or "no model"
        raise PermError(f"{folder} holds answers of {held}; recorded: wants those of one.")
    return str(names.pop())


def _path(folder: Path, model: str, question: Question) -> Path:
    return folder / f"{question.key(model)}.json"


def _read(folder: Path, model: str, question: Question) -> Answer | None:
    path = _path(folder, model, question)
    if not path.is_file():
        return None
    try:
        return Answer(**json.loads(path.read_text(encoding="utf-8"))["answer"])
    except (ValueError, KeyError, TypeError) as error:
        raise PermError(f"{path} is no recorded answer: {error}. Remove it.") from error
