"""Small scenes in which every number can be checked by hand."""

import mujoco
import numpy as np
import pytest

from perm.sim.culling import Culling
from perm.sim.offscreen import Offscreen

pytestmark = pytest.mark.sim

LIGHT = '<light pos="0 0 9" castshadow="false"/>'


def build(body: str, asset: str = "", light: str = LIGHT):
    """A model with a camera in the origin that looks along -z, 45 degrees to each side."""
    text = f"""<mujoco><asset>{asset}</asset><worldbody>
        {light}<camera name="eye" fovy="90"/>{body}</worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def seen(body: str, **parts: str) -> list[bool]:
    model, data = build(body, **parts)
    return Culling(model, groups=(0,)).seen(data, camera=0).tolist()


def ball(pos: str) -> str:
    return f'<geom type="sphere" size=".1" pos="{pos}"/>'


@pytest.mark.parametrize(
    ("pos", "is_seen"),
    [
        ("0 0 -1", True),
        ("1.05 0 -1", True),  # at depth 1 the picture ends at 1
        ("1.3 0 -1", False),
        ("-1.3 0 -1", False),
        ("0 1.3 -1", False),
        ("0 -1.3 -1", False),
        ("1.3 0 -2", True),
        ("0 0 0.05", True),  # around the eye
        ("0 0 0.5", False),  # behind it
    ],
)
def test_a_geom_is_drawn_if_it_reaches_into_the_picture(pos: str, is_seen: bool) -> None:
    assert seen(ball(pos)) == [is_seen]


def test_a_mesh_counts_by_its_shape_not_by_its_box() -> None:
    # The corner of a cube: all of it is right of 1.6, at depths of 1 at most. The box around it is
    # not aligned with the axes and reaches to x = 0.77 at depth 0.83.
    corner = '<mesh name="corner" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>'
    assert seen('<geom type="mesh" mesh="corner" pos="1.6 0 -1"/>', asset=corner) == [False]
    assert seen('<geom type="mesh" mesh="corner" pos="0.9 0 -1"/>', asset=corner) == [True]


def test_an_infinite_plane_is_always_drawn() -> None:
    assert seen('<geom type="plane" size="0 0 1" pos="0 0 9"/>') == [True]


def test_where_shadows_are_cast_everything_is_drawn() -> None:
    assert seen(ball("9 0 -1"), light='<light pos="0 0 9" castshadow="true"/>') == [True]


def test_geoms_of_other_groups_are_not_touched() -> None:
    model, data = build('<geom type="sphere" size=".1" pos="9 0 -1" group="3"/>')
    assert Culling(model, groups=(0,)).seen(data, 0).tolist() == [True]


SHINY = '<material name="shiny" reflectance=".5" rgba=".4 .4 .4 1"/>'
# Its face is at depth 2 and looks back at the eye; it fills a quarter of the picture's width.
MIRROR = '<geom type="box" size=".5 .5 .1" pos="0 0 -2.1" material="shiny"/>'


@pytest.mark.parametrize(
    ("pos", "is_seen"),
    [
        ("0 0 1", True),  # behind the eye: its image is straight ahead at depth 5
        ("1.3 0 1", True),  # at depth 5 the mirror is a window of 1.25 to each side
        ("1.5 0 1", False),
        ("0 0 -3", True),  # behind the mirror, but in the picture
    ],
)
def test_what_shows_in_a_mirror_is_drawn(pos: str, is_seen: bool) -> None:
    assert seen(MIRROR + ball(pos), asset=SHINY) == [True, is_seen]


def test_the_back_of_a_mirror_shows_nothing() -> None:
    turned = MIRROR.replace('pos="0 0 -2.1"', 'pos="0 0 -2.1" euler="180 0 0"')
    assert seen(turned + ball("0 0 1"), asset=SHINY) == [True, False]


def test_a_mirror_that_cannot_be_seen_is_not_drawn_unless_another_would_take_its_place() -> None:
    away = MIRROR.replace("0 0 -2.1", "9 0 -2.1")
    assert seen(away + ball("0 0 1"), asset=SHINY) == [False, False]
    assert seen(away + MIRROR + ball("0 0 -1"), asset=SHINY) == [True, True, True]


def random_scene(rng: np.random.Generator) -> str:
    kinds = ("sphere", "box", "capsule", "cylinder", "ellipsoid")
    geoms = []
    for _ in range(40):
        pos, euler = rng.uniform(-3, 3, 3), rng.uniform(-180, 180, 3)
        size, rgb = rng.uniform(0.05, 0.4, 3), rng.uniform(0, 1, 3)
        geoms.append(
            f'<geom type="{rng.choice(kinds)}" pos="{pos[0]} {pos[1]} {pos[2]}" '
            f'euler="{euler[0]} {euler[1]} {euler[2]}" size="{size[0]} {size[1]} {size[2]}" '
            f'rgba="{rgb[0]} {rgb[1]} {rgb[2]} {rng.choice((1, 0.5))}"/>'
        )
    place, turn = rng.uniform(-1.5, 1.5, 2), rng.uniform(-40, 40, 2)
    mirror = (
        f'<geom type="box" size="1 1 .1" pos="{place[0]} -1 {place[1] - 2}" material="shiny" '
        f'euler="{turn[0] - 90} {turn[1]} 0"/>'
    )
    return mirror * int(rng.integers(0, 3)) + "".join(geoms)


def test_no_pixel_changes_in_forty_random_scenes() -> None:
    rng, hidden = np.random.default_rng(0), 0
    for _ in range(40):
        model, data = build(random_scene(rng), SHINY)
        offscreen, scene = Offscreen(model), mujoco.MjvScene(model, maxgeom=100)
        camera = mujoco.MjvCamera()
        camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
        seen = Culling(model, groups=(0,)).seen(data, 0)
        images = []
        for drawn in (np.ones_like(seen), seen):
            model.geom_group[:] = np.where(drawn, 0, 5)
            kinds = mujoco.mjtCatBit.mjCAT_ALL.value
            mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, kinds, scene)
            images.append(offscreen.shoot(scene, 64))
        offscreen.close()
        assert np.array_equal(*images)
        hidden += int((~seen).sum())
    assert hidden > 40 * 40 / 2
