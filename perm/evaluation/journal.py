"""A folder that remembers: `run.json`, and one line in `episodes.jsonl` for each episode.

A line is on the disk before the next episode begins, so that a kill costs at most the episode
that was being played.
"""

import json
from pathlib import Path
from types import TracebackType
from typing import Self

from perm.core.difference import differences
from perm.core.episode import EpisodeId
from perm.core.errors import PermError
from perm.data.atomic import completed
from perm.data.lines import Lines, read_lines
from perm.evaluation import run as runs
from perm.evaluation.record import EpisodeRecord, from_json, to_json

RUN_FILE = "run.json"
EPISODES_FILE = "episodes.jsonl"

Records = dict[EpisodeId, EpisodeRecord]


class Journal:
    """The episodes of one run that have been played, for whoever goes on with it.

    Attributes:
        folder: Where the files are.
        records: The newest record of each episode.
    """

    def __init__(self, folder: Path, run: runs.Run) -> None:
        """Read what is there; nothing is written before the context is entered.

        Raises:
            PermError: The folder holds another run, or a file is damaged.
        """
        self.folder = folder
        self._run = run
        self._lines = Lines(folder / EPISODES_FILE, "evaluation")
        _refuse_other_run(folder, run)
        self.records: Records = read_records(folder)

    def __enter__(self) -> Self:
        """Make the folder if need be, and keep other writers out.

        Raises:
            PermError: Another evaluation writes here.
        """
        self._lines.__enter__()
        with completed(self.folder / RUN_FILE) as path:
            path.write_text(runs.to_json(self._run), encoding="utf-8")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let others write."""
        self._lines.__exit__(kind, error, trace)

    def append(self, record: EpisodeRecord) -> None:
        """Keep a record; it is on the disk when this returns."""
        self._lines.append(to_json(record))
        self.records[record.identity] = record


def read_run(folder: Path) -> runs.Run:
    """Return the run that a folder holds.

    Raises:
        PermError: It holds none, or a damaged one.
    """
    path = folder / RUN_FILE
    if not path.is_file():
        raise PermError(f"{folder} is not a folder of `perm evaluate`: it has no {RUN_FILE}.")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PermError(f"{path} is damaged: {error}.") from error
    return runs.from_json(text, str(path))


def read_records(folder: Path) -> Records:
    """Return the newest record of each episode; a torn last line is left out.

    Raises:
        PermError: A line before the last one is damaged.
    """
    records = read_lines(folder / EPISODES_FILE, from_json)
    return {record.identity: record for record in records}


def _refuse_other_run(folder: Path, run: runs.Run) -> None:
    if not (folder / RUN_FILE).is_file():
        if read_records(folder):
            raise PermError(f"{folder} holds {EPISODES_FILE} but no {RUN_FILE}; choose another.")
        return
    both = (run.identity, read_run(folder).identity)
    found = differences(*(json.loads(runs.to_json(one)) for one in both))
    if found:
        raise PermError(
            f"{folder} holds another run. What differs (asked for, there):\n{found}\n"
            "Choose another folder, or ask for the same."
        )
