"""The paper's tables from folders of `perm evaluate`: which episodes count in which cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from perm.core.errors import unknown_name
from perm.core.task import SPLITS, Level
from perm.evaluation.pairing import Evaluated
from perm.evaluation.record import EXCLUSIVE, EpisodeRecord
from perm.evaluation.samples import (
    Cell,
    Chosen,
    Metric,
    Player,
    cell,
    players_of,
    refuse_unlike,
    sa,
    sr,
)
from perm.metrics.pairs import KEPT, Pair, domination, task_conflict

TRAIN = SPLITS["train"]


@dataclass(frozen=True)
class Column:
    """A column: what it is called, which episodes count, and what is computed of them."""

    title: str
    chosen: Chosen
    metric: Metric


@dataclass(frozen=True)
class PaperTable:
    """A table with numbers as fractions.

    Attributes:
        name, title: "table2", and what stands over it.
        columns: Titles of the columns behind the first.
        rows: Name and cells.
        notes: What a reader has to know beside the numbers.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    notes: tuple[str, ...]


def paper_table(
    name: str, evaluated: Sequence[Evaluated], *, allow_partial: bool = False
) -> PaperTable:
    """Return one of the paper's tables.

    Args:
        name: One of `TABLES`.
        evaluated: Folders of `perm evaluate`; those of one policy make one row.
        allow_partial: Whether cells of a column may cover different tasks.

    Raises:
        PermError: The table is unknown, or cells of a column cover different tasks.
    """
    if name not in TABLES:
        raise unknown_name("table", name, TABLES)
    title, columns, notes = TABLES[name]
    players = players_of(evaluated)
    if not allow_partial:
        for column in columns:
            refuse_unlike(players, column.chosen, f"Table {name}, {column.title}")
    rows = tuple((player.name, _row(player, columns)) for player in players)
    counted = tuple(_count_note(row, cells) for row, cells in rows)
    titles = tuple(column.title for column in columns)
    return PaperTable(f"table{name}", title, titles, rows, (*notes, *counted))


def _row(player: Player, columns: Sequence[Column]) -> tuple[Cell, ...]:
    return tuple(cell(player, column.chosen, column.metric) for column in columns)


def _count_note(name: str, cells: Sequence[Cell]) -> str:
    most = max(cells, key=lambda one: one.n)
    missing = max(one.missing for one in cells)
    lacking = f"; {missing} broke or were not played" if missing else ""
    return f"{name}: {most.n} episodes in the largest cell{lacking}."


def _is_single(record: EpisodeRecord) -> bool:
    """Whether an episode asks for one preference in its own words, as `single_pref` does."""
    return (
        record.suite == "single_pref"
        and record.condition == "A"
        and record.perturbation == "none"
        and record.generalization == TRAIN
    )


def _of_level(level: Level) -> Chosen:
    return lambda record: _is_single(record) and record.level == level


def _is_unseen(record: EpisodeRecord) -> bool:
    return (
        record.condition == "A"
        and record.perturbation == "none"
        and record.generalization == SPLITS["unseen_layout"]
    )


def _is_reworded(record: EpisodeRecord) -> bool:
    return record.suite == "compre_pref" and record.perturbation == "none"


def _is_original(record: EpisodeRecord) -> bool:
    return record.wording == "original" and not record.preference_ids


def _asks(suite: str, *conditions: str) -> Chosen:
    return lambda record: (
        record.suite == suite and record.condition in conditions and record.perturbation == "none"
    )


def _both(title: str, chosen: Chosen) -> tuple[Column, Column]:
    return Column(f"{title} SR", chosen, sr), Column(f"{title} SA", chosen, sa)


def _domination(records: Sequence[EpisodeRecord]) -> float | None:
    return domination(_pairs(records)).mean


def _domination_null(records: Sequence[EpisodeRecord]) -> float | None:
    return domination(_pairs(records)).null


def _pairs(records: Sequence[EpisodeRecord]) -> Mapping[str, list[Pair]]:
    tasks: dict[str, list[Pair]] = {}
    for record in records:
        first, second = (record.d.get(name) for name in record.preference_ids)
        tasks.setdefault(record.task_id, []).append((record.success_any, first, second))
    return tasks


def _share(part: str) -> Metric:
    """Return a share of `perm.metrics.pairs.TaskConflict`."""

    def metric(records: Sequence[EpisodeRecord]) -> float | None:
        found = task_conflict([(record.success_any, record.label) for record in records])
        share: float | None = getattr(found, part)
        return share

    return metric


_SINGLE = (
    Column("No-Pref SR", _is_original, sr),
    *_both("All", _is_single),
    *(c for level in Level for c in _both(level.value.capitalize(), _of_level(level))),
    *_both("ComprePref", _is_reworded),
)
_SCALES = "Percent; mean and sample standard deviation over repeats and seeds, where there are any."
_COMPOSE, _CONFLICT = "pref_compose", "pref_conflict"

TABLES: Mapping[str, tuple[str, tuple[Column, ...], tuple[str, ...]]] = MappingProxyType(
    {
        "2": (
            "Preferences on SinglePref",
            _SINGLE,
            (_SCALES, "No-Pref: LIBERO's own sentence and goal (wording=original)."),
        ),
        "3": (
            "Preference learning, in domain and on unseen layouts",
            (*_SINGLE, *_both("Unseen layout", _is_unseen)),
            (_SCALES, "No-Pref: LIBERO's own sentence and goal (wording=original)."),
        ),
        "4": (
            "Composition (A and B known, A+B asked) and decomposition (A+B and A known, B asked)",
            (
                *_both("Comp. in domain", _asks(_COMPOSE, "A", "B")),
                *_both("Comp. eval", _asks(_COMPOSE, "A+B")),
                *_both("Decomp. in domain", _asks(_COMPOSE, "A", "A+B")),
                *_both("Decomp. eval", _asks(_COMPOSE, "B")),
            ),
            (_SCALES, "Which half applies follows from what the policy was trained on (series=)."),
        ),
        "5": (
            "Conflicts",
            (
                *_both("In domain", _asks(_CONFLICT, "P1", "P2")),
                *_both("Conflict", _asks(_CONFLICT, EXCLUSIVE)),
                Column("Pref-Dom", _asks(_CONFLICT, EXCLUSIVE), _domination),
                Column("Pref-Dom by chance", _asks(_CONFLICT, EXCLUSIVE), _domination_null),
                Column("Follow task", _asks(_CONFLICT, "task+P"), _share("follow_task")),
                Column("Follow pref.", _asks(_CONFLICT, "task+P"), _share("follow_preference")),
                Column("Incomplete", _asks(_CONFLICT, "task+P"), _share("incomplete")),
            ),
            (
                _SCALES,
                "Conflict SA takes the larger of both labels; Pref-Dom is the mean over tasks of "
                "the distance of both SA, by chance what swapping them at random gives.",
                f"Followed: a label of at least {KEPT:g}, not gated by success.",
            ),
        ),
    }
)
"""By number: title, columns, notes."""
