"""Which two videos of a task say most, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perm.core.episode import EpisodeId, Outcome
from perm.evaluation.curves import Curve, read_curves
from perm.evaluation.journal import Records, read_records, read_run
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.run import Run
from perm.evaluation.summary import Summary, TaskSummary, summarise
from perm.evaluation.video import video_path


@dataclass(frozen=True)
class Evaluated:
    """A folder of `perm evaluate`, read."""

    folder: Path
    run: Run
    records: Records
    summary: Summary


@dataclass(frozen=True)
class Clip:
    """A filmed episode with its record and the numbers of its task.

    Attributes:
        path: The mp4 file.
        record: What happened in it.
        task: The task's numbers in the same run.
    """

    path: Path
    record: EpisodeRecord
    task: TaskSummary

    @property
    def poster(self) -> Path | None:
        """Its first picture, if there is a file of it."""
        path = self.path.with_suffix(".jpg")
        return path if path.is_file() else None

    @property
    def curves(self) -> tuple[Curve, ...]:
        """How the preferences stood over the episode; none if nobody kept that."""
        return read_curves(self.path)


def read_evaluated(folder: Path) -> Evaluated:
    """Read a folder of `perm evaluate`, complete or not.

    Raises:
        PermError: It is no such folder, or a file is damaged.
    """
    run, records = read_run(folder), read_records(folder)
    return Evaluated(folder, run, records, summarise(run, records))


def find_clips(evaluated: Sequence[Evaluated], group: str) -> tuple[Clip, ...]:
    """Return every filmed episode of a task and its twins, in the order of the runs."""
    return tuple(
        Clip(path, record, task)
        for one in evaluated
        for task in one.summary.tasks
        if task.group == group
        for identity in one.run.identities(task.task_id)
        if (record := _ended(one, identity)) is not None
        if (path := video_path(one.folder, one.run.policy, identity)).is_file()
    )


def choose_pair(clips: Sequence[Clip]) -> tuple[Clip, ...]:
    """Return an episode in which the preference was asked for, and one that contrasts with it.

    Both start from the same init index where that is possible; of such pairs, the one with more
    successes, then the one whose labels are further apart. Without a second episode, or without
    one in which a preference was asked for, there is only one clip or none.
    """
    asked = [clip for clip in clips if clip.record.preference_ids]
    pairs = [(left, right) for left in asked for right in clips if right is not left]
    return max(pairs, key=_contrast, default=tuple((asked or list(clips))[:1]))


def _ended(evaluated: Evaluated, identity: EpisodeId) -> EpisodeRecord | None:
    record = evaluated.records.get(identity)
    return None if record is None or record.outcome is Outcome.ERROR else record


def _contrast(pair: tuple[Clip, Clip]) -> tuple[bool, int, float]:
    left, right = (clip.record for clip in pair)
    is_told = left.label is not None and right.label is not None
    gap = (left.label or 0.0) - (right.label or 0.0) if is_told else -1.0
    return left.init_index == right.init_index, left.success_any + right.success_any, gap
