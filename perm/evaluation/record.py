"""One line an episode: all that tables and later diagnosis ever read."""

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from perm.core.episode import EpisodeId, Outcome
from perm.core.errors import PermError, unknown_name
from perm.metrics.pairs import either_label, joint_label

PREFERRED_GOAL = "preferred goal"
"""Milestone of a profile task: the goal was reached with the preferred choice."""
EXCLUSIVE = "P1+P2"
"""Condition of two preferences that exclude each other."""
END = "end"
"""Milestone that every episode reaches; beside it stands the reason: why it ended there."""


@dataclass(frozen=True)
class EpisodeRecord:
    """An episode of an evaluation. The fields are the keys of the line, in this order.

    Attributes:
        run: Identity of the run that the episode belongs to.
        seed: Seed of the episode, see `perm.evaluation.run`.
        wording: How the preference was put into words; None if none was and the task's sentence
            is not LIBERO's own.
        preference_ids: What was asked for; `d`, `score` and `raw` hold what was measured, so that
            a twin has values too.
        d: Satisfaction label by preference, not gated by success.
        score: 0 to 100 by preference, or None.
        raw: By preference: value, unit, step and reason.
        milestones: Name and whether it was reached; the last one, "end", has a reason, for
            example "settled" or "gave up: plan: goal in collision".
        steps: Number of actions, or None for an episode that broke.
        wall_s: Seconds it took.
    """

    run: str
    policy: str
    checkpoint_step: int | None
    camera: str | None
    seed: int
    suite: str
    series: str | None
    task_id: str
    group: str
    mission_id: str
    layout_digest: str
    init_index: int
    prompt: str
    wording: str | None
    preference_ids: tuple[str, ...]
    level: str
    condition: str
    generalization: str
    split: str
    perturbation: str
    outcome: Outcome
    error: str | None
    success_any: bool
    success_end: bool
    success_settled: bool
    d: Mapping[str, float | None]
    score: Mapping[str, float | None]
    raw: Mapping[str, Mapping[str, Any]]
    milestones: tuple[Mapping[str, Any], ...]
    subtasks: tuple[Mapping[str, Any], ...]
    steps: int | None
    wall_s: float
    clip_count: int
    versions: Mapping[str, str]
    renderer: str | None
    first_frame_sha256: str | None
    scene_sha256: str | None

    @property
    def identity(self) -> EpisodeId:
        """Task, init index and seed: no two episodes of a run share them."""
        return EpisodeId(self.task_id, self.init_index, self.seed)

    @property
    def cause(self) -> str | None:
        """First line of what broke the episode; None if it was played to an end."""
        return (self.error or "").partition("\n")[0] if self.outcome is Outcome.ERROR else None

    @property
    def label(self) -> float | None:
        """The label of the episode, not gated: with two preferences the smaller one.

        Where they exclude each other it is the larger one.
        """
        return self._joint(self.d, larger=self.condition == EXCLUSIVE)

    def label_of(self, preferences: Sequence[str]) -> float | None:
        """Return the label of some of the measured preferences, not gated: the smallest one."""
        return functools.reduce(joint_label, [self.d.get(name) for name in preferences])

    def worth(self, label: float | None) -> float | None:
        """Return what the episode adds to an SA with that label; None for a success without one."""
        return label if self.success_any else 0.0

    @property
    def joint_score(self) -> float | None:
        """The score of the episode, 0 to 100: with two preferences the smaller one."""
        return self._joint(self.score)

    @property
    def reached_preferred(self) -> bool | None:
        """Whether the goal was reached with the preferred choice; None if there is none."""
        reached = [bool(m["reached"]) for m in self.milestones if m["name"] == PREFERRED_GOAL]
        return reached[0] if reached else None

    def _joint(self, values: Mapping[str, float | None], larger: bool = False) -> float | None:
        known = [values[name] for name in self.preference_ids or values]
        if larger:
            return functools.reduce(either_label, known)
        return functools.reduce(joint_label, known) if known else None


def to_json(record: EpisodeRecord) -> str:
    """Return the record as one line, without the line break."""
    return json.dumps(asdict(record), ensure_ascii=False, allow_nan=False)


def from_json(text: str) -> EpisodeRecord:
    """Return the record of one line.

    Raises:
        PermError: The line is not a record, or has other fields than one.
    """
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise PermError(f"An episode record is not JSON: {error}.") from error
    if not isinstance(values, dict):
        raise PermError(f"An episode record is a JSON object, not {type(values).__name__}.")
    names = {field.name for field in fields(EpisodeRecord)}
    if unknown := sorted(values.keys() - names):
        raise PermError(f"An episode record has fields that nobody knows: {', '.join(unknown)}.")
    if missing := sorted(names - values.keys()):
        raise PermError(f"An episode record lacks fields: {', '.join(missing)}.")
    if values["outcome"] not in tuple(Outcome):
        raise unknown_name("outcome", str(values["outcome"]), tuple(Outcome))
    values["outcome"] = Outcome(values["outcome"])
    for name in ("preference_ids", "milestones", "subtasks"):
        values[name] = tuple(values[name])
    return EpisodeRecord(**values)
