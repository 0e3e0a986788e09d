"""perm dataset check: is a file sound, and does every demonstration replay to what it says?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from perm.core.conventions import SIMULATIONS
from perm.core.errors import PermError
from perm.core.task import Task
from perm.data.check import check_structure
from perm.data.demo import Demo
from perm.data.finding import Finding
from perm.data.reader import DemoFile, read_demo_file
from perm.metrics.calibration import Calibration
from perm.pipeline.progress import show_progress
from perm.pipeline.replay import (
    compare_images,
    compare_labels,
    compare_states,
    largest_difference,
    play_again,
)
from perm.suites.identity import scales_of
from perm.suites.library import Library


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Attributes:
        demos: Number of demonstrations that were replayed.
        findings: Problems; none means that the file is what it says.
        largest_difference: Of any state entry between file and replay; 0 is bit for bit.
        notes: What is no problem of the file, but worth knowing.
    """

    demos: int
    findings: tuple[Finding, ...]
    largest_difference: float
    notes: tuple[str, ...] = ()


def check_dataset(path: Path, library: Library, simulation: str = SIMULATIONS[0]) -> Checked:
    """Check a file's structure and alignment, then replay it.

    States, success, labels and some images of the replay are compared with the stored ones. Labels
    are judged with the calibrations in the file, whatever the library's are now.

    Args:
        path: A demonstration file.
        library: Has to know the file's task.
        simulation: What it is replayed in, one of `SIMULATIONS`.

    Raises:
        PermError: The file cannot be read at all, or its task is not known.
    """
    findings = list(check_structure(path))
    if findings:
        return Checked(0, tuple(findings), float("nan"))
    with read_demo_file(path) as file:
        task = library.find_task(file.facts.task_id)
        if file.facts.layout_digest != task.mission.layout.digest:
            raise PermError(
                f"{path} was made in another version of layout {task.mission.id}; "
                "replay it with the perm that wrote it."
            )
        return _replay_all(file, task, library, simulation)


def _replay_all(file: DemoFile, task: Task, library: Library, simulation: str) -> Checked:
    from perm.sim.opening import open_env
    from perm.sim.render import draw_episode

    findings: list[Finding] = []
    differences = [0.0]
    notes: list[str] = []
    env = open_env(task.mission.layout, simulation)
    try:
        with show_progress("Replays", len(file)) as advance:
            for index in range(len(file)):
                where, demo = f"demo_{index}", file.demo(index, images=True)
                played = play_again(env, task, demo)
                differences.append(largest_difference(demo.episode, played))
                calibrations = stored_calibrations(demo)
                findings += compare_states(where, demo, played)
                if played.trace is not None:
                    findings += compare_labels(where, demo, played.trace, task, calibrations)
                findings += compare_images(
                    where, demo, lambda *what: draw_episode(env.studio, *what)
                )
                notes += other_calibrations(task, calibrations, library)
                advance("")
    finally:
        env.close()
    return Checked(len(file), tuple(findings), max(differences), tuple(dict.fromkeys(notes)))


def stored_calibrations(demo: Demo) -> dict[str, Calibration]:
    """Return what a demonstration's labels were made with, by preference."""
    return {name: Calibration.from_dict(known) for name, known in demo.calibrations.items()}


def other_calibrations(
    task: Task, stored: Mapping[str, Calibration], library: Library
) -> Iterator[str]:
    """Yield a note for each preference that the library scores in another way than the file."""
    for preference in task.measured:
        name = preference.id
        theirs = scales_of({name: stored.get(name)})
        if theirs != scales_of({name: library.calibration(task, preference)}):
            yield (
                f"The labels of preference {name} were made with another calibration than the one "
                "that holds now; they were checked with their own."
            )
