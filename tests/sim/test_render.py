import numpy as np
import pytest

from perm.core.conventions import CAMERAS, hold_action
from perm.sim.render import render_frames
from perm.sim.starts import start_of

from .scenes import scene, task

pytestmark = pytest.mark.sim


def test_frames_drawn_later_are_the_pixels_that_were_seen() -> None:
    env, mission = scene("104"), task("1-7_104").mission
    start = start_of(mission, 2, env)
    env.begin(start)
    views, seen = [], []
    for step in range(3):
        views.append(env.view_qpos.copy())
        seen.append(env.observe(image_size=128))
        action = hold_action()
        action[:3] = [0.8, -0.5, -0.8 + step]
        env.step(action)
    later = render_frames(env, start, np.array(views), 128)
    for camera in CAMERAS:
        for i in range(3):
            assert np.array_equal(later[camera][i], seen[i][f"{camera}_image"]), (camera, i)


def test_raw_frames_are_bottom_up_and_turned_by_rows_right_is_plus_y() -> None:
    env, mission = scene("019"), task("2-1_019").mission
    start = start_of(mission, 0, env)
    env.begin(start)
    raw = env.observe(image_size=128)["agentview_image"]
    upright = raw[::-1].astype(float).mean(axis=2)
    # The black cabinet stands on the left (y = -0.3), the table's light wood is in front (below).
    left, right = upright[40:80, :40], upright[40:80, 88:]
    assert left.mean() < right.mean() - 40
    assert upright[100:].mean() > upright[:20].mean() + 40
