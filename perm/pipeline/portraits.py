"""What scenes look like at a settled start, one by one and together on a sheet."""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from perm.core.arrays import ImageArray
from perm.core.conventions import CAMERAS
from perm.core.crew import open_crew
from perm.core.errors import PermError
from perm.core.mission import Mission
from perm.pipeline.progress import show_progress

PICTURE_SIZE = 384
"""Height and width of a picture [px]."""
COLUMNS = 5
CAPTION = 22
"""Height of the line below each picture of a sheet [px]."""


@dataclass(frozen=True)
class Portrait:
    """What came of drawing a scene.

    Attributes:
        name: Of the mission.
        picture: What AgentView sees, right way up (H, W, 3), or None.
        reason: Why there is none.
    """

    name: str
    picture: ImageArray | None
    reason: str = ""


def draw_mission(mission: Mission, init_index: int = 0) -> ImageArray:
    """Return what AgentView sees of a mission's settled start, right way up (H, W, 3).

    Raises:
        PermError: There is no such start, or nothing renders here.
    """
    from perm.sim.env import SimEnv
    from perm.sim.render import Studio
    from perm.sim.starts import start_of
    from perm.sim.store import find_blueprint

    env = SimEnv(mission.layout)
    try:
        start = start_of(mission, init_index, env)
        env.begin(start)
        qpos = env.data.qpos.copy()
    finally:
        env.close()
    studio = Studio(find_blueprint(mission.layout))
    try:
        studio.furnish(start)
        return studio.draw(qpos, qpos, PICTURE_SIZE, CAMERAS[:1])[CAMERAS[0]][::-1]
    finally:
        studio.close()


def draw_missions(
    missions: Mapping[str, Mission], init_index: int, workers: int
) -> dict[str, Portrait]:
    """Draw one picture of each.

    Args:
        missions: By the name that a picture gets.
        init_index: Where their episodes start.
        workers: Number of processes.
    """
    found: dict[str, Portrait] = {}
    begin = functools.partial(_begin, init_index)
    with (
        show_progress("Scenes", len(missions)) as advance,
        open_crew(begin, max(1, min(workers, len(missions))), _lost) as work,
    ):
        for done in work(list(missions.items())):
            advance(done.name)
            found[done.name] = done
    return {name: found[name] for name in missions}


def contact_sheet(portraits: Sequence[Portrait]) -> ImageArray:
    """Return pictures in rows, each with its name below, (H, W, 3)."""
    side = PICTURE_SIZE
    rows = -(-len(portraits) // COLUMNS)
    size = (COLUMNS * side, rows * (side + CAPTION))
    sheet = Image.new("RGB", size, "white")
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(CAPTION - 6)
    for i, portrait in enumerate(portraits):
        x, y = i % COLUMNS * side, i // COLUMNS * (side + CAPTION)
        if portrait.picture is not None:
            sheet.paste(Image.fromarray(np.ascontiguousarray(portrait.picture)), (x, y))
        pen.text((x + 6, y + side + 1), portrait.name, "black", font)
    return np.asarray(sheet)


@contextmanager
def _begin(init_index: int) -> Iterator[Callable[[tuple[str, Mission]], Portrait]]:
    yield functools.partial(_draw, init_index)


def _draw(init_index: int, job: tuple[str, Mission]) -> Portrait:
    name, mission = job
    try:
        return Portrait(name, draw_mission(mission, init_index))
    except PermError as error:
        return Portrait(name, None, str(error))


def _lost(job: tuple[str, Mission], why: str) -> Portrait:
    return Portrait(job[0], None, why)
