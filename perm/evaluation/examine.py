"""Plays one episode and judges it."""

import functools
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perm.core.episode import Episode, EpisodeId, Outcome
from perm.core.errors import PermError, pass_on_interrupt
from perm.core.satisfaction import SatisfactionScore
from perm.core.task import Task
from perm.evaluation.curves import curves_of, write_curves
from perm.evaluation.line import Tag, record_of
from perm.evaluation.record import EpisodeRecord
from perm.evaluation.stage import OpenStage, Played, Stage
from perm.metrics.calibration import Calibration
from perm.metrics.satisfaction import judge_all

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """One episode to play.

    Attributes:
        task, identity: What.
        calibrations: By measured preference, or None for a preference that is not calibrated.
        video: Where to film it, or None.
    """

    task: Task
    identity: EpisodeId
    calibrations: Mapping[str, Calibration | None]
    video: Path | None = None


@contextmanager
def examiner(
    open_stage: OpenStage, options: Mapping[str, Any], tag: Tag
) -> Iterator[Callable[[Job], EpisodeRecord]]:
    """Open a stage for a policy; what is given back plays and judges episodes on it.

    Raises:
        PermError: The policy cannot be had.
    """
    stage = open_stage(options)
    try:
        yield functools.partial(examine, stage, tag)
    finally:
        stage.close()


def examine(stage: Stage, tag: Tag, job: Job) -> EpisodeRecord:
    """Play an episode and judge it. Whatever breaks on the way makes it an ERROR."""
    try:
        played = stage.play(job.task, job.identity, job.video)
        scores = _judge(played.episode, job)
    except Exception as error:  # noqa: BLE001 - whatever breaks is an ERROR, never a FAILURE
        pass_on_interrupt(error)
        _log.warning("%s broke: %s", job.identity, error, exc_info=not isinstance(error, PermError))
        return broken(tag, job, f"{type(error).__name__}: {error}")
    if job.video is not None and job.video.is_file() and scores:
        _keep_curves(job.video, played.episode, job)
    return record_of(played, job.task, scores, tag)


def _keep_curves(video: Path, episode: Episode, job: Job) -> None:
    """Keep how the preferences stood over the episode; it counts all the same without."""
    assert episode.trace is not None
    try:
        write_curves(video, curves_of(job.task, episode.trace, job.calibrations))
    except Exception as error:  # noqa: BLE001 - the episode itself is sound
        pass_on_interrupt(error)
        _log.warning("No curves for %s: %s", video.name, error)


def broken(tag: Tag, job: Job, text: str) -> EpisodeRecord:
    """Return the line of an episode that broke outside of the episode loop."""
    episode = Episode(job.identity, job.task.prompt, tag.policy, Outcome.ERROR, "error", error=text)
    return record_of(Played(episode), job.task, (), tag)


def _judge(episode: Episode, job: Job) -> tuple[SatisfactionScore, ...]:
    if episode.trace is None or episode.outcome is Outcome.ERROR:
        return ()
    return judge_all(job.task, episode.trace, job.calibrations)
