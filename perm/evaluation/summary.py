"""What a run comes to: SR, SA and what belongs beside them, as fractions.

`summary.json` is a pure function of the run and its records: no time, no date, no folder.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from perm.core.episode import EpisodeId
from perm.core.task import Level
from perm.evaluation.journal import read_records, read_run
from perm.evaluation.rates import Rates, rates_of
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.run import Run
from perm.evaluation.told import uplifts
from perm.metrics.uplift import Uplift


@dataclass(frozen=True)
class TaskSummary:
    """One task: what was asked, and its numbers."""

    task_id: str
    group: str
    level: str
    preferences: tuple[str, ...]
    prompt: str
    max_steps: int
    rates: Rates


@dataclass(frozen=True)
class Summary:
    """A run's numbers.

    Attributes:
        run, policy, options, prompt, series, seed, episodes, versions: Whose numbers these are.
        overall: Over the episodes that ask for a preference, pooled; for a run in which none
            does, over all.
        levels: By level, "none" for episodes that ask for no preference.
        preferences: By preference, "2-5+1-1" for a pair.
        repeats: SR and SA of each repeat, over the episodes of `overall`.
        uplift: What asking changes, see `perm.evaluation.told`; empty without twins.
        tasks: In table order.
    """

    run: str
    policy: str
    options: Mapping[str, Any]
    prompt: str
    series: str
    seed: int
    episodes: int
    versions: Mapping[str, str]
    overall: Rates
    levels: Mapping[str, Rates]
    preferences: Mapping[str, Rates]
    repeats: tuple[Mapping[str, float | None], ...]
    uplift: Mapping[str, Mapping[str, Uplift]]
    tasks: tuple[TaskSummary, ...]


def summarise(run: Run, records: Mapping[EpisodeId, EpisodeRecord]) -> Summary:
    """Return the numbers of a run.

    Args:
        run: What was asked for; it decides on the order, not the records.
        records: What has been played, by identity; some may be missing.
    """
    by_task = {name: [records.get(i) for i in run.identities(name)] for name in run.tasks}
    by_level: dict[str, list[EpisodeRecord | None]] = {}
    by_preference: dict[str, list[EpisodeRecord | None]] = {}
    for name, task in run.tasks.items():
        by_level.setdefault(task.level, []).extend(by_task[name])
        if task.preferences:
            by_preference.setdefault("+".join(task.preferences), []).extend(by_task[name])
    asking = [name for name, task in run.tasks.items() if task.preferences] or list(run.tasks)
    order = [level for level in ("none", *Level, "pair") if level in by_level]
    return Summary(
        run=run.id,
        policy=run.policy,
        options=run.options,
        prompt=run.prompt,
        series=run.series,
        seed=run.seed,
        episodes=run.episodes,
        versions=run.versions,
        overall=rates_of([record for name in asking for record in by_task[name]]),
        levels={str(level): rates_of(by_level[level]) for level in order},
        preferences={name: rates_of(some) for name, some in by_preference.items()},
        repeats=tuple(_repeat(run, records, asking, k) for k in range(run.repeats)),
        uplift=uplifts(run, records),
        tasks=tuple(
            TaskSummary(
                name,
                task.group,
                task.level,
                task.preferences,
                task.prompt,
                task.max_steps,
                rates_of(by_task[name]),
            )
            for name, task in run.tasks.items()
        ),
    )


def read_summary(folder: Path) -> Summary:
    """Return the numbers of what a folder of `perm evaluate` holds, complete or not.

    Raises:
        PermError: It is no such folder, or a file is damaged.
    """
    return summarise(read_run(folder), read_records(folder))


def _repeat(
    run: Run, records: Mapping[EpisodeId, EpisodeRecord], tasks: Sequence[str], repeat: int
) -> Mapping[str, float | None]:
    rates = rates_of([records.get(i) for name in tasks for i in run.repeated(name)[repeat]])
    return {"sr": rates.sr, "sa": rates.sa}


def to_json(summary: Summary) -> str:
    """Return the text of `summary.json`."""
    return json.dumps(asdict(summary), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
