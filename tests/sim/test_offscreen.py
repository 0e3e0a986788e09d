import os
from types import SimpleNamespace

import pytest

from perm.sim.offscreen import _choose_card


def cards(count: int) -> SimpleNamespace:
    return SimpleNamespace(eglQueryDevicesEXT=lambda: [None] * count)


@pytest.mark.parametrize(
    ("visible", "chosen", "count", "drawn_on"),
    [
        ("2", None, 4, "2"),
        ("3,1", None, 4, "3"),
        ("2", "1", 4, "1"),  # somebody chose
        ("7", None, 1, None),  # a container that shows one card only
        ("", None, 4, None),
        ("GPU-8932f937", None, 4, None),
    ],
)
def test_pictures_are_drawn_on_the_card_that_cuda_may_use(
    visible: str,
    chosen: str | None,
    count: int,
    drawn_on: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    monkeypatch.delenv("MUJOCO_EGL_DEVICE_ID", raising=False)
    if chosen:
        monkeypatch.setenv("MUJOCO_EGL_DEVICE_ID", chosen)
    _choose_card(cards(count))
    assert os.environ.get("MUJOCO_EGL_DEVICE_ID") == drawn_on
    monkeypatch.delenv("MUJOCO_EGL_DEVICE_ID", raising=False)
