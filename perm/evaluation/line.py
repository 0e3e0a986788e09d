"""What an episode's line says: the fields of its record, filled."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from perm.core.episode import Episode, Start
from perm.core.satisfaction import SatisfactionScore
from perm.core.task import SPLITS, Task
from perm.evaluation.arms import NORMAL
from perm.evaluation.record import END, PREFERRED_GOAL, EpisodeRecord
from perm.evaluation.stage import Played


@dataclass(frozen=True)
class Tag:
    """What every line of a run has in common."""

    run: str
    policy: str
    checkpoint_step: int | None = None
    series: str = ""
    prompt: str = NORMAL


def record_of(
    played: Played, task: Task, scores: Sequence[SatisfactionScore], tag: Tag
) -> EpisodeRecord:
    """Return the line for one episode.

    Args:
        played: What happened, broken or not.
        task: The task that was played.
        scores: Verdict on each measured preference; none for a broken episode.
        tag: What every line of the run has in common.
    """
    episode, sight = played.episode, played.sight
    mission, identity, trace = task.mission, episode.identity, episode.trace
    judged = {score.preference: score for score in scores}
    return EpisodeRecord(
        run=tag.run,
        policy=tag.policy,
        checkpoint_step=tag.checkpoint_step,
        camera=sight.camera if sight else None,
        seed=identity.seed,
        suite=task.suite,
        series=tag.series or None,
        task_id=task.id,
        group=task.group,
        mission_id=mission.id,
        layout_digest=mission.layout.digest,
        init_index=identity.init_index,
        prompt=episode.prompt,
        wording=_wording(task, tag.prompt),
        preference_ids=tuple(preference.id for preference in task.condition),
        level=task.level,
        condition=task.asks,
        generalization=SPLITS[task.split],
        split=task.split,
        perturbation="none" if tag.prompt == NORMAL else f"prompt_{tag.prompt}",
        outcome=episode.outcome,
        error=episode.error or None,
        success_any=episode.success_any,
        success_end=episode.success_end,
        success_settled=episode.success_settled,
        d={p.id: judged[p.id].label if p.id in judged else None for p in task.measured},
        score={p.id: judged[p.id].value if p.id in judged else None for p in task.measured},
        raw={name: _raw(score) for name, score in judged.items()},
        milestones=_milestones(episode, task),
        subtasks=_subtasks(episode),
        steps=trace.n_steps if trace else None,
        wall_s=episode.wall_s,
        clip_count=episode.clip_count,
        versions=dict(episode.versions),
        renderer=sight.renderer if sight else None,
        first_frame_sha256=sight.first_frame_sha256 if sight else None,
        scene_sha256=scene_sha256(episode.start) if episode.start else None,
    )


def scene_sha256(start: Start) -> str:
    """Return the hash (hex) of where everything is at the start: state and fixture poses."""
    digest = hashlib.sha256(start.state.astype("<f8").tobytes())
    for poses in (start.fixture_pos, start.fixture_quat):
        for name in sorted(poses):
            digest.update(name.encode() + poses[name].astype("<f8").tobytes())
    return digest.hexdigest()


def _wording(task: Task, prompt: str) -> str | None:
    if task.condition:
        return None if prompt == "none" else task.wording
    if task.wording == "original":
        return "original"
    return "original" if task.prompt == task.mission.layout.language.strip() else None


def _raw(score: SatisfactionScore) -> dict[str, Any]:
    return {
        "value": score.raw,
        "unit": score.unit,
        "step": score.step,
        "reason": score.reason,
    }


def _milestones(episode: Episode, task: Task) -> tuple[dict[str, Any], ...]:
    """Return whether the preferred goal was reached, where the task has one, and the end."""
    end = {"name": END, "reached": True, "reason": episode.stop}
    if task.preferred_goal is None or episode.trace is None or episode.trace.preferred is None:
        return (end,)
    return ({"name": PREFERRED_GOAL, "reached": bool(episode.trace.preferred.any())}, end)


def _subtasks(episode: Episode) -> tuple[dict[str, Any], ...]:
    """Return the spans of what the expert did; whether one succeeded is not judged apart."""
    return tuple(
        {
            "skill": part.skill,
            "object": part.object,
            "target": part.target,
            "start": part.start,
            "stop": part.stop,
            "success": None,
        }
        for part in episode.subtasks
    )
