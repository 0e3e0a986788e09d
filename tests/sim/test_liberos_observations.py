"""What a policy sees is what LIBERO's own environment would have shown it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from perm.bddl.write import write_layout
from perm.core.episode import Start
from perm.sim.scene import global_numpy_seed
from perm.sim.starts import start_of

from .scenes import scene, task

pytestmark = pytest.mark.sim


def liberos_env(folder: Path, text: str, start: Start, size: int):
    """LIBERO's rendering environment, put into a start in the way everybody does it."""
    from libero.libero.envs import OffScreenRenderEnv

    path = folder / "layout.bddl"
    path.write_text(text)
    with global_numpy_seed(0):
        env = OffScreenRenderEnv(bddl_file_name=str(path), camera_heights=size, camera_widths=size)
        env.env.reset()
    model = env.sim.model
    for name, fixture in env.env.fixtures_dict.items():
        if name in start.fixture_pos:
            body = model.body_name2id(fixture.root_body)
            model.body_pos[body] = start.fixture_pos[name]
            model.body_quat[body] = start.fixture_quat[name]
    robot = env.env.robots[0]
    robot.gripper.current_action = np.zeros(1)
    first = env.set_init_state(start.state)
    robot.controller.update(force=True)
    robot.controller.reset_goal()
    env.sim.data.qacc_warmstart[:] = start.warmstart
    return env, first


@pytest.mark.parametrize(("size", "knob"), [(128, 0.0), (256, 0.6)])
def test_proprioception_and_pixels_are_liberos_own(tmp_path: Path, size: int, knob: float) -> None:
    """With the stove off, and on: its knob, the last joint, is turned on from 0.5 rad."""
    ours, mission = scene("104"), task("1-7_104").mission
    start = start_of(mission, 5, ours)
    state = start.state.copy()
    state[ours.model.nq] = knob
    start = replace(start, state=state)
    theirs, seen = liberos_env(tmp_path, write_layout(mission.layout), start, size)
    context = theirs.sim._render_context_offscreen.gl_ctx
    ours.begin(start)
    rng = np.random.default_rng(0)
    for step in range(4):
        for name, value in ours.observe(image_size=size).items():
            assert np.array_equal(value, seen[name]), (step, name)
        action = rng.uniform(-1, 1, 7)
        context.make_current()  # LIBERO takes it for granted
        seen, *_ = theirs.step(action)
        ours.step(action)
    context.make_current()  # frees what belongs to the current one
    theirs.close()
