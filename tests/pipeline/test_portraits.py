"""Tests of perm.pipeline.portraits."""

import numpy as np
import pytest

from perm.pipeline.portraits import CAPTION, COLUMNS, PICTURE_SIZE, Portrait, contact_sheet
from perm.suites.library import load_library

SIDE = PICTURE_SIZE


def test_a_sheet_shows_pictures_row_by_row_with_names_below() -> None:
    shades = [np.full((SIDE, SIDE, 3), 30 * k, np.uint8) for k in range(6)]
    sheet = contact_sheet([Portrait(str(k), shade) for k, shade in enumerate(shades)])
    assert sheet.shape == (2 * (SIDE + CAPTION), COLUMNS * SIDE, 3)
    assert sheet[10, 3 * SIDE + 10].tolist() == [90, 90, 90]
    assert sheet[SIDE + CAPTION + 10, 10].tolist() == [150, 150, 150]
    assert sheet[SIDE : SIDE + CAPTION, :40].min() < 100  # the name


def test_what_could_not_be_drawn_leaves_a_white_place() -> None:
    sheet = contact_sheet([Portrait("104", None, "nothing renders here")])
    assert (sheet[:SIDE] == 255).all()


@pytest.mark.sim
def test_a_portrait_is_upright_and_shows_the_scene() -> None:
    from perm.pipeline.portraits import draw_mission

    picture = draw_mission(load_library().missions["104_1"], 30)
    assert picture.shape == (SIDE, SIDE, 3)
    blue = (picture[..., 2] > 150) & (picture[..., 0] < 90)
    rows = np.flatnonzero(blue.any(axis=1))
    assert rows.mean() > SIDE / 2  # the blue plate lies at the front, which is below
