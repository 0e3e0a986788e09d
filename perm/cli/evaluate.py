"""perm evaluate: SR and SA of one policy."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.renderer import choose_renderer
from perm.cli.select import select_tasks
from perm.cli.values import expand_indices, output_folder, simulation, whole_number
from perm.core.errors import PermError, unknown_name
from perm.suites.library import load_library

WORDINGS = ("asked", "original")
"""How tasks are worded: as they ask, or as LIBERO itself would."""


def run(arguments: Arguments) -> int:
    """Run the command line; return 1 if every episode broke."""
    return run_with_hydra("evaluate", with_entry(arguments), _evaluate)


def with_entry(arguments: Arguments) -> Arguments:
    """Return the command line with policy=python:MODULE:CLASS written as two settings."""
    name, colon, entry = arguments.settings.get("policy", "").partition(":")
    if name != "python" or not colon:
        return arguments
    return replace(
        arguments, settings={**arguments.settings, "policy": name, "policy.entry": entry}
    )


def _is_original(values: Mapping[str, Any]) -> bool:
    wording = str(values["wording"])
    if wording not in WORDINGS:
        raise unknown_name("wording", wording, WORDINGS)
    if wording == "original" and (values["twins"] or values["prompt"] != "normal"):
        raise PermError("wording=original asks for no preference: leave out twins and prompt.")
    return wording == "original"


def _shard(text: str) -> tuple[int, int]:
    """Return (i, n) of "i/n"."""
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part <= parts:
        raise PermError(f"shard={text}: i/n with 1 <= i <= n is needed, for example 1/4.")
    return part, parts


def _evaluate(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.evaluation.journal import read_records
    from perm.evaluation.players import check_options, sees
    from perm.evaluation.runner import EvaluateRequest, evaluate, tasks_of
    from perm.evaluation.table import broken_text, task_table

    library = load_library(config_dirs)
    request = EvaluateRequest(
        tasks=select_tasks(library, values),
        policy=values["policy"],
        episodes=whole_number(1, values, "episodes"),
        out=output_folder(values),
        seed=whole_number(0, values, "seed"),
        workers=whole_number(1, values, "workers"),
        twins=values["twins"],
        repeats=whole_number(1, values, "repeats"),
        max_steps=whole_number(0, values, "max_steps"),
        prompt=str(values["prompt"]),
        original=_is_original(values),
        series=str(values["series"]),
        shard=_shard(str(values["shard"])),
        init_indices=expand_indices(values["init"]) or None,
        simulation=simulation(values),
        resume=values["resume"],
        videos=whole_number(0, values, "videos"),
    )
    check_options(request.policy)
    tasks_of(request, library)  # a sentence that is not there is told now
    choose_renderer(pictures=request.videos > 0 or sees(request.policy))

    def work() -> int:
        summary = evaluate(request, library)
        print(task_table(summary))
        if broken := broken_text(read_records(request.out).values()):
            print(f"\n{broken}")
        print(f"\nReport: {request.out / 'report.html'}")
        return 0 if any(task.rates.n for task in summary.tasks) else 1

    return work
