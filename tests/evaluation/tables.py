"""Runs made of records that are said, for tests of tables."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from perm.core.episode import EpisodeId
from perm.evaluation.pairing import Evaluated
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.run import Run, TaskRun
from perm.evaluation.summary import summarise
from tests.evaluation.world import record


def said(task_id: str, *episodes: tuple[bool, Any], **changes: Any) -> list[EpisodeRecord]:
    """Return the episodes of a task: success, and a label or labels by preference."""
    found = []
    for k, (success, d) in enumerate(episodes):
        labels = d if isinstance(d, dict) else {"1-7": d}
        fields = {
            "task_id": task_id,
            "group": task_id.removesuffix(".nopref"),
            "d": labels,
            "score": dict.fromkeys(labels),
            "preference_ids": tuple(labels),
            **changes,
        }
        found.append(dataclasses.replace(record(success, init_index=k), **fields))
    return found


def evaluated(
    records: Sequence[EpisodeRecord], policy: str = "random", folder: str = "run", **changes: Any
) -> Evaluated:
    """Return a folder of `perm evaluate` that holds them."""
    tasks: dict[str, TaskRun] = {}
    for one in records:
        indices = tuple(r.init_index for r in records if r.task_id == one.task_id)
        tasks[one.task_id] = TaskRun(
            one.group, one.level, one.preference_ids, one.prompt, "a", 100, "b", indices, {}
        )
    episodes = max(len(task.init_indices) for task in tasks.values())
    settings = {"seed": 0, "repeats": 1, "prompt": "normal", "series": "", **changes}
    run = Run(policy, {"name": policy}, episodes, versions={}, tasks=tasks, **settings)
    by_identity = {EpisodeId(r.task_id, r.init_index, settings["seed"]): r for r in records}
    return Evaluated(Path(folder), run, by_identity, summarise(run, by_identity))
