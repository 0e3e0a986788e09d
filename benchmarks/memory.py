"""What a process that makes state-only demonstrations has in memory at most."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.comparison import Comparison, Findings
from benchmarks.processes import answer, ask_new_process
from perm.core.conventions import DEMO_INDICES, SIMULATIONS
from perm.pipeline.request import calibrations_of
from perm.suites.library import load_library

SUITE = "single_pref"


def measure() -> Findings:
    """Let a new process make a demonstration of each task, on LIBERO's simulation and on perm's."""
    ours, stock = (ask_new_process("memory", simulation) for simulation in SIMULATIONS)
    return Findings(
        f"A process that makes a demonstration of each task of {SUITE} [MB at most]",
        (Comparison("worker", [stock], [ours]),),
        {"worker_mb": ours},
    )


def _work(simulation: str) -> float:
    """Do what a process of `perm generate` does; return its largest resident set so far [MB]."""
    from perm.cli import main  # noqa: F401 - a new worker loads the program that it belongs to
    from perm.pipeline.demonstrate import Job, begin
    from perm.pipeline.request import NOBODY
    from perm.pipeline.workshop import Order

    library = load_library()
    with TemporaryDirectory() as folder, begin(simulation, NOBODY, Path(folder)) as do:
        for task in library.find_suite(SUITE).tasks:
            order = Order(task, 0, 0, "demo", DEMO_INDICES, calibrations_of(library, task))
            assert do(Job(order, Path(folder), None, None)).made
    return _peak_mb()


def _peak_mb() -> float:
    """`getrusage` would do, but it remembers the process that started this one."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (peak,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(peak) * 1024 / 1e6


if __name__ == "__main__":
    answer(_work(sys.argv[1]))
