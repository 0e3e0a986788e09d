"""What a run is: all that its numbers depend on. Kept beside them as `run.json`."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from perm.core.conventions import BAR_INDICES
from perm.core.episode import EpisodeId
from perm.core.errors import PermError, unknown_name
from perm.core.seeding import derive_seed
from perm.core.task import SPLITS, Task
from perm.evaluation.arms import NORMAL
from perm.evaluation.players import allowed_indices, policy_title
from perm.metrics.calibration import Calibration
from perm.policies.address import without_credentials
from perm.suites.identity import scales_of, task_digest


@dataclass(frozen=True)
class TaskRun:
    """One task of a run.

    Attributes:
        group, level, preferences: Whose twin it is, and what is asked for.
        prompt: The sentence that is delivered.
        layout_digest: The scene.
        max_steps: Step limit of an episode.
        definition: sha256 (hex) of everything else that the configs say of the task.
        init_indices: Where its episodes start, in turns.
        calibration: What labels are made with, by measured preference; None for none.
    """

    group: str
    level: str
    preferences: tuple[str, ...]
    prompt: str
    layout_digest: str
    max_steps: int
    definition: str
    init_indices: tuple[int, ...]
    calibration: Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """A policy, tasks, and how many episodes of each from where.

    Attributes:
        policy: Its name in tables.
        options: Its settings, complete; its address without user and password.
        episodes: Number of episodes of each task, in each repeat.
        repeats: So often all of them are played, each time with other seeds.
        prompt: Which sentences are delivered, one of `perm.evaluation.arms.ARMS`.
        series: What the policy was trained on: a series of PrefScale, or a number of
            demonstrations; "" if nobody said.
        seed: Seed of the run.
        versions: Of perm and of the simulator's packages.
        tasks: By task id, in table order.
    """

    policy: str
    options: Mapping[str, Any]
    episodes: int
    repeats: int
    prompt: str
    series: str
    seed: int
    versions: Mapping[str, str]
    tasks: Mapping[str, TaskRun]

    @property
    def identity(self) -> "Run":
        """The run but for the facts that its numbers do not depend on: where the server is."""
        options = {name: value for name, value in self.options.items() if name != "url"}
        return replace(self, options=options)

    @property
    def id(self) -> str:
        """A name that two runs share only if they are the same, wherever they are kept."""
        digest = hashlib.sha256(to_json(self.identity).encode()).hexdigest()
        return f"{slug(self.policy)}-{digest[:8]}"

    def identities(self, task_id: str) -> tuple[EpisodeId, ...]:
        """Return the episodes of a task in order, those of the first repeat first."""
        return tuple(i for repeat in self.repeated(task_id) for i in repeat)

    def repeated(self, task_id: str) -> tuple[tuple[EpisodeId, ...], ...]:
        """Return the episodes of a task in order, by repeat.

        Once every init index has been used, they are used again with seeds of their own, so that
        no two episodes are alike, and runs with different seeds share none. A task and its twin
        have the same seeds.
        """
        indices = self.tasks[task_id].init_indices
        rounds = [divmod(k, len(indices)) for k in range(self.episodes)]
        return tuple(
            tuple(
                EpisodeId(task_id, indices[i], self._seed(task_id, indices[i], turn, repeat))
                for turn, i in rounds
            )
            for repeat in range(self.repeats)
        )

    def _seed(self, task_id: str, init_index: int, turn: int, repeat: int) -> int:
        seed = derive_seed(self.seed, "", 0, "repeat", repeat) if repeat else self.seed
        if turn == 0:
            return seed
        return derive_seed(seed, self.tasks[task_id].group, init_index, "round", turn)


def plan_run(
    tasks: Sequence[Task],
    options: Mapping[str, Any],
    calibrations: Mapping[str, Mapping[str, Calibration | None]],
    versions: Mapping[str, str],
    *,
    episodes: int,
    seed: int,
    init_indices: Sequence[int] | None,
    repeats: int = 1,
    prompt: str = NORMAL,
    series: str = "",
) -> Run:
    """Return the run that a request asks for; nothing is simulated and nothing written.

    Args:
        tasks: In table order, twins included.
        options: Settings of the policy, checked and complete.
        calibrations: By task id and preference id.
        versions: Of perm and of the simulator's packages.
        episodes: Number of episodes of each task, in each repeat.
        seed: Seed of the run.
        init_indices: Where to start, or None for 30 to 49; a policy that can play only some
            init indices plays only those.
        repeats: So often all of them are played.
        prompt: Which sentences the tasks have, one of `ARMS`; for the record.
        series: What the policy was trained on, for the record.

    Raises:
        PermError: There is no task or no episode to play, an init index is given twice, the
            split of a task is unknown, or the policy cannot play it.
    """
    if not tasks:
        raise PermError("There is no task to evaluate. `perm suite list` shows what there is.")
    if episodes < 1:
        raise PermError(f"episodes must be at least 1, got {episodes}.")
    if repeats < 1:
        raise PermError(f"repeats must be at least 1, got {repeats}.")
    _refuse_repeated(init_indices or ())
    for task in tasks:
        if task.split not in SPLITS:  # told now, and not when the first episode has been played
            raise unknown_name("split", task.split, SPLITS)
    return Run(
        policy=policy_title(options),
        options=_kept(options),
        episodes=episodes,
        repeats=repeats,
        prompt=prompt,
        series=series,
        seed=seed,
        versions=dict(versions),
        tasks={
            task.id: _task_run(
                task,
                calibrations[task.id],
                _indices(task, init_indices, allowed_indices(options, task), episodes),
            )
            for task in tasks
        },
    )


def to_json(run: Run) -> str:
    """Return the text of `run.json`."""
    return json.dumps({"kind": "evaluation", **asdict(run)}, indent=2, ensure_ascii=False) + "\n"


def from_json(text: str, source: str) -> Run:
    """Return the run of a `run.json`.

    Raises:
        PermError: It is not one; the message names the source.
    """
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise PermError(f"{source} is not JSON: {error}.") from error
    names = {"kind", *(field.name for field in fields(Run))}
    if not isinstance(values, dict) or values.keys() != names or values["kind"] != "evaluation":
        raise PermError(f"{source} does not describe an evaluation.")
    del values["kind"]
    tasks = {name: _task_from_json(task) for name, task in values.pop("tasks").items()}
    return Run(**values, tasks=tasks)


def slug(text: str) -> str:
    """Return text that can be part of a file name: "single/1-7" gives "single-1-7"."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", text).strip("-")


def _task_run(
    task: Task, calibrations: Mapping[str, Calibration | None], indices: tuple[int, ...]
) -> TaskRun:
    return TaskRun(
        group=task.group,
        level=task.level,
        preferences=tuple(preference.id for preference in task.condition),
        prompt=task.prompt,
        layout_digest=task.mission.layout.digest,
        max_steps=task.mission.max_steps,
        definition=task_digest(task),
        init_indices=indices,
        calibration=scales_of(calibrations),
    )


def _kept(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be kept of a policy's settings."""
    url = options.get("url")
    return {**options, "url": without_credentials(str(url))} if url else dict(options)


def _refuse_repeated(init_indices: Sequence[int]) -> None:
    repeated = sorted({i for i in init_indices if init_indices.count(i) > 1})
    if repeated:
        raise PermError(
            f"Init indices given twice: {', '.join(map(str, repeated))}. Their episodes would be "
            "the same; more episodes than init indices take turns by themselves."
        )


def _task_from_json(values: dict[str, Any]) -> TaskRun:
    values["preferences"] = tuple(values["preferences"])
    values["init_indices"] = tuple(values["init_indices"])
    return TaskRun(**values)


def _indices(
    task: Task, asked: Sequence[int] | None, allowed: Sequence[int] | None, episodes: int
) -> tuple[int, ...]:
    """Return the init indices of a task's episodes."""
    if allowed is None:
        return BAR_INDICES if asked is None else tuple(asked)
    usable = tuple(i for i in (allowed if asked is None else asked) if i in allowed)
    if episodes > len(usable):
        raise PermError(
            f"{task.id}: {episodes} episodes were asked for, but this policy can play only "
            f"{len(usable)} of the init indices: it knows {', '.join(map(str, allowed))}."
        )
    return usable
