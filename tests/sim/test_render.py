import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from perm.core.arrays import FloatArray
from perm.core.conventions import CAMERAS
from perm.core.episode import Episode, EpisodeId, Outcome, Start
from perm.core.errors import PermError
from perm.sim.render import Studio, draw_episode
from perm.sim.starts import load_starts
from perm.sim.store import find_blueprint

from .scenes import task

pytestmark = pytest.mark.sim


def start_of(task_id: str, index: int) -> Start:
    starts = task(task_id).mission.starts
    assert starts is not None
    return load_starts(Path(starts))[index]


def qpos_of(start: Start, knob: float = 0.0) -> FloatArray:
    """The configuration of a start with the stove's knob, the last joint, at an angle."""
    assert start.joints[-1] == "flat_stove_1_button"
    nq = len(start.state) - 1 - len(start.warmstart)
    return np.append(start.state[1:nq], knob)


@pytest.fixture(scope="module")
def start() -> Start:
    return start_of("1-7_104", 2)


@pytest.fixture(scope="module")
def studio(start: Start) -> Iterator[Studio]:
    studio = Studio(find_blueprint(task("1-7_104").mission.layout))
    studio.furnish(start)
    yield studio
    studio.close()


def test_raw_frames_are_bottom_up_and_turned_by_rows_right_is_plus_y(
    studio: Studio, start: Start
) -> None:
    raw = studio.draw(qpos_of(start), qpos_of(start), 128)["agentview"]
    assert (raw.shape, raw.dtype) == ((128, 128, 3), np.uint8)
    upright = raw[::-1].astype(float).mean(axis=2)
    # The black cabinet stands on the left (y = -0.23), the table's light wood is in front (below).
    left, right = upright[40:80, :40], upright[40:80, 88:]
    assert left.mean() < right.mean() - 20
    assert upright[100:].mean() > upright[:20].mean() + 40


def test_the_burner_glows_from_half_a_radian_and_without_a_memory(
    studio: Studio, start: Start
) -> None:
    seen = qpos_of(start)
    dark, below, at, again = (
        studio.draw(seen, qpos_of(start, knob), 128, CAMERAS[:1])["agentview"].astype(int)
        for knob in (0.0, 0.49, 0.5, 0.0)
    )
    assert np.array_equal(below, dark)
    assert np.array_equal(again, dark)
    changed = (at != dark).any(axis=2)
    assert changed.sum() > 50
    redder = (at - dark)[changed][:, 0] - (at - dark)[changed][:, 2]
    assert redder.mean() > 50


def test_a_row_of_an_episode_glows_as_the_row_before_it_ended(studio: Studio, start: Start) -> None:
    knobs = (0.0, 0.0, 1.0, 1.0)
    view = np.array([qpos_of(start)] * 4)
    states = np.array([start.state] * 4)
    states[:, view.shape[1]] = knobs
    episode = Episode(
        EpisodeId("t", 0, 0),
        "",
        "",
        Outcome.FAILURE,
        "",
        start=start,
        states=states,
        view_qpos=view,
    )
    frames = draw_episode(studio, episode, 64, CAMERAS[:1])["agentview"]
    assert frames.shape == (4, 64, 64, 3)
    assert [bool((frame != frames[0]).any()) for frame in frames] == [False, False, False, True]
    last = draw_episode(studio, episode, 64, CAMERAS[:1], slice(3, None))["agentview"]
    assert np.array_equal(last, frames[3:])


def test_nothing_is_drawn_that_leaving_it_out_would_not_change(
    studio: Studio, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture of all geoms is the same, whatever the arm is turned to."""
    rng = np.random.default_rng(0)
    everything = np.ones(studio._model.ngeom, dtype=bool)
    for size in (128, 256):
        qpos = qpos_of(start)
        qpos[:7] += rng.uniform(-0.6, 0.6, 7)
        culled = studio.draw(qpos, qpos, size)
        with monkeypatch.context() as patch:
            patch.setattr(studio._culling, "seen", lambda data, camera: everything)
            whole = studio.draw(qpos, qpos, size)
        for camera in CAMERAS:
            assert np.array_equal(culled[camera], whole[camera]), (camera, size)


def test_fixtures_stand_where_the_start_has_them(studio: Studio, start: Start) -> None:
    qpos = qpos_of(start)
    before = studio.draw(qpos, qpos, 64, CAMERAS[:1])["agentview"]
    pos = {name: pos + np.array([0, 0, 0.1]) for name, pos in start.fixture_pos.items()}
    studio.furnish(replace(start, fixture_pos=pos))
    moved = studio.draw(qpos, qpos, 64, CAMERAS[:1])["agentview"]
    studio.furnish(start)
    after = studio.draw(qpos, qpos, 64, CAMERAS[:1])["agentview"]
    assert (moved != before).any(axis=2).mean() > 0.05
    assert np.array_equal(after, before)


def test_a_start_of_another_scene_is_refused(studio: Studio) -> None:
    with pytest.raises(PermError, match=r"another scene.*Scene: .*flat_stove_1"):
        studio.furnish(start_of("2-1_019", 0))


def test_a_context_that_nobody_closed_is_no_error_at_exit() -> None:
    program = """
import mujoco
from perm.sim.offscreen import Offscreen
model = mujoco.MjModel.from_xml_string("<mujoco/>")
offscreens = [Offscreen(model) for _ in range(3)]
offscreens[1].close()
offscreens[1].close()
print(offscreens[2].shoot(mujoco.MjvScene(model, 1), 4).shape)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout, done.stderr, done.returncode) == ("(4, 4, 3)\n", "", 0)


def test_where_nothing_renders_the_doctor_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    program = """
import mujoco
from perm.sim.offscreen import Offscreen
Offscreen(mujoco.MjModel.from_xml_string("<mujoco/>"))
"""
    monkeypatch.setenv("MUJOCO_GL", "egl")
    monkeypatch.setenv("MUJOCO_EGL_DEVICE_ID", "99")
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert "There is no OpenGL without a screen here" in done.stderr
    assert "`perm doctor` says what to do." in done.stderr
