"""perm suite draw: what do the scenes look like?"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from perm.cli.arguments import Arguments
from perm.cli.compose import Work, run_with_hydra
from perm.cli.renderer import choose_renderer
from perm.cli.select import select_tasks
from perm.cli.values import expand_indices, output_folder, whole_number
from perm.core.errors import PermError
from perm.core.mission import Mission
from perm.core.task import Task
from perm.suites.library import load_library

ON_A_SHEET = 20


def run(arguments: Arguments) -> int:
    """Run the command line behind `perm suite draw`; return 1 if a scene could not be drawn."""
    return run_with_hydra("draw", arguments, _draw)


def _draw(values: Mapping[str, Any], config_dirs: tuple[Path, ...]) -> Work:
    missions = _missions(select_tasks(load_library(config_dirs), values))
    out, workers = output_folder(values), whole_number(1, values, "workers")
    indices = expand_indices(values["init"])
    if len(indices) != 1:
        raise PermError(f"init: one index is drawn, not {len(indices)}.")
    choose_renderer(pictures=True)

    def work() -> int:
        from perm.evaluation.video import write_jpeg
        from perm.pipeline.portraits import contact_sheet, draw_missions

        drawn = list(draw_missions(missions, indices[0], workers).values())
        for portrait in drawn:
            if portrait.picture is not None:
                write_jpeg(out / f"{portrait.name}.jpg", portrait.picture)
            else:
                print(f"{portrait.name}: not drawn: {portrait.reason}")
        sheets = range(0, len(drawn), ON_A_SHEET)
        for number, first in enumerate(sheets, 1):
            sheet = contact_sheet(drawn[first : first + ON_A_SHEET])
            write_jpeg(out / f"sheet-{number}.jpg", sheet)
        count = sum(portrait.picture is not None for portrait in drawn)
        print(f"{count} of {len(drawn)} scenes drawn; contact sheets: {out}/sheet-*.jpg")
        return 0 if count == len(drawn) else 1

    return work


def _missions(tasks: Iterable[Task]) -> dict[str, Mission]:
    """Return the missions by id, the first one of each layout."""
    by_layout = {task.mission.layout.digest: task.mission for task in reversed(list(tasks))}
    return {mission.id: mission for mission in sorted(by_layout.values(), key=lambda one: one.id)}
