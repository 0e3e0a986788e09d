"""perm metrics verify: the self-test of the preferences' metrics."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.renderer import choose_renderer
from perm.cli.tables import print_table
from perm.cli.values import expand_indices, simulation, whole_number
from perm.core.errors import unknown_name
from perm.suites.library import load_library

ACTIONS = ("verify",)


def run(arguments: Arguments) -> int:
    """Run the command line behind `perm metrics`; return 1 if a metric fails."""
    action, *rest = arguments.words or ("",)
    if action not in ACTIONS:
        raise unknown_name("action of perm metrics", action, ACTIONS)
    return run_with_hydra("verify", replace(arguments, words=tuple(rest)), _verify)


def _verify(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.pipeline.verify import Verified, VerifyRequest, verify

    library = load_library(config_dirs)
    for name in values["preferences"]:
        if name not in library.preferences:
            raise unknown_name("preference", name, library.preferences)
    request = VerifyRequest(
        preferences=tuple(values["preferences"] or library.preferences),
        init_indices=expand_indices(values["init"]),
        workers=whole_number(1, values, "workers"),
        seed=whole_number(0, values, "seed"),
        simulation=simulation(values),
    )
    choose_renderer()

    def row(one: Verified) -> list[str]:
        verdict = "; ".join(one.problems) or "sound"
        labels = ["-" if label is None else f"{label:g}" for label in one.labels]
        changed = " ".join(f"{raw:.3g}" for raw in one.raws)
        if one.flips is not None:
            changed = "flips" if one.flips else "does not flip"
        return [one.preference, one.task_id.partition("/")[2], *labels, changed, verdict]

    def work() -> int:
        found = verify(request, library)
        heads = ["Id", "Task", "Kept", "Plain", "Opposite", "Changed traces", "Verdict"]
        print_table(heads, [row(one) for one in found])
        sound = sum(not one.problems for one in found)
        print(f"{sound} of {len(found)} metrics are sound.")
        return 0 if sound == len(found) else 1

    return work
