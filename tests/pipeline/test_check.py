from dataclasses import replace

import numpy as np
import pytest

from perm.core.episode import Episode
from perm.core.satisfaction import SatisfactionScore
from perm.data.demo import Demo
from perm.metrics.calibration import Calibration, EventCalibration
from perm.pipeline.check import other_calibrations, stored_calibrations
from perm.pipeline.replay import compare_images, compare_labels, compare_states
from tests.data.demos import make_demo
from tests.evaluation.world import HIGH as TASK
from tests.evaluation.world import LIBRARY
from tests.metrics.traces import pick_and_place

OLD, NEW = (
    Calibration(
        TASK.id, "1-7", {"carry": EventCalibration(0.1, full, (-20.0, 50.0, 70.0), "m")}, {}
    )
    for full in (0.3, 0.9)
)
NOW = replace(LIBRARY, calibrations={(TASK.id, "1-7"): NEW})
TRACE = pick_and_place(height=0.3).trace


def labelled(label: float | None, calibration: Calibration | None = OLD) -> Demo:
    known = {} if calibration is None else {"1-7": calibration.to_dict()}
    scores = (SatisfactionScore("1-7", 0.3, "m", None, label),)
    return replace(make_demo(), scores=scores, calibrations=known)


def labels_found(demo: Demo) -> list[str]:
    found = compare_labels("demo_0", demo, TRACE, TASK, stored_calibrations(demo))
    return [str(finding) for finding in found]


def test_a_label_is_judged_with_the_calibration_of_the_file() -> None:
    assert labels_found(labelled(1.0)) == []
    assert labels_found(labelled(0.25, NEW)) == []
    assert labels_found(labelled(None, None)) == []


def test_a_label_that_the_files_own_calibration_does_not_give_is_found() -> None:
    assert labels_found(labelled(0.25)) == [
        "demo_0: label of preference 1-7 in the replay is 1.0; expected 0.25"
    ]


def test_another_calibration_in_the_library_is_a_note() -> None:
    notes = list(other_calibrations(TASK, {"1-7": OLD}, NOW))
    assert len(notes) == 1
    assert notes[0].startswith("The labels of preference 1-7 were made with another calibration")
    assert list(other_calibrations(TASK, {}, NOW)) == notes
    assert list(other_calibrations(TASK, {"1-7": replace(NEW, source={"seed": 5})}, NOW)) == []


def test_a_replay_that_leaves_the_stored_states_is_found() -> None:
    demo = make_demo()
    states = demo.episode.states
    assert states is not None

    def found(played: Episode) -> list[str]:
        return [str(finding) for finding in compare_states("demo_0", demo, played)]

    assert found(replace(demo.episode, states=states + 5e-7)) == []
    assert (
        "is 0.01; expected at most 1e-06" in found(replace(demo.episode, states=states + 0.01))[0]
    )
    assert "is inf; expected" in found(replace(demo.episode, states=states[:-1]))[0]
    unsettled = replace(demo.episode, success_settled=False, stop="step limit")
    assert found(unsettled) == ["demo_0: end of the replay is step limit; expected settled"]


@pytest.mark.parametrize(("row", "is_found"), [(0, True), (1, False), (3, True), (5, True)])
def test_the_first_middle_and_last_images_are_compared_pixel_by_pixel(
    row: int, is_found: bool
) -> None:
    demo = make_demo(image_size=16)

    def draw(episode, size, cameras, rows):  # type: ignore[no-untyped-def]
        assert (episode, size) == (demo.episode, 16)
        return {camera: demo.images[camera][rows] for camera in cameras}

    assert list(compare_images("demo_0", demo, draw)) == []
    images = {camera: np.array(frames) for camera, frames in demo.images.items()}
    images["agentview"][row, 2, 3] ^= 1
    found = [str(f) for f in compare_images("demo_0", replace(demo, images=images), draw)]
    told = f"demo_0: image of row {row} of agentview is different in 1 pixels"
    assert found == ([f"{told}; expected what is drawn now"] if is_found else [])
