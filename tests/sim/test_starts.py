from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from perm.bddl.write import layout_digest
from perm.core.errors import PermError
from perm.sim.bodies import entity_boxes, support_height
from perm.sim.env import SimEnv
from perm.sim.placement import stored_states
from perm.sim.starts import load_starts, make_start, save_starts, start_of

from .scenes import library, scene, task

pytestmark = pytest.mark.sim

MISSIONS = ("104", "065", "019", "081_1", "019_1")


def mission_of(name: str):
    return next(t.mission for t in library().tasks.values() if t.mission.id == name)


@pytest.mark.parametrize("name", ["104", "081_1"])
def test_the_stored_start_is_what_the_layout_and_the_index_give(name: str) -> None:
    env, mission = scene(name), mission_of(name)
    made = make_start(mission, 7, env)
    kept = start_of(mission, 7, env)
    assert made.state == pytest.approx(kept.state, abs=1e-6)
    assert made.joints == kept.joints
    for fixture, pos in kept.fixture_pos.items():
        assert made.fixture_pos[fixture] == pytest.approx(pos, abs=1e-12)


@pytest.mark.parametrize("name", MISSIONS)
def test_at_no_start_is_the_goal_already_true_or_an_object_inside_the_table(name: str) -> None:
    env, mission = scene(name), mission_of(name)
    for index in (0, 13, 30, 49):
        env.begin(start_of(mission, index, env))
        assert not env.reached(mission.goal)
        for entity in mission.layout.objects:
            low = entity_boxes(env, entity.name).corners[:, 2].min()
            assert low > support_height(env) - 0.002, entity.name


def test_fixtures_stand_elsewhere_at_another_index_and_are_put_back() -> None:
    env, mission = scene("104"), mission_of("104")
    stove = "flat_stove_1"
    first, second = start_of(mission, 0, env), start_of(mission, 1, env)
    assert np.abs(first.fixture_pos[stove] - second.fixture_pos[stove]).max() > 1e-4
    env.begin(first)
    env.begin(second)
    assert env.model.body_pos[env.fixture_bodies[stove]] == pytest.approx(second.fixture_pos[stove])


def test_an_unedited_layout_starts_at_liberos_stored_states() -> None:
    env, mission = scene("104"), mission_of("104")
    stored = stored_states("libero_goal/put_the_bowl_on_the_plate")[4]
    start = start_of(mission, 4, env)
    env.begin(start)
    bowl = env.model.joint(env.blueprint.entities["akita_black_bowl_1"].joints[-1]).qposadr[0]
    assert start.state[1 + bowl : 3 + bowl] == pytest.approx(stored[1 + bowl : 3 + bowl], abs=0.01)


def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    env, mission = scene("104"), mission_of("104")
    starts = [start_of(mission, i, env) for i in range(2)]
    save_starts(tmp_path / "x.npz", starts)
    for saved, read in zip(starts, load_starts(tmp_path / "x.npz"), strict=True):
        assert np.array_equal(saved.state, read.state)
        assert np.array_equal(saved.warmstart, read.warmstart)
        assert saved.joints == read.joints
        assert saved.layout_digest == read.layout_digest


def test_starts_of_another_version_of_the_layout_are_refused(tmp_path: Path) -> None:
    env, mission = scene("104"), mission_of("104")
    start = replace(start_of(mission, 0, env), layout_digest="0" * 64)
    save_starts(tmp_path / "x.npz", [start])
    with pytest.raises(PermError, match="another version of layout 104"):
        start_of(replace(mission, starts=str(tmp_path / "x.npz")), 0, env)


def test_an_index_out_of_range_is_refused() -> None:
    with pytest.raises(PermError, match="Init index 50 is out of range; there are 0 to 49"):
        start_of(mission_of("104"), 50, scene("104"))


def test_a_goal_that_is_true_once_settled_is_refused() -> None:
    mission = task("2-1_019").mission
    on_plate = ("on", "akita_black_bowl_1", "plate_1")
    init = tuple(on_plate if a[1] == "akita_black_bowl_1" else a for a in mission.layout.init)
    layout = replace(mission.layout, init=init)
    layout = replace(layout, digest=layout_digest(layout))
    solved = replace(mission, layout=layout, init_states=None, starts=None)
    env = SimEnv(layout)
    with pytest.raises(PermError, match="the goal is already true"):
        start_of(solved, 0, env)
