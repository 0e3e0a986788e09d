"""From preference files to preferences, their sentences still with `{target}` if they have one."""

import re
from collections.abc import Iterator

from perm.core.errors import unknown_name
from perm.core.task import Level, Preference
from perm.metrics.measurements import MEASUREMENTS
from perm.suites.entries import PreferenceEntry
from perm.suites.sources import Sources


def build_preference(entry: PreferenceEntry, sources: Sources) -> Preference:
    """Return a preference, its sentence still with `{target}` if it has one."""
    for problem in _preference_problems(entry):
        sources.report("preference", entry.id, problem)
    return Preference(
        id=entry.id,
        name=entry.name,
        level=entry.level,
        language=entry.language,
        metric=entry.metric,
        expert=entry.expert,
        after_success=entry.after_success,
        larger_is_better=entry.larger_is_better,
        choice=entry.choice,
        opposite=entry.opposite,
    )


def _preference_problems(entry: PreferenceEntry) -> Iterator[str]:
    """Yield what is wrong with a preference, whatever the task."""
    if entry.metric.name not in MEASUREMENTS:
        yield f"metric: {unknown_name('measurement', entry.metric.name, MEASUREMENTS)}"
    if (entry.level is Level.PROFILE) != (entry.better is None):
        yield (
            "better: say larger or smaller for a motion or skill preference: where keeping it "
            "moves the raw quantity; a profile preference is a choice and has none"
        )
    if entry.choice and entry.level is not Level.PROFILE:
        yield "choice: is for profile preferences"
    for word in re.findall(r"\{(.*?)\}", entry.language):
        if word != "target":
            yield f"language: {unknown_name('placeholder', word, ['target'])}"
