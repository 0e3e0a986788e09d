"""Camera frames as a policy was trained on them: turned once, and made smaller."""

from collections.abc import Mapping

import numpy as np
from PIL import Image

from perm.core.arrays import ImageArray

_AS_IS, _REVERSED = slice(None), slice(None, None, -1)

IMAGE_TURNS: Mapping[str, tuple[slice, slice]] = {
    "none": (_AS_IS, _AS_IS),
    "flip_rows": (_REVERSED, _AS_IS),
    "rotate_180": (_REVERSED, _REVERSED),
}
"""What is done to a raw frame, whose first row is the bottom one. `flip_rows` is what a camera
would have seen; `rotate_180` is upright as well but mirrored, and what most LIBERO models know."""


def prepare_image(frame: ImageArray, turn: str, size: int) -> ImageArray:
    """Return a raw frame turned and resized.

    The resize is bilinear and antialiased, as openpi does it; frames are square, so that there is
    nothing to pad.

    Args:
        frame: Raw frame, bottom row first, shape (S, S, 3).
        turn: A name in `IMAGE_TURNS`.
        size: Height and width wanted [px].

    Returns:
        Shape (size, size, 3), contiguous.
    """
    turned = np.ascontiguousarray(frame[IMAGE_TURNS[turn]])
    if len(turned) == size:
        return turned
    resized = Image.fromarray(turned).resize((size, size), Image.Resampling.BILINEAR)
    return np.asarray(resized)
