"""A preference and a task of a user's own, as two YAML files in a folder."""

from pathlib import Path

import pytest

from perm.data.reader import read_demo_file
from perm.evaluation.runner import EvaluateRequest, evaluate
from perm.pipeline.demonstrate import generate
from perm.pipeline.request import GenerateRequest
from perm.suites.library import load_library

pytestmark = pytest.mark.sim

PREFERENCE = """
id: carry-it-high
name: Carry it high
level: motion
language: Carry it well above everything else
metric: {name: carry_height}
better: larger
expert:
  carry: {extra_height: 0.15}
"""
TASK = """
id: mine/high_104
mission: "104"
preference: carry-it-high
"""
CALIBRATION = """
task: mine/high_104
preference: carry-it-high
events:
  carry: {raw_at_0: 0.20, raw_at_100: 0.35, cuts: [-6, 50, 80], unit: m}
source: {reason: set by hand}
not_scored: {}
"""
PROMPT = "Task: Put the bowl on the plate. Preference: Carry it well above everything else."


def test_it_generates_and_evaluates_without_touching_the_package(tmp_path: Path) -> None:
    for name, text in (
        ("preference/carry-it-high.yaml", PREFERENCE),
        ("task/mine/high_104.yaml", TASK),
        ("calibration/mine/high_104.yaml", CALIBRATION),
    ):
        path = tmp_path / "my" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    library = load_library([tmp_path / "my"])
    task = library.find_task("high_104")

    files = generate(
        GenerateRequest((task,), demos=1, out=tmp_path / "demos", images=None), library
    )
    names = [path.relative_to(tmp_path / "demos").as_posix() for path in files]
    assert names == ["mine/high_104_demo.hdf5", "mine/high_104.nopref_demo.hdf5"]
    with read_demo_file(files[0]) as file:
        demo = file.demo(0)
    assert demo.episode.prompt == PROMPT
    assert demo.scores[0].label == 1

    request = EvaluateRequest(
        (task,), {"name": "expert"}, episodes=1, out=tmp_path / "played", videos=0
    )
    summary = evaluate(request, library)
    assert (summary.overall.sr, summary.overall.sa) == (1.0, 1.0)
