"""From rewording files to the tasks of ComprePref: the same scenes, asked for in other words."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from perm.core.errors import unknown_name
from perm.core.task import Task
from perm.suites.entries import RewordingEntry
from perm.suites.sources import Sources

SUITE, TITLE = "compre_pref", "ComprePref"
WORDED = ("mixture", "implicit")
"""The wordings of each file, in the order of the tasks: `compre/<name>.mixture`."""


def reworded(
    entries: Mapping[str, RewordingEntry], tasks: Mapping[str, Task], sources: Sources
) -> Iterator[Task]:
    """Yield two tasks a file: what is asked for in its words, measured as its task is.

    Args:
        entries: Rewording files by id, which is that of the task.
        tasks: All tasks of a preference, by id.
        sources: Where problems are reported.
    """
    for entry in entries.values():
        where = ("rewording", entry.id)
        task = tasks.get(entry.id)
        if task is None or not task.condition:
            wanted = [one.id for one in tasks.values() if one.condition and not one.beside]
            sources.report(*where, str(unknown_name("task with a preference", entry.id, wanted)))
            continue
        name = entry.id.rpartition("/")[2]
        for wording in WORDED:
            sentence = getattr(entry, wording)
            yield replace(
                task,
                id=f"compre/{name}.{wording}",
                suite=SUITE,
                wording=wording,
                sentence=sentence,
            )
