"""Runs benchmarks: `python -m benchmarks [NAME ...]`; a run of all of them writes results.json."""

import argparse
import sys
import time
from collections.abc import Sequence
from importlib import import_module

from benchmarks.report import RESULTS, table_of, verdicts_on, write_results
from perm.cli.renderer import choose_renderer
from perm.sim.quiet import import_robosuite

NAMES = ("stepping", "reset", "start", "memory", "rendering", "demos")
"""Modules of this package with a function `measure() -> Findings`."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the benchmarks named on the command line, or all.

    Args:
        argv: The names; those of this process by default.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    chosen = parser.parse_args(argv).names or NAMES
    if unknown := set(chosen) - set(NAMES):
        parser.error(f"There is no benchmark {', '.join(unknown)}. Known: {', '.join(NAMES)}.")
    choose_renderer(pictures="rendering" in chosen)
    import_robosuite()
    results: dict[str, float] = {}
    for name in chosen:
        began = time.perf_counter()
        findings = import_module(f"benchmarks.{name}").measure()
        results |= findings.results
        _say(f"{name}, {time.perf_counter() - began:.0f} s. {table_of(findings)}")
    _say(verdicts_on(results))
    if set(chosen) == set(NAMES):
        write_results(results)
        _say(f"Written: {RESULTS}")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
