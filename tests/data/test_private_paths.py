"""Paths that name a machine are found; what only looks like one is not."""

import pytest

from perm.data.private_paths import absolute_paths


@pytest.mark.parametrize(
    "text",
    [
        '<mesh file="/home/me/plate.stl"/>',
        "/opt/libero/bddl_files/a.bddl",
        "PATH=bin:/usr/local/bin",
        "~/demos/a.hdf5",
        "C:\\Users\\me\\plate.stl",
        "D:/demos/a.hdf5",
        "file:///tmp/a",
        '{"bddl_file": "/root/a.bddl"}',
    ],
)
def test_a_path_of_a_machine_is_found(text: str) -> None:
    assert len(absolute_paths(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        '<body name="a"><geom size="0.1 0.2"/></body></mujoco>',
        "single/1-7_104 in m/s^2, 1/4 or 3/4",
        '<mesh file="meshes/plate.stl"/><texture file="../textures/wood.png"/>',
        "https://example.org/a/b",
        "(On bowl_1 plate_1) ; and/or",
        "libero_goal/put_the_bowl_on_the_plate.bddl",
    ],
)
def test_what_is_not_a_path_of_a_machine_is_left_alone(text: str) -> None:
    assert absolute_paths(text) == []
