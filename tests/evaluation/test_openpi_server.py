"""A server that speaks openpi's protocol plays in real scenes."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from perm.evaluation.journal import read_records
from perm.evaluation.runner import EvaluateRequest, evaluate
from perm.policies.profile import profile_from_mapping
from perm.suites.library import load_library
from perm.suites.paths import packaged_configs
from perm.suites.strict_yaml import read_mapping

from ..policies.server import FakeServer

pytestmark = pytest.mark.sim

PROMPTS = {
    "single/1-2_065": "Task: pick up the alphabet soup and put it in the tray. "
    "Preference: Slow down.",
    "single/1-7_104": "Task: Put the bowl on the plate. Preference: Move higher.",
    "single/2-1_019": "Task: put the black bowl on the plate. Preference: Pick from right edge.",
    "single/3-2_081_1": "Task: Put a mug on the plate. Preference: Prefer red objects.",
    "single/3-3_019_1": "Task: Put the black bowl on a plate. Preference: Prefer yellow objects.",
}


def test_each_task_is_played_by_a_server_that_gets_its_prompt_byte_for_byte(
    tmp_path: Path,
) -> None:
    library = load_library()
    tasks = tuple(
        dataclasses.replace(task, mission=dataclasses.replace(task.mission, max_steps=10))
        for task in map(library.find_task, PROMPTS)
    )
    options = read_mapping(packaged_configs() / "policy/openpi.yaml")
    profile_from_mapping(options["profile"])
    chunk = np.tile([0.0, 0.0, 0.2, 0.0, 0.0, 0.0, -1.0], (10, 1))
    with FakeServer(lambda number, request: {"actions": chunk}) as server:
        request = EvaluateRequest(
            tasks, {**options, "url": server.url}, episodes=1, out=tmp_path, videos=0
        )
        summary = evaluate(request, library)
    assert (summary.overall.n, summary.overall.n_error) == (5, 0)
    # 10 steps, replanned every 5
    assert [r["prompt"] for r in server.requests] == [
        PROMPTS[task.id] for task in tasks for _ in range(2)
    ]
    assert {r.task_id: r.prompt for r in read_records(tmp_path).values()} == PROMPTS
    for sent in server.requests:
        for key in ("observation/image", "observation/wrist_image"):
            assert sent[key].shape == (224, 224, 3)
            assert sent[key].dtype == np.uint8
            assert sent[key].std() > 20
        assert sent["observation/state"].shape == (8,)
    first, second = (r["observation/state"][2] for r in server.requests[:2])
    assert second > first + 0.01
