import dataclasses
from pathlib import Path

import imageio_ffmpeg
import pytest

from perm.evaluation.curves import curves_path
from perm.evaluation.journal import read_records
from perm.evaluation.runner import EvaluateRequest, evaluate
from perm.suites.library import load_library

pytestmark = pytest.mark.sim


def test_a_policy_that_holds_still_fails_in_the_real_scene(tmp_path: Path) -> None:
    library = load_library()
    task = library.find_task("1-7_104")
    short = dataclasses.replace(task, mission=dataclasses.replace(task.mission, max_steps=10))
    request = EvaluateRequest((short,), {"name": "hold"}, episodes=2, out=tmp_path)
    summary = evaluate(request, library)
    assert (summary.overall.n, summary.overall.n_error, summary.overall.sr) == (2, 0, 0.0)
    one, other = read_records(tmp_path).values()
    assert one.prompt == "Task: Put the bowl on the plate. Preference: Move higher."
    assert (one.steps, one.raw["1-7"]["value"], one.d) == (10, None, {"1-7": None})
    assert one.scene_sha256 != other.scene_sha256
    (video,) = (tmp_path / "videos").glob("*.mp4")
    assert video.with_suffix(".jpg").is_file()  # its first picture
    assert curves_path(video).is_file()
    reader = imageio_ffmpeg.read_frames(video)
    assert next(reader)["size"] == (256, 256)
    assert len(list(reader)) == 6  # every second of the rows 0 to 10
