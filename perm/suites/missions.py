"""From mission files to missions, each with its layout read and checked."""

from collections.abc import Mapping
from pathlib import Path

from perm.bddl.read import read_layout
from perm.bddl.write import with_derived
from perm.core.errors import PermError, unknown_name
from perm.core.layout import DerivedCategory, Layout
from perm.core.mission import Goal, Mission, Original
from perm.suites.entries import MissionEntry
from perm.suites.grounding import goal_problems, plan_problems
from perm.suites.paths import libero_bddl_folder
from perm.suites.sources import Sources


def build_mission(
    entry: MissionEntry, derived: Mapping[str, DerivedCategory], sources: Sources
) -> Mission | None:
    """Return a mission, or None after reporting why there is none."""
    layout = _read_layout(entry, sources)
    if layout is None:
        return None
    layout = with_derived(layout, derived.values())
    starts = sources.files["starts"].get(entry.id)
    mission = Mission(
        id=entry.id,
        layout=layout,
        language=(entry.language or layout.language).strip().removesuffix("."),
        goal=entry.goal or Goal(any_of=(layout.goal,)),
        max_steps=entry.max_steps,
        init_states=entry.bddl and entry.bddl.removesuffix(".bddl"),
        starts=None if starts is None else str(starts),
        goal_is_passed=entry.goal_is_passed,
        goal_is_final=entry.goal_is_final,
        original=_original(entry, layout, sources),
    )
    for problem in goal_problems(mission.goal, layout):
        sources.report("mission", entry.id, f"goal: {problem}")
    for problem in plan_problems(entry.plan, layout):
        sources.report("mission", entry.id, f"plan: {problem}")
    return mission


def _original(entry: MissionEntry, layout: Layout, sources: Sources) -> Original | None:
    """Return what LIBERO asks for where the layout comes from; report what cannot be asked."""
    if entry.edited_from is None:
        return None
    try:
        source = read_layout(_libero_file(entry.edited_from))
    except PermError as error:
        sources.report("mission", entry.id, f"edited_from: {error}")
        return None
    goal = Goal(any_of=(source.goal,))
    for problem in goal_problems(goal, layout):
        sources.report("mission", entry.id, f"edited_from: its goal: {problem}")
    return Original(source.language.strip().removesuffix("."), goal)


def _read_layout(entry: MissionEntry, sources: Sources) -> Layout | None:
    """Return the layout that a mission names, or None after reporting why not."""
    try:
        return read_layout(_layout_file(entry, sources))
    except PermError as error:
        sources.report("mission", entry.id, str(error))
        return None


def _layout_file(entry: MissionEntry, sources: Sources) -> Path:
    """Return the problem file that a mission names."""
    if entry.bddl is not None and entry.layout is None:
        return _libero_file(entry.bddl)
    if entry.layout is not None and entry.bddl is None:
        layouts = {path.name: path for path in sources.files["layout"].values()}
        if entry.layout in layouts:
            return layouts[entry.layout]
        raise unknown_name("layout", entry.layout, layouts)
    raise PermError("give one of bddl (LIBERO's own file) and layout (an edited one)")


def _libero_file(name: str) -> Path:
    folder = libero_bddl_folder()
    path = folder / name
    if ".." not in path.parts and path.parent.parent == folder and path.is_file():
        return path
    files = [path.relative_to(folder).as_posix() for path in folder.glob("*/*.bddl")]
    raise unknown_name("problem file of LIBERO", name, files)
