"""Episodes that were told a preference beside their twins that were not."""

from collections.abc import Iterable, Mapping
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
    pairs = _pairs(run, records)
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


def _pairs(run: Run, records: Mapping[EpisodeId, EpisodeRecord]) -> Pairs:
    """Return the pairs of episodes that were both played to an end, by level and task."""
    twins = {task.group: name for name, task in run.tasks.items() if not task.preferences}
    pairs: Pairs = {}
    for name, task in run.tasks.items():
        if not task.preferences or task.group not in twins:
            continue
        sides = zip(run.identities(name), run.identities(twins[task.group]), strict=True)
        for asked, plain in sides:
            ended = list(_ended(records, (asked, plain)))
            if len(ended) == 2 and ended[0].condition != EXCLUSIVE:
                both = (_side(record, task.preferences) for record in ended)
                episodes = pairs.setdefault(task.level, {}).setdefault(name, [])
                episodes.append(PairedEpisodes(*both))
    return pairs


def _ended(
    records: Mapping[EpisodeId, EpisodeRecord], identities: Iterable[EpisodeId]
) -> Iterable[EpisodeRecord]:
    for identity in identities:
        record = records.get(identity)
        if record is not None and record.outcome is not Outcome.ERROR:
            yield record


def _side(record: EpisodeRecord, preferences: tuple[str, ...]) -> Side:
    return Side(record.success_any, record.label_of(preferences))


def _natural(item: tuple[str, Pairs]) -> list[tuple[int, str]]:
    """Sort 2-10 behind 2-9."""
    words = item[0].replace("+", "-").split("-")
    return [(int(word) if word.isdigit() else 0, word) for word in words]
