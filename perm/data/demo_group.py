"""One demonstration in its group of the file, and back."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import h5py
import numpy as np

from perm.core.arrays import AnyArray
from perm.core.episode import Episode, EpisodeId, Outcome, Subtask
from perm.core.satisfaction import SatisfactionScore
from perm.data.arrays_io import from_json, get_rows, put_array, put_images, put_rows, to_json
from perm.data.checksum import sign_demo
from perm.data.demo import Demo
from perm.data.libero_arrays import libero_arrays, read_proprio
from perm.data.recording import Recording, recording_of
from perm.data.schema import IMAGES, PERM, PROPRIO
from perm.data.start_group import read_start, write_start
from perm.data.trace_group import read_trace, write_trace


def write_demo(group: h5py.Group, demo: Demo) -> int:
    """Write a demonstration into an empty group; return its number of actions.

    Raises:
        PermError: The episode cannot become a demonstration, see `recording_of`.
    """
    recording = recording_of(demo)
    trace, states = recording.trace, recording.states
    success = bool(trace.success[-1])
    put_rows(group, libero_arrays(trace.actions, states, demo.episode.proprio, success))
    for camera in sorted(demo.images):
        put_images(group, IMAGES[camera], demo.images[camera])
    group.attrs["num_samples"] = trace.n_steps
    group.attrs["model_file"] = demo.model_xml
    group.attrs["init_state"] = states[0]
    _write_extras(group.create_group(PERM), group["actions"], demo, recording)
    sign_demo(group)
    return trace.n_steps


def read_demo(group: h5py.Group, images: bool) -> Demo:
    """Return the demonstration that was written into a group.

    Args:
        group: The group, verified.
        images: Whether to read the images; without, the demonstration has none.
    """
    extras = group[PERM]
    facts = extras.attrs
    cameras = [camera for camera in IMAGES if images and IMAGES[camera] in group]
    return Demo(
        episode=_read_episode(group),
        bddl_text=facts["bddl_file_content"],
        model_xml=group.attrs["model_file"],
        images={camera: group[IMAGES[camera]][()] for camera in cameras},
        scores=tuple(SatisfactionScore(**score) for score in from_json(facts["scores"])),
        curves={
            name: (curve["raw"][()], curve["value"][()]) for name, curve in extras["curves"].items()
        },
        calibrations=from_json(facts.get("calibrations", "{}")),
        attempts=from_json(facts["attempts"]),
        inspection=facts.get("inspection", ""),
        twin=facts.get("twin"),
        bddl_file=facts["bddl_file_name"],
    )


def _write_extras(
    extras: h5py.Group, actions: h5py.Dataset, demo: Demo, recording: Recording
) -> None:
    extras.attrs.update(_attributes(demo))
    write_trace(extras.create_group("trace"), recording.trace, actions)
    write_start(extras.create_group("start"), recording.start)
    curves = extras.create_group("curves")
    for preference in sorted(demo.curves):
        raw, value = demo.curves[preference]
        put_rows(curves.create_group(preference), {"raw": raw, "value": value})
    end = {name: np.asarray(demo.episode.proprio[name])[-1] for name in PROPRIO}
    put_rows(extras.create_group("end"), {"state": recording.states[-1], **end})
    put_array(extras, "view_qpos", recording.view_qpos)


def _attributes(demo: Demo) -> dict[str, Any]:
    episode = demo.episode
    attributes = {
        **asdict(episode.identity),
        "prompt": episode.prompt,
        "policy": episode.policy,
        "outcome": str(episode.outcome),
        "stop": episode.stop,
        "success_any": episode.success_any,
        "success_end": episode.success_end,
        "success_settled": episode.success_settled,
        "clip_count": episode.clip_count,
        "bddl_file_name": demo.problem_file,
        "bddl_file_content": demo.bddl_text,
        "versions": to_json(dict(sorted(episode.versions.items()))),
        "attempts": to_json(dict(sorted(demo.attempts.items()))),
        "scores": to_json([asdict(score) for score in demo.scores]),
        "subtasks": to_json([asdict(subtask) for subtask in episode.subtasks]),
    }
    if demo.calibrations:
        attributes["calibrations"] = to_json(dict(sorted(demo.calibrations.items())))
    if demo.inspection:
        attributes["inspection"] = demo.inspection
    if demo.twin is not None:
        attributes["twin"] = demo.twin
    return attributes


def _read_episode(group: h5py.Group) -> Episode:
    extras = group[PERM]
    facts = extras.attrs
    end = get_rows(extras["end"])
    return Episode(
        identity=EpisodeId(facts["task_id"], int(facts["init_index"]), int(facts["seed"])),
        prompt=facts["prompt"],
        policy=facts["policy"],
        outcome=Outcome(facts["outcome"]),
        stop=facts["stop"],
        success_any=bool(facts["success_any"]),
        success_end=bool(facts["success_end"]),
        success_settled=bool(facts["success_settled"]),
        start=read_start(extras["start"]),
        trace=read_trace(extras["trace"]),
        states=_append(group["states"][()], end["state"]),
        view_qpos=extras["view_qpos"][()],
        proprio={name: _append(rows, end[name]) for name, rows in read_proprio(group).items()},
        subtasks=tuple(_subtask(record) for record in from_json(facts["subtasks"])),
        clip_count=int(facts["clip_count"]),
        versions=from_json(facts["versions"]),
    )


def _subtask(record: Mapping[str, Any]) -> Subtask:
    frame = {name: np.array(record[name]) for name in ("goal_pos", "goal_quat")}
    return Subtask(**{**record, **frame})


def _append(rows: AnyArray, last: AnyArray) -> AnyArray:
    return np.concatenate([rows, last[np.newaxis]])
