"""What an episode must have before it may become a demonstration."""

from dataclasses import dataclass

import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.core.conventions import ACTION_SIZE
from perm.core.episode import Episode, Outcome, Start
from perm.core.errors import PermError
from perm.core.trace import Trace
from perm.data.demo import Demo
from perm.data.private_paths import absolute_paths
from perm.data.schema import IMAGES, PROPRIO
from perm.data.trace_group import trace_rows


@dataclass(frozen=True)
class Recording:
    """The arrays of an episode that has them all."""

    start: Start
    trace: Trace
    states: FloatArray
    view_qpos: FloatArray


def recording_of(demo: Demo) -> Recording:
    """Return the recording behind a demonstration.

    Raises:
        PermError: The episode did not succeed and settle, or something is missing, has a wrong
            length, was not executed as stored, or names a place on this machine.
    """
    episode = demo.episode
    _check_outcome(episode)
    start, trace, states, view = episode.start, episode.trace, episode.states, episode.view_qpos
    if start is None or trace is None or states is None or view is None:
        raise PermError(f"{_name(episode)} lacks its start, trace, states or view_qpos.")
    recording = Recording(start, trace, states, view)
    _check_actions(episode, trace.actions)
    _check_rows(demo, recording)
    _check_images(demo, trace.n_steps)
    for text in (demo.model_xml, demo.bddl_text, demo.problem_file):
        if found := absolute_paths(text):
            raise PermError(f"{_name(episode)} names places on this machine: {found[:3]}.")
    return recording


def _check_outcome(episode: Episode) -> None:
    if episode.outcome is not Outcome.SUCCESS or not episode.success_settled:
        raise PermError(
            f"Only a success that settled becomes a demonstration; {_name(episode)} ended "
            f"as {episode.outcome} ({episode.stop})."
        )


def _check_actions(episode: Episode, actions: FloatArray) -> None:
    if actions.ndim != 2 or actions.shape[1] != ACTION_SIZE or not len(actions):
        raise PermError(
            f"{_name(episode)} has actions of shape {actions.shape}; "
            f"(T, {ACTION_SIZE}) with T >= 1 is needed."
        )
    if not (np.abs(actions) <= 1).all():
        raise PermError(
            f"{_name(episode)} has actions outside [-1, 1]; store them as they were executed."
        )


def _check_rows(demo: Demo, recording: Recording) -> None:
    episode, expected = demo.episode, recording.trace.n_steps + 1
    rows: dict[str, AnyArray] = {
        "states": recording.states,
        "view_qpos": recording.view_qpos,
        **{f"trace.{name}": array for name, array in trace_rows(recording.trace).items()},
    }
    for name in PROPRIO:
        if name not in episode.proprio:
            raise PermError(f"{_name(episode)} lacks the robot observation {name!r}.")
        rows[name] = episode.proprio[name]
    for preference, (raw, value) in demo.curves.items():
        rows[f"raw curve of {preference}"] = raw
        rows[f"score curve of {preference}"] = value
    for name, array in rows.items():
        if len(array) != expected:
            raise PermError(
                f"{_name(episode)}: {name} has {len(array)} rows, {expected} are needed: "
                "one before each action and one at the end."
            )


def _check_images(demo: Demo, n_steps: int) -> None:
    if demo.images and set(demo.images) != set(IMAGES):
        raise PermError(
            f"{_name(demo.episode)} has images of {sorted(demo.images)}; "
            f"there are either none or those of {sorted(IMAGES)}."
        )
    for camera, frames in demo.images.items():
        if frames.dtype != np.uint8 or frames.ndim != 4 or frames.shape[3] != 3:
            raise PermError(
                f"Images of {camera} are {frames.dtype} of shape {frames.shape}; "
                "uint8 of shape (T, H, W, 3) is needed."
            )
        if len(frames) != n_steps:
            raise PermError(
                f"{_name(demo.episode)} has {len(frames)} images of {camera} and {n_steps} "
                "actions; one before each action is needed, none after the last."
            )


def _name(episode: Episode) -> str:
    return f"The episode of {episode.identity.task_id} (init index {episode.identity.init_index})"
