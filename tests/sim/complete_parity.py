"""Compares perm's simulation with LIBERO's in all distinct scenes: `make parity`.

Usage: python -m tests.sim.complete_parity [--workers N] [WORD ...]

Takes about a minute of CPU time a scene. Words choose scenes by parts of their names.
"""

import argparse
import multiprocessing
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from perm.cli.renderer import choose_renderer

from .layouts import distinct_scenes
from .parity import Report, compare_scene

SCENES_PER_PROCESS = 1
"""LIBERO leaves half a gigabyte behind in each."""


def main() -> int:
    """Print a line for each scene, then one for all; return 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("words", nargs="*", metavar="WORD")
    arguments = parser.parse_args()
    choose_renderer()  # for the processes to come
    names = [n for n in distinct_scenes() if not arguments.words or _has(n, arguments.words)]
    say(" nv steps contacts touches moved answers images")
    reports = []
    for report in compare_all(names, arguments.workers):
        reports.append(report)
        say(line(report))
    different = [report.name for report in reports if report.difference]
    contacts = max((report.contacts for report in reports), default=0)
    say(
        f"{len(reports) - len(different)} of {len(reports)} scenes identical: "
        f"{sum(r.steps for r in reports):,} control steps with up to {contacts} contacts, "
        f"{sum(r.images for r in reports)} images, "
        f"{sum(r.cpu_s for r in reports) / 60:.0f} minutes of CPU time"
    )
    return 1 if different or not reports else 0


def compare_all(names: list[str], workers: int) -> Iterator[Report]:
    """Compare scenes in processes of their own, in any order."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, spawn, max_tasks_per_child=SCENES_PER_PROCESS) as pool:
        yield from pool.map(compare_named, names)


def compare_named(name: str) -> Report:
    """Compare one scene; whatever breaks is a difference."""
    try:
        return compare_scene(distinct_scenes()[name])
    except Exception as error:  # noqa: BLE001
        return Report(name, difference=f"{type(error).__name__}: {error}")


def line(report: Report) -> str:
    """Describe what came out: see `Report`; answers are those that changed on the way."""
    return (
        f"{report.nv:3} {report.steps:5} {report.contacts:8} {report.touches:7} "
        f"{report.moved:4.2f}m {len(report.changed):7} {report.images:6}  "
        f"{report.difference or 'identical'}  {report.name}"
    )


def say(text: str) -> None:
    """Print a line at once, also into a file."""
    print(text, flush=True)  # noqa: T201


def _has(name: str, words: list[str]) -> bool:
    return any(word in name for word in words)


if __name__ == "__main__":
    sys.exit(main())
