import numpy as np
import pytest

from perm.policies.images import prepare_image


def _raw_frame() -> np.ndarray:
    """Black, with the world's top left corner red and its bottom left corner green."""
    upright = np.zeros((256, 256, 3), dtype=np.uint8)
    upright[:64, :64] = (255, 0, 0)
    upright[-64:, :64] = (0, 255, 0)
    return upright[::-1]  # the renderer's first row is the bottom one


@pytest.mark.parametrize(
    ("turn", "red", "green"),
    [
        ("flip_rows", (0, 0), (-1, 0)),
        ("rotate_180", (0, -1), (-1, -1)),
        ("none", (-1, 0), (0, 0)),
    ],
)
def test_each_turn_puts_the_corners_where_its_models_know_them(
    turn: str, red: tuple[int, int], green: tuple[int, int]
) -> None:
    image = prepare_image(_raw_frame(), turn, 224)
    assert image.shape == (224, 224, 3)
    assert image.dtype == np.uint8
    assert tuple(image[red]) == (255, 0, 0)
    assert tuple(image[green]) == (0, 255, 0)
    assert image.sum() == pytest.approx(2 * 56 * 56 * 255, rel=0.01)


def test_resizing_averages_instead_of_dropping_pixels() -> None:
    stripes = np.zeros((256, 256, 3), dtype=np.uint8)
    stripes[::2] = 200
    image = prepare_image(stripes, "none", 64)
    assert np.abs(image[2:-2].astype(int) - 100).max() <= 5


def test_a_frame_of_the_right_size_keeps_its_pixels() -> None:
    frame = np.random.default_rng(0).integers(0, 256, (224, 224, 3), dtype=np.uint8)
    image = prepare_image(frame, "rotate_180", 224)
    np.testing.assert_array_equal(image, frame[::-1, ::-1])
    assert image.flags.c_contiguous
