"""One self-contained page from one or several runs: it opens from the disk, without a network."""

import base64
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from perm.core.errors import PermError
from perm.data.atomic import completed
from perm.evaluation.pairing import Clip, Evaluated, choose_pair, find_clips, read_evaluated
from perm.evaluation.rates import UNLABELLED, Rates
from perm.evaluation.summary import TaskSummary
from perm.evaluation.table import percent, refuse_other_tasks

TEMPLATE = "report.html.j2"
MEDIA = {".mp4": "video/mp4", ".jpg": "image/jpeg"}
LABEL_WORDS = {"0": "0", "0.25": "¼", "0.75": "¾", "1": "1"}


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
        prompts: Every sentence that was delivered, with the tasks' ids.
        rows: Policy and numbers, one a run and task.
        clips: Two videos to look at side by side, or one, or none.
    """

    id: str
    prompts: dict[str, str]
    rows: tuple[tuple[str, TaskSummary], ...]
    clips: tuple[Clip, ...]


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
    page = (
        make_environment()
        .get_template(TEMPLATE)
        .render(
            runs=evaluated,
            groups=[_group(evaluated, name) for name in _group_names(evaluated)],
            levels=list(dict.fromkeys(name for one in evaluated for name in one.summary.levels)),
            segments=_segments,
            label_words=LABEL_WORDS,
            errors=[(one.run.policy, *error) for one in evaluated for error in _errors(one)],
        )
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
    environment.filters |= {"percent": percent, "raw": _raw, "data_uri": _data_uri}
    return environment


def _refuse_repeated(runs: Sequence[Path]) -> None:
    seen: dict[Path, Path] = {}
    for folder in runs:
        first = seen.setdefault(folder.resolve(), folder)
        if first is not folder:
            raise PermError(f"{folder} is the same run as {first}; give each run once.")


def _group_names(evaluated: Sequence[Evaluated]) -> list[str]:
    return list(dict.fromkeys(task.group for one in evaluated for task in one.summary.tasks))


def _group(evaluated: Sequence[Evaluated], name: str) -> Group:
    rows = tuple(
        (one.run.policy, task)
        for one in evaluated
        for task in one.summary.tasks
        if task.group == name
    )
    return Group(
        id=name,
        prompts={task.task_id: task.prompt for _, task in rows},
        rows=rows,
        clips=choose_pair(find_clips(evaluated, name)),
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


def _data_uri(path: Path) -> str:
    return f"data:{MEDIA[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"
