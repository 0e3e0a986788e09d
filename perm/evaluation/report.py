"""One self-contained page from one or several runs: it opens from the disk, without a network."""

import base64
import functools
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from perm.core.errors import PermError
from perm.core.task import Level
from perm.data.atomic import completed
from perm.evaluation.drawing import Drawing, draw_curves
from perm.evaluation.pairing import Clip, Evaluated, choose_pair, find_clips, read_evaluated
from perm.evaluation.rates import UNLABELLED, Rates
from perm.evaluation.record import END, EpisodeRecord
from perm.evaluation.samples import row_name
from perm.evaluation.summary import TaskSummary
from perm.evaluation.table import percent, refuse_other_tasks

TEMPLATE = "report.html.j2"
MEDIA = {".mp4": "video/mp4", ".jpg": "image/jpeg"}
LABEL_WORDS = {"0": "0", "0.25": "¼", "0.75": "¾", "1": "1"}
EMBEDDED = 16_000_000
"""Videos that are no larger together are part of the page [bytes]; more lie beside it."""


@dataclass(frozen=True)
class Segment:
    """A part of a bar: how many of the episodes, what they are, and the name of its style."""

    count: int
    share: float
    word: str
    style: str


@dataclass(frozen=True)
class Group:
    """A task with its twins, over all runs.

    Attributes:
        id: Id of the task.
        level: What it asks for.
        preferences: Ids of that, "2-5+1-1" for a pair; "" for nothing.
        prompts: Every sentence that was delivered, with the tasks' ids.
        rows: Name of the run and numbers, one a run and task.
        clips: Two videos to look at side by side, or one, or none.
        drawing: How the preferences stood in them.
    """

    id: str
    level: str
    preferences: str
    prompts: dict[str, str]
    rows: tuple[tuple[str, TaskSummary], ...]
    clips: tuple[Clip, ...]
    drawing: Drawing | None


def report(runs: Sequence[Path], out: Path, *, allow_partial: bool = False) -> None:
    """Write a page about what some folders of `perm evaluate` hold.

    Args:
        runs: The folders, in the order of the rows.
        out: The file, report.html.
        allow_partial: Whether the runs may cover different tasks.

    Raises:
        PermError: There is no run, a folder comes twice or is none of `perm evaluate`, or the
            runs cover different tasks.
    """
    if not runs:
        raise PermError("There is no run to report on.")
    _refuse_repeated(runs)
    evaluated = [read_evaluated(folder) for folder in runs]
    refuse_other_tasks([one.summary for one in evaluated], allow_partial)
    groups = [_group(evaluated, name) for name in _group_names(evaluated)]
    size = sum(clip.path.stat().st_size for group in groups for clip in group.clips)
    environment = make_environment()
    environment.filters["video_source"] = functools.partial(
        _video_source, folder=None if size <= EMBEDDED else out.parent
    )
    page = environment.get_template(TEMPLATE).render(
        runs=evaluated,
        names={id(one): row_name(one.run) for one in evaluated},
        id_of=id,
        groups=groups,
        levels=list(dict.fromkeys(name for one in evaluated for name in one.summary.levels)),
        preferences=list(dict.fromkeys(g.preferences for g in groups if g.preferences)),
        segments=_segments,
        label_words=LABEL_WORDS,
        errors=[(row_name(one.run), *error) for one in evaluated for error in _errors(one)],
        failures=[(row_name(one.run), *found) for one in evaluated for found in _failures(one)],
    )
    with completed(out) as path:
        path.write_text(page, encoding="utf-8")


def make_environment() -> Environment:
    """Return what renders the pages: their templates, with the filters that they use."""
    environment = Environment(
        loader=PackageLoader("perm.evaluation"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": percent,
        "points": _points,
        "raw": _raw,
        "data_uri": _data_uri,
    }
    return environment


def _refuse_repeated(runs: Sequence[Path]) -> None:
    seen: dict[Path, Path] = {}
    for folder in runs:
        first = seen.setdefault(folder.resolve(), folder)
        if first is not folder:
            raise PermError(f"{folder} is the same run as {first}; give each run once.")


def _group_names(evaluated: Sequence[Evaluated]) -> list[str]:
    """Return the groups, those of one level and preference together."""
    tasks = [task for one in evaluated for task in one.summary.tasks]
    asked = {task.group: task for task in reversed(tasks)}
    asked |= {task.group: task for task in reversed(tasks) if task.preferences}
    order = {level: k for k, level in enumerate((*Level, "pair", "none"))}
    places = {name: k for k, name in enumerate(dict.fromkeys(task.group for task in tasks))}
    firsts: dict[str, int] = {}
    for name, place in places.items():
        firsts.setdefault("+".join(asked[name].preferences), place)

    def key(name: str) -> tuple[int, int, int]:
        task = asked[name]
        return order[task.level], firsts["+".join(task.preferences)], places[name]

    return sorted(places, key=key)


def _group(evaluated: Sequence[Evaluated], name: str) -> Group:
    rows = tuple(
        (row_name(one.run), task)
        for one in evaluated
        for task in one.summary.tasks
        if task.group == name
    )
    asking = [task for _, task in rows if task.preferences] or [rows[0][1]]
    clips = choose_pair(find_clips(evaluated, name))
    return Group(
        id=name,
        level=asking[0].level,
        preferences="+".join(asking[0].preferences),
        prompts={task.task_id: task.prompt for _, task in rows},
        rows=rows,
        clips=clips,
        drawing=draw_curves([clip.curves for clip in clips]),
    )


def _segments(rates: Rates) -> list[Segment]:
    """Return the parts of a bar of all planned episodes, the best first."""
    failures = rates.n - sum(rates.labels.values())
    parts = [(rates.labels[d], f"label {word}", f"d{d}") for d, word in LABEL_WORDS.items()]
    parts.reverse()
    parts += [
        (rates.labels[UNLABELLED], "without a label", "unlabelled"),
        (failures, "failed", "failed"),
        (rates.n_error, "broke", "broke"),
        (rates.n_planned - rates.n - rates.n_error, "not played", "missing"),
    ]
    return [
        Segment(count, count / rates.n_planned, word, style.replace(".", "-"))
        for count, word, style in parts
        if count
    ]


def _errors(evaluated: Evaluated) -> Iterator[tuple[str, str, int]]:
    """Yield task, first line of the text, and number of each kind of error."""
    counts = Counter(
        (record.task_id, record.cause)
        for record in evaluated.records.values()
        if record.cause is not None
    )
    for (task_id, text), count in sorted(counts.items()):
        yield task_id, text, count


def _failures(evaluated: Evaluated) -> Iterator[tuple[str, int, int]]:
    """Yield how episodes ended that missed the goal, how many did, and in how many tasks."""
    tasks: dict[str, list[str]] = {}
    for record in evaluated.records.values():
        if record.cause is None and not record.success_any:
            tasks.setdefault(_ending(record), []).append(record.task_id)
    for text, names in sorted(tasks.items(), key=lambda item: -len(item[1])):
        yield text, len(names), len(set(names))


def _ending(record: EpisodeRecord) -> str:
    reasons = [str(m.get("reason", "")) for m in record.milestones if m["name"] == END]
    return reasons[0] if reasons and reasons[0] else "not told"


def _raw(clip: Clip) -> list[str]:
    """Return in words what was measured in an episode, one text a preference."""
    return [
        _quantity(measured["value"], measured["unit"], measured["reason"])
        for measured in clip.record.raw.values()
    ]


def _quantity(value: float | None, unit: str, reason: str) -> str:
    if value is None:
        return f"not measured: {reason}"
    if unit == "match":
        return "preferred choice" if value else "another choice"
    number = f"{value:.0f}" if unit == "steps" else f"{value:.3f}"
    return f"{number} {unit}"


def _points(value: float | None) -> str:
    """Return a difference in percentage points, with its sign."""
    return "-" if value is None else f"{100 * value:+.2f}"


def _video_source(path: Path, folder: Path | None) -> str:
    """Return what a video is loaded from: itself in text, or where it lies beside the page."""
    if folder is None:
        return _data_uri(path)
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()


def _data_uri(path: Path) -> str:
    return f"data:{MEDIA[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"
