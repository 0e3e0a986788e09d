"""Episodes that were told a preference beside their twins that were not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from perm.core.episode import EpisodeId, Outcome
from perm.core.task import Level
from perm.evaluation.record import EXCLUSIVE, EpisodeRecord
from perm.evaluation.run import Run
from perm.metrics.uplift import PairedEpisodes, Side, Uplift, holm, uplift

Pairs = dict[str, dict[str, list[PairedEpisodes]]]
"""By level and task."""


def uplifts(run: Run, records: Mapping[EpisodeId, EpisodeRecord]) -> dict[str, dict[str, Uplift]]:
    """Return what asking changes: "overall", by "level" and by "preference"; {} without twins.

    Holm's adjustment is over the preferences.
    """
    pairs = pairs_of(told_and_not(run, records))
    if not pairs:
        return {}
    of_preference: dict[str, Pairs] = {}
    for level, tasks in pairs.items():
        for name, episodes in tasks.items():
            wish = "+".join(run.tasks[name].preferences)
            of_preference.setdefault(wish, {}).setdefault(level, {})[name] = episodes
    found = {wish: uplift(some) for wish, some in sorted(of_preference.items(), key=_natural)}
    adjusted = holm({wish: one.p_value for wish, one in found.items()})
    order = [level for level in (*Level, "pair") if level in pairs]
    return {
        "overall": {"overall": uplift(pairs)},
        "level": {str(level): uplift({level: pairs[level]}) for level in order},
        "preference": {w: replace(one, adjusted=adjusted[w]) for w, one in found.items()},
    }


def pairs_of(
    episodes: Iterable[tuple[EpisodeRecord, EpisodeRecord, Sequence[str]]],
) -> Pairs:
    """Return pairs by level and task, of which both sides were played to an end.

    Args:
        episodes: Two records that begin alike, the one that counts first, and the preferences
            whose labels are compared.
    """
    pairs: Pairs = {}
    for first, second, preferences in episodes:
        both = (first, second)
        if any(record.outcome is Outcome.ERROR for record in both) or first.condition == EXCLUSIVE:
            continue
        tasks = pairs.setdefault(first.level, {})
        sides = (_side(record, preferences) for record in both)
        tasks.setdefault(first.task_id, []).append(PairedEpisodes(*sides))
    return pairs


def told_and_not(
    run: Run, records: Mapping[EpisodeId, EpisodeRecord]
) -> Iterator[tuple[EpisodeRecord, EpisodeRecord, Sequence[str]]]:
    """Yield episodes that were told their preferences, with those that were not."""
    twins = {task.group: name for name, task in run.tasks.items() if not task.preferences}
    for name, task in run.tasks.items():
        if task.preferences and task.group in twins:
            sides = zip(run.identities(name), run.identities(twins[task.group]), strict=True)
            for asked, plain in sides:
                if asked in records and plain in records:
                    yield records[asked], records[plain], task.preferences


def _side(record: EpisodeRecord, preferences: Sequence[str]) -> Side:
    return Side(record.success_any, record.label_of(preferences))


def _natural(item: tuple[str, Pairs]) -> list[tuple[int, str]]:
    """Sort 2-10 behind 2-9."""
    words = item[0].replace("+", "-").split("-")
    return [(int(word) if word.isdigit() else 0, word) for word in words]
