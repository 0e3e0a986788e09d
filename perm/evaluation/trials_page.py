"""The page of a suite check: what was tried, how far apart the sides are, and what went wrong."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perm.data.atomic import completed
from perm.data.trial import KINDS, Trial, choose_shown
from perm.evaluation.report import make_environment
from perm.evaluation.trials_film import picture_path
from perm.evaluation.trials_strip import Strips, draw_strips
from perm.evaluation.trials_summary import Checked, Side, counts, to_json
from perm.evaluation.trials_table import number, to_csv

TEMPLATE = "trials.html.j2"


@dataclass(frozen=True)
class Failed:
    """Failures of one kind.

    Attributes:
        side: The task or its twin.
        kind: One of `perm.data.trial.KINDS`.
        count: How many.
        causes: In words, with how often, the commonest first.
        example: The first of them.
        picture: Its last frame, or None.
    """

    side: Side
    kind: str
    count: int
    causes: tuple[tuple[str, int], ...]
    example: Trial
    picture: Path | None


@dataclass(frozen=True)
class Clip:
    """A video of the first success of a side."""

    side: Side
    trial: Trial
    path: Path


@dataclass(frozen=True)
class Entry:
    """A task on the page."""

    checked: Checked
    clips: tuple[Clip, ...]
    strips: tuple[Strips, ...]
    failed: tuple[Failed, ...]


def write_check(folder: Path, checked: Sequence[Checked]) -> None:
    """Write `summary.json`, `tasks.csv` and `report.html`.

    Args:
        folder: Of the check; what was drawn of its films is shown.
        checked: Its tasks and trials.
    """
    page = (
        make_environment()
        .get_template(TEMPLATE)
        .render(
            entries=[_entry(folder, one) for one in checked],
            counts=counts,
            everything=list(checked),
            number=number,
        )
    )
    texts = {"summary.json": to_json(checked), "tasks.csv": to_csv(checked), "report.html": page}
    for name, text in texts.items():
        with completed(folder / name) as path:
            path.write_text(text, encoding="utf-8")


def _entry(folder: Path, checked: Checked) -> Entry:
    strips = (draw_strips(checked, spread) for spread in checked.spreads)
    clips = (_clip(folder, side) for side in checked.sides)
    return Entry(
        checked,
        tuple(clip for clip in clips if clip is not None),
        tuple(one for one in strips if one is not None),
        tuple(one for side in checked.sides for one in _failures(folder, side)),
    )


def _clip(folder: Path, side: Side) -> Clip | None:
    for trial in choose_shown(side.successes):
        path = picture_path(folder, trial)
        return Clip(side, trial, path) if path.is_file() else None
    return None


def _failures(folder: Path, side: Side) -> list[Failed]:
    found = []
    for kind in KINDS:
        those = [trial for trial in side.trials if trial.kind == kind]
        if those:
            causes = Counter(trial.cause.partition("\n")[0] for trial in those)
            path = picture_path(folder, those[0])
            picture = path if path.is_file() else None
            told = tuple(causes.most_common())
            found.append(Failed(side, kind, len(those), told, those[0], picture))
    return found
