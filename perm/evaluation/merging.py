"""The shards of one run as one folder."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from perm.core.episode import EpisodeId, Outcome
from perm.core.errors import PermError
from perm.evaluation.journal import RUN_FILE, Journal, Records, read_records, read_run
from perm.evaluation.results import write_results
from perm.evaluation.run import Run
from perm.evaluation.summary import Summary

VIDEOS = "videos"


def merge(folders: Sequence[Path], out: Path) -> Summary:
    """Write the episodes of several folders of one run to a new one; return what they come to.

    Of an episode that several hold, one that was played to an end counts. Episodes come in table
    order, so that the result does not depend on the order of the folders.

    Args:
        folders: Of `perm evaluate`, all of the same run.
        out: A folder that does not exist, or is empty.

    Raises:
        PermError: A folder is none, or they hold different runs, or `out` is in use.
    """
    if out.exists() and any(out.iterdir()):
        raise PermError(f"{out} is not empty; choose another folder.")
    runs = [read_run(folder) for folder in folders]
    for folder, run in zip(folders, runs, strict=True):
        if run.id != runs[0].id:
            raise PermError(
                f"{folder} holds another run than {folders[0]}: {run.id}, not {runs[0].id}. Shards "
                f"of one run differ in shard= only; see {RUN_FILE} of both."
            )
    records = _gathered(folders)
    with Journal(out, runs[0]) as journal:
        for identity in _in_order(runs[0], records):
            journal.append(records[identity])
    for folder in folders:
        for path in sorted((folder / VIDEOS).glob("*.mp4")):
            (out / VIDEOS).mkdir(exist_ok=True)
            shutil.copy2(path, out / VIDEOS / path.name)
    return write_results(runs[0], records, out)


def _gathered(folders: Sequence[Path]) -> Records:
    gathered: Records = {}
    for folder in folders:
        for identity, record in read_records(folder).items():
            if identity not in gathered or gathered[identity].outcome is Outcome.ERROR:
                gathered[identity] = record
    return gathered


def _in_order(run: Run, records: Records) -> list[EpisodeId]:
    return [i for name in run.tasks for i in run.identities(name) if i in records]
