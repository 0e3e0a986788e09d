"""What asking changes, as rows of text: by preference, and by the words of the prompt."""

from collections.abc import Iterator, Mapping, Sequence

from perm.core.episode import EpisodeId
from perm.core.errors import PermError
from perm.evaluation.arms import NORMAL
from perm.evaluation.pairing import Evaluated
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.samples import row_name
from perm.evaluation.summary import Summary
from perm.evaluation.table import percent, text_table
from perm.evaluation.told import pairs_of
from perm.metrics.uplift import Uplift, uplift

UPLIFT_HEADER = ("", "Pairs", "Told", "Not", "Uplift", "95 %", "+", "-", "p", "Shows")
ARM_HEADER = ("Prompt", "Pairs", "SA", "SA normal", "Change", "95 %", "p")
UPLIFT_NOTE = (
    "Told, Not: SA with and without the preference's sentence, same scenes and seeds. +, -: pairs\n"
    "in which only one side kept it. p: exact McNemar, by Holm over the preferences. Shows: the\n"
    "smallest difference that so many pairs show with 80 % power."
)
ARM_NOTE = (
    "Change: SA less that with the normal prompt, same scenes and seeds. A policy that uses\n"
    "language falls in none, shuffled and opposite; where all are equal it hears nothing."
)


def uplift_table(summary: Summary) -> str:
    """Return what asking changes: for all, by level, by preference.

    Raises:
        PermError: The run has no twins.
    """
    if not summary.uplift:
        raise PermError(
            f"{summary.policy} was evaluated without twins; perm evaluate ... twins=true plays "
            "them, too."
        )
    rows = [_row(name, one) for some in summary.uplift.values() for name, one in some.items()]
    return f"{text_table(UPLIFT_HEADER, rows)}\n\n{UPLIFT_NOTE}"


def arm_table(evaluated: Sequence[Evaluated]) -> str:
    """Return what other prompts change, one row a run that is not normal.

    Raises:
        PermError: There is no normal run of a policy to compare with, or only normal ones.
    """
    normal = {_plain_name(one): one for one in evaluated if one.run.prompt == NORMAL}
    rows = []
    for one in evaluated:
        if one.run.prompt == NORMAL:
            continue
        if _plain_name(one) not in normal:
            raise PermError(
                f"{one.folder}: there is no run of {one.run.policy} with prompt=normal to compare "
                "with; name its folder, too."
            )
        rows.append(_arm_row(one, normal[_plain_name(one)]))
    if not rows:
        raise PermError("All runs have prompt=normal; name folders of other prompts, too.")
    return f"{text_table(ARM_HEADER, rows)}\n\n{ARM_NOTE}"


def _arm_row(arm: Evaluated, normal: Evaluated) -> tuple[str, ...]:
    found = uplift(pairs_of(_shared(arm, normal)))
    return (
        row_name(arm.run),
        str(found.n),
        percent(found.asked),
        percent(found.plain),
        _signed(found.difference),
        _interval(found),
        f"{found.p_value:.3f}",
    )


def _shared(
    arm: Evaluated, normal: Evaluated
) -> Iterator[tuple[EpisodeRecord, EpisodeRecord, Sequence[str]]]:
    """Yield the episodes that both played and that ask for something."""
    other: Mapping[EpisodeId, EpisodeRecord] = normal.records
    for name, task in arm.run.tasks.items():
        if task.preferences and name in normal.run.tasks:
            for identity in arm.run.identities(name):
                if identity in arm.records and identity in other:
                    yield arm.records[identity], other[identity], task.preferences


def _plain_name(one: Evaluated) -> str:
    return row_name(one.run).partition(" prompt=")[0]


def _row(name: str, one: Uplift) -> tuple[str, ...]:
    p_value = one.p_value if one.adjusted is None else one.adjusted
    return (
        name,
        str(one.n),
        percent(one.asked),
        percent(one.plain),
        _signed(one.difference),
        _interval(one),
        str(one.gained),
        str(one.lost),
        f"{p_value:.3f}",
        percent(one.visible),
    )


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:+.2f}"


def _interval(one: Uplift) -> str:
    if one.interval is None:
        return "-"
    return f"{100 * one.interval[0]:+.1f} {100 * one.interval[1]:+.1f}"
