"""The scenes that tests go over: every distinct one of LIBERO's suites and of the library."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path

from perm.bddl.read import read_layout
from perm.core.layout import Layout
from perm.suites.library import load_library
from perm.suites.paths import libero_bddl_folder

SUITES = ("libero_spatial", "libero_object", "libero_goal", "libero_90", "libero_10")


@dataclass(frozen=True)
class Scene:
    """One layout of its kind.

    Attributes:
        name: "<suite>/<file stem>", or "mission/<id>" for a layout of the library.
        layout: The layout.
        starts: The mission's file of starts; None where LIBERO has stored states.
    """

    name: str
    layout: Layout
    starts: Path | None = None


def things(layout: Layout) -> Hashable:
    """What a scene is made of: its class, its fixtures and objects."""
    return layout.problem, layout.fixtures, layout.objects


def arrangement(layout: Layout) -> Hashable:
    """What a scene is made of and what `:init` does with it."""
    return things(layout), layout.init


def suite_scenes() -> Iterator[Scene]:
    """All tasks of LIBERO's five suites."""
    for suite in SUITES:
        for path in sorted((libero_bddl_folder() / suite).glob("*.bddl")):
            yield Scene(f"{suite}/{path.stem}", read_layout(path))


def library_scenes() -> Iterator[Scene]:
    """All missions of the library."""
    missions = {task.mission.id: task.mission for task in load_library().tasks.values()}
    for name, mission in sorted(missions.items()):
        starts = Path(mission.starts) if mission.starts is not None else None
        yield Scene(f"mission/{name}", mission.layout, starts)


def distinct_scenes() -> dict[str, Scene]:
    """The first scene of each arrangement, by name."""
    found: dict[Hashable, Scene] = {}
    for scene in (*suite_scenes(), *library_scenes()):
        found.setdefault(arrangement(scene.layout), scene)
    return {scene.name: scene for scene in found.values()}
