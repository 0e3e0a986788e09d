"""Two independent looks at pictures of an episode: was it done, and as the user wanted it?

Only what a picture can show is asked: where something is taken, from which side, how it lies in the
end. Speed, acceleration and distances are "unverifiable", whatever is answered. Two looks that
differ mean that somebody has to look again, never that the episode is accepted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from perm.core.conventions import CAMERAS
from perm.core.episode import Episode
from perm.core.errors import PermError
from perm.core.task import Level, Preference, Task
from perm.pipeline.models.asking import Budget, ask
from perm.pipeline.models.question import Model, Question
from perm.pipeline.plan_text import write_plan

if TYPE_CHECKING:
    from perm.sim.render import Studio

LOOKS = 2
LOOKING_TEMPERATURE = 0.7
"""The looks are asked the same; at 0 the second one would only repeat the first."""
PICTURES, PICTURE_SIZE = 8, 256
"""So many pictures of an episode are shown, evenly over its time, so high and wide [px]."""
UNVERIFIABLE = "unverifiable"
VERDICTS = ("yes", "no", UNVERIFIABLE)
ACCEPTED, REJECTED, LOOK_AGAIN = "accepted", "rejected", "look again"
SHOWN_IN_PICTURES = ("edge_pick", "handle_pick", "approach_angle", "lay_tilt")
"""Measurements of motion and skill preferences whose keeping a picture can show."""
_TASK = re.compile(r"Task_Verdict:\s*<?(\w+)>?", re.IGNORECASE)
_KEPT = re.compile(r"Preference_Verdict:\s*<?(\w+)>?", re.IGNORECASE)
_REASONS = re.compile(r"(?:Task|Preference)_Reason:\s*(.+)", re.IGNORECASE)


@dataclass(frozen=True)
class Look:
    """One judgement.

    Attributes:
        done: "yes" or "no".
        kept: One of `VERDICTS`.
        reasons: As given.
    """

    done: str
    kept: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inspection:
    """What two looks come to."""

    looks: tuple[Look, ...]

    @property
    def verdict(self) -> str:
        """Return "accepted", "rejected", "unverifiable", or "look again" where they differ."""
        if len({(look.done, look.kept) for look in self.looks}) > 1:
            return LOOK_AGAIN
        look = self.looks[0]
        if look.done == "no" or look.kept == "no":
            return REJECTED
        return ACCEPTED if look.kept == "yes" else UNVERIFIABLE


def can_be_seen(preference: Preference) -> bool:
    """Return whether pictures can show that a preference was kept."""
    return preference.level is Level.PROFILE or preference.metric.name in SHOWN_IN_PICTURES


@dataclass(frozen=True)
class Inspector:
    """Whoever looks at an attempt before it becomes a demonstration.

    Attributes:
        model: Who looks.
    """

    model: Model

    def inspect(self, task: Task, episode: Episode, studio: "Studio", budget: Budget) -> Inspection:
        """Return what two looks come to; where they differ, what two fresh ones do.

        Raises:
            NoAnswerError: The model does not answer in the form asked for.
            ModelError: There is no model to ask.
        """
        frames = pictures(episode, studio)
        found = look_twice(task, frames, self.model, budget)
        if found.verdict != LOOK_AGAIN:
            return found
        return look_twice(task, frames, self.model, budget, seen=LOOKS)


def pictures(episode: Episode, studio: "Studio") -> list[bytes]:
    """Return what AgentView saw in the course of an episode, right way up, as PNG files."""
    from perm.sim.render import draw_episode

    assert episode.view_qpos is not None
    found = []
    for row in np.linspace(0, len(episode.view_qpos) - 1, PICTURES).round().astype(int):
        rows = slice(int(row), int(row) + 1)
        frame = draw_episode(studio, episode, PICTURE_SIZE, CAMERAS[:1], rows)[CAMERAS[0]][0]
        png = BytesIO()
        Image.fromarray(frame[::-1]).save(png, format="PNG")
        found.append(png.getvalue())
    return found


def look_twice(
    task: Task, frames: Sequence[bytes], model: Model, budget: Budget, seen: int = 0
) -> Inspection:
    """Return what a model sees in pictures of an episode.

    Args:
        task: What was to be done, and how.
        frames: PNG files in the order of time, right way up.
        model: Looks twice; the looks do not know of each other.
        budget: Its tokens are used up.
        seen: How many looks there were before these.

    Raises:
        NoAnswerError: It does not answer in the form asked for.
    """
    looks, words = [], _words(task, len(frames))
    for number in range(seen, seen + LOOKS):
        question = Question(
            f"inspect-1.{number + 1}", words, tuple(frames), temperature=LOOKING_TEMPERATURE
        )
        looks.append(ask(model, question, lambda text: _read(text, task), budget))
    return Inspection(tuple(looks))


def _read(text: str, task: Task) -> Look:
    done = _verdict(_TASK, text, VERDICTS[:2])
    if not task.condition:
        return Look(done, UNVERIFIABLE, tuple(map(str.strip, _REASONS.findall(text))))
    kept = _verdict(_KEPT, text, VERDICTS)
    if not all(can_be_seen(preference) for preference in task.condition):
        kept = UNVERIFIABLE
    return Look(done, kept, tuple(reason.strip() for reason in _REASONS.findall(text)))


def _verdict(pattern: re.Pattern[str], text: str, known: Sequence[str]) -> str:
    found = {word.lower() for word in pattern.findall(text)}
    name = pattern.pattern.partition(":")[0]
    if len(found) != 1 or not found <= set(known):
        said = ", ".join(sorted(found)) or "nothing"
        raise PermError(f"{name} has to be one of {', '.join(known)}, found {said}")
    return str(found.pop())


def _words(task: Task, n_frames: int) -> str:
    wish = " ".join(preference.language for preference in task.condition)
    told = (
        f"How its user wants it done: {wish}.\n"
        f"Without a wish it would have been: {write_plan(task.plain_plan, 'none')}\n"
    )
    asked = (
        "\nPreference_Verdict:<yes|no|unverifiable>\n"
        "Preference_Reason:<one sentence, with the numbers of pictures>"
    )
    return (
        f"{n_frames} pictures of one episode follow, in the order of time. A robot arm was to do "
        f"this: {task.mission.language!r}. {told if wish else ''}\n"
        f"What was planned: {write_plan(task.plan, wish or 'none')}\n"
        "Judge by what the pictures show and nothing else: what is touched where, from which side "
        "the hand comes, which object it is, where it ends up and how it lies. How fast, how "
        "gently, how high and how near cannot be seen: answer unverifiable for these.\n"
        "Answer with these lines:\n"
        f"Task_Verdict:<yes|no>\nTask_Reason:<one sentence>{asked if wish else ''}"
    )
