"""The checks of one demonstration."""

from collections.abc import Iterator

import h5py
import numpy as np

from perm.core.arrays import AnyArray, FloatArray
from perm.core.errors import PermError
from perm.core.satisfaction import LABELS, SatisfactionScore
from perm.data.check_arrays import check_arrays
from perm.data.checksum import H5_ERRORS, tell, why_damaged
from perm.data.demo import Demo
from perm.data.demo_group import read_demo
from perm.data.file_facts import FileFacts
from perm.data.finding import Finding, compare
from perm.data.libero_arrays import libero_arrays
from perm.data.reader import DemoFile
from perm.data.recording import Recording, recording_of
from perm.data.schema import PERM, demo_name

ROBOT_JOINTS = tuple(f"robot0_joint{i}" for i in range(1, 8))


def check_demo(file: DemoFile, index: int) -> list[Finding]:
    """Return what is wrong with one demonstration."""
    where = f"/data/{demo_name(index)}"
    if why := why_damaged(file.file, index):
        return [Finding("content", where, why, "as it was written")]
    group = file.file[where]
    if findings := list(check_arrays(group, where, file.facts)):
        return findings  # what follows relies on the shapes
    try:
        demo = read_demo(group, images=False)
        recording = recording_of(demo)
    except (*H5_ERRORS, PermError) as error:
        return [Finding("content", where, tell(error), "a complete demonstration")]
    return [
        *_check_identity(demo, recording, where, file.facts),
        *_check_subtasks(demo, recording, where),
        *_check_start(group, recording, where),
        *_check_values(group, demo, recording, where),
        *_check_alignment(demo, recording, where),
        *_check_scores(demo, where),
    ]


def _check_identity(
    demo: Demo, recording: Recording, where: str, facts: FileFacts
) -> Iterator[Finding]:
    episode = demo.episode
    yield from compare(where, "task", episode.identity.task_id, facts.task_id)
    yield from compare(where, "twin", demo.twin, facts.twin)
    yield from compare(where, "prompt", episode.prompt, facts.prompt)
    yield from compare(where, "problem file", demo.problem_file, facts.bddl_file)
    yield from compare(where, "layout", recording.start.layout_digest, facts.layout_digest)


def _check_subtasks(demo: Demo, recording: Recording, where: str) -> Iterator[Finding]:
    n_rows = len(recording.states)
    for subtask in demo.episode.subtasks:
        span = (subtask.start, subtask.stop)
        if not 0 <= subtask.start <= subtask.stop <= n_rows:
            yield Finding(f"span of {subtask.skill}", where, str(span), f"rows 0 to {n_rows}")


def _check_start(group: h5py.Group, recording: Recording, where: str) -> Iterator[Finding]:
    start = recording.start.state
    for name, state in {
        "states[0]": recording.states[0],
        "init_state": group.attrs["init_state"],
    }.items():
        if not np.array_equal(state, start):
            yield Finding(name, where, _difference(state, start), "the state of perm/start")


def _check_values(
    group: h5py.Group, demo: Demo, recording: Recording, where: str
) -> Iterator[Finding]:
    """LIBERO's arrays against the ones that follow from the rest of the demonstration."""
    trace = recording.trace
    success = bool(trace.success[-1])
    if not success:
        yield Finding("goal after the last action", where, "not reached", "reached")
    expected = libero_arrays(trace.actions, recording.states, demo.episode.proprio, success)
    for name, array in expected.items():
        if not np.array_equal(group[name][()], array):
            value = _difference(group[name][()], array)
            yield Finding("array", f"{where}/{name}", value, "what was measured")


def _check_alignment(demo: Demo, recording: Recording, where: str) -> Iterator[Finding]:
    """obs[t] has to be nearer to the state before action t than to the one after it."""
    if recording.start.joints[: len(ROBOT_JOINTS)] != ROBOT_JOINTS:
        return
    seen = demo.episode.proprio["robot0_joint_pos"][:-1]
    joints = recording.states[:, 1 : 1 + len(ROBOT_JOINTS)]
    before, after = (float(np.abs(seen - q).max()) for q in (joints[:-1], joints[1:]))
    if before > after:
        yield Finding(
            "obs/joint_states",
            where,
            f"{before:.2g} rad off the state before each action, {after:.2g} rad off the one after",
            "what was seen before the action",
        )


def _check_scores(demo: Demo, where: str) -> Iterator[Finding]:
    measured = [score.preference for score in demo.scores]
    yield from compare(where, "preferences with a curve", sorted(demo.curves), sorted(measured))
    for score in demo.scores:
        place = f"{where}/{PERM}/curves/{score.preference}"
        if (score.value is None) != (score.label is None) or score.label not in (None, *LABELS):
            yield Finding("label", place, str(score.label), f"one of {LABELS}, None like the score")
        if score.preference in demo.curves:
            yield from _check_curve(score, demo.curves[score.preference], place)


def _check_curve(
    score: SatisfactionScore, curve: tuple[FloatArray, FloatArray], place: str
) -> Iterator[Finding]:
    for what, stored, rows in zip(
        ("raw quantity", "score"), (score.raw, score.value), curve, strict=True
    ):
        last = None if np.isnan(rows[-1]) else float(rows[-1])
        yield from compare(place, f"{what} at the end of the curve", last, stored)


def _difference(value: AnyArray, expected: AnyArray) -> str:
    if value.shape != expected.shape:
        return f"of shape {value.shape}, not {expected.shape}"
    return f"off by {np.abs(value.astype(float) - expected.astype(float)).max():.2g}"
