"""perm policy probe: does a policy see and act as its profile says?"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.evaluate import with_entry
from perm.cli.renderer import choose_renderer
from perm.core.errors import PermError, unknown_name
from perm.suites.library import load_library

ACTIONS = ("probe",)
MARKS = {"ok": "ok      ", "warning": "WARNING ", "problem": "PROBLEM "}


def run(arguments: Arguments) -> int:
    """Run the command line behind `perm policy`; return 1 if there is a problem or a warning."""
    action, *rest = arguments.words or ("",)
    if action not in ACTIONS:
        raise unknown_name("action of perm policy", action, ACTIONS)
    return run_with_hydra("probe", replace(with_entry(arguments), words=tuple(rest)), _probe)


def _probe(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    from perm.evaluation.players import check_options, sees

    task = load_library(config_dirs).find_task(str(values["task"]))
    options = check_options(values["policy"])
    if not sees(options):
        raise PermError(f"policy={options['name']} is ours; there is nothing to probe.")
    if not task.condition:
        raise PermError(f"{task.id} asks for no preference; choose a task that does.")
    choose_renderer(pictures=True)

    def work() -> int:
        from perm.evaluation.players import independent_policy
        from perm.evaluation.probe import probe, watch_expert

        policy = independent_policy(options)  # a server that is not there is told first
        assert policy is not None
        size = policy.spec.image_size
        getattr(policy, "close", lambda: None)()
        findings = probe(options, task, watch_expert(task, size))
        for finding in findings:
            print(f"{MARKS[finding.verdict]}{finding.claim}")
            if finding.advice:
                print(f"        {finding.advice}")
        return 0 if all(finding.verdict == "ok" for finding in findings) else 1

    return work
