import errno
import logging
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from perm.core.layout import Layout
from perm.sim import store
from perm.sim.blueprint import Arm, Blueprint, BuiltEntity, BuiltRegion, Threshold
from perm.sim.cache import cache_folder


def blueprint() -> Blueprint:
    seven, six = np.linspace(0.1, 0.7, 7), np.linspace(-1, 1, 6)
    return Blueprint(
        mjcf="<mujoco/>",
        physics=bytes(range(256)),
        workspace="main_table",
        entities={
            "stove": BuiltEntity(
                "stove_body",
                False,
                ("knob",),
                ("plate",),
                {"turnon": Threshold(0.5, True, True)},
                "",
            )
        },
        regions={"stove_cook_region": BuiltRegion("stove", (), (0.1, 0.2, 0.3))},
        arm=Arm(
            joints=("j1",),
            fingers=("f1",),
            grip_site="grip",
            hand_body="hand",
            rest_qpos=seven,
            rest_fingers=np.array([0.02, -0.02]),
            kp=six,
            kd=six,
            action_low=-six,
            action_high=six,
            output_low=-six,
            output_high=six,
            torque_low=-seven,
            torque_high=seven,
            finger_speed=0.01,
        ),
        site_rgba=np.full((2, 4), 0.1),
    )


@pytest.fixture
def layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Layout("LIBERO_Floor_Manipulation", "", (), (), (), (), (), (), digest="d" * 64)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Layout]:
    """Counts how often LIBERO has to build a scene."""
    seen: list[Layout] = []

    def draw(layout: Layout) -> Blueprint:
        seen.append(layout)
        return blueprint()

    monkeypatch.setattr(store, "draw_blueprint", draw)
    return seen


def plain(value: Blueprint) -> str:
    return repr(asdict(value))


def test_a_blueprint_comes_back_as_it_was_and_libero_is_asked_once(
    layout: Layout, drawn: list[Layout]
) -> None:
    first, second = store.find_blueprint(layout), store.find_blueprint(layout)
    assert plain(first) == plain(second) == plain(blueprint())
    assert len(drawn) == 1


@pytest.mark.parametrize("damage", [b"", b"PK not a zip", None])
def test_a_damaged_file_is_made_anew(
    layout: Layout, drawn: list[Layout], damage: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    store.find_blueprint(layout)
    (path,) = cache_folder().rglob("*.zip")
    intact = path.read_bytes()
    path.write_bytes(intact[:-40] if damage is None else damage)
    with caplog.at_level(logging.WARNING):
        assert plain(store.find_blueprint(layout)) == plain(blueprint())
    assert "made anew" in caplog.text
    assert path.read_bytes() == intact
    assert len(drawn) == 2


def test_a_flipped_byte_is_noticed(layout: Layout, drawn: list[Layout]) -> None:
    store.find_blueprint(layout)
    (path,) = cache_folder().rglob("*.zip")
    content = bytearray(path.read_bytes())
    content[content.index(bytes(range(256))) + 7] ^= 1
    path.write_bytes(content)
    assert plain(store.find_blueprint(layout)) == plain(blueprint())
    assert len(drawn) == 2


def test_a_full_disk_costs_only_time(
    layout: Layout,
    drawn: list[Layout],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def full(**where: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    for _ in range(2):
        assert plain(store.find_blueprint(layout)) == plain(blueprint())
    assert len(drawn) == 2
    assert "not kept for next time" in caplog.text


def test_many_may_ask_at_once_and_libero_builds_once(layout: Layout, drawn: list[Layout]) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(store.find_blueprint, [layout] * 24))
    assert {plain(one) for one in found} == {plain(blueprint())}
    left = sorted(path.suffix for path in cache_folder().rglob("*.*"))
    assert (len(drawn), left) == (1, [".lock", ".zip"])


def test_the_goal_is_not_built(layout: Layout, drawn: list[Layout]) -> None:
    store.find_blueprint(layout)
    store.find_blueprint(replace(layout, goal=(("open", "drawer"),), language="Open it"))
    assert len(drawn) == 1
    store.find_blueprint(replace(layout, init=(("on", "cup_1", "plate_1"),)))
    assert len(drawn) == 2


def test_what_another_version_left_long_ago_is_removed(layout: Layout, drawn: list[Layout]) -> None:
    old, recent = cache_folder() / ("a" * 16), cache_folder() / ("b" * 16)
    for folder in (old, recent):
        folder.mkdir(parents=True)
        (folder / "x.zip").touch()
    os.utime(old, (0, 0))
    store.find_blueprint(layout)
    assert (old.exists(), recent.exists()) == (False, True)
