"""Only what is complete, settled and executed as stored becomes a demonstration."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from perm.core.episode import Outcome
from perm.core.errors import PermError
from perm.data.recording import recording_of
from tests.data.demos import make_demo


def test_a_complete_demo_is_accepted() -> None:
    assert recording_of(make_demo(image_size=8)).trace.n_steps == 6


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"outcome": Outcome.ERROR, "stop": "error"}, r"init index 0\) ended as error \(error\)"),
        ({"success_settled": False, "stop": "after success"}, r"success \(after success\)"),
        ({"start": None}, "lacks its start, trace, states or view_qpos"),
        ({"view_qpos": None}, "lacks its start, trace, states or view_qpos"),
        ({"states": np.zeros((6, 45))}, "states has 6 rows, 7 are needed: one before each action"),
        ({"proprio": {}}, "lacks the robot observation 'robot0_eef_pos'"),
    ],
)
def test_an_incomplete_episode_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(PermError, match=message):
        recording_of(make_demo(**changes))


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.full((6, 7), 1.01), r"outside \[-1, 1\]; store them as they were executed"),
        (np.full((6, 7), np.nan), r"outside \[-1, 1\]"),
        (np.zeros((6, 6)), r"actions of shape \(6, 6\)"),
        (np.zeros((0, 7)), r"\(T, 7\) with T >= 1 is needed"),
    ],
)
def test_actions_that_were_not_executed_are_refused(actions: np.ndarray, message: str) -> None:
    demo = make_demo()
    assert demo.episode.trace is not None
    trace = replace(demo.episode.trace, actions=actions)
    with pytest.raises(PermError, match=message):
        recording_of(replace(demo, episode=replace(demo.episode, trace=trace)))


@pytest.mark.parametrize(
    ("images", "message"),
    [
        ({"agentview": np.zeros((6, 8, 8, 3), np.uint8)}, "there are either none or those of"),
        (
            {
                "agentview": np.zeros((7, 8, 8, 3), np.uint8),
                "robot0_eye_in_hand": np.zeros((7, 8, 8, 3), np.uint8),
            },
            "7 images of agentview and 6 actions; one before each action is needed",
        ),
        (
            {
                "agentview": np.zeros((6, 8, 8, 3)),
                "robot0_eye_in_hand": np.zeros((6, 8, 8, 3)),
            },
            r"float64 of shape \(6, 8, 8, 3\); uint8",
        ),
    ],
)
def test_images_that_do_not_fit_are_refused(images: dict[str, Any], message: str) -> None:
    with pytest.raises(PermError, match=message):
        recording_of(replace(make_demo(), images=images))


def test_a_curve_of_another_length_is_refused() -> None:
    demo = replace(make_demo(), curves={"1-7": (np.zeros(7), np.zeros(6))})
    with pytest.raises(PermError, match="score curve of 1-7 has 6 rows, 7 are needed"):
        recording_of(demo)
