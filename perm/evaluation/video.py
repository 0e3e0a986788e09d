"""Frames to mp4 files that any browser plays."""

from pathlib import Path

import imageio_ffmpeg  # type: ignore[import-untyped]
import numpy as np

from perm.core.arrays import ImageArray
from perm.core.conventions import CONTROL_HZ
from perm.core.episode import EpisodeId
from perm.core.errors import PermError
from perm.data.atomic import completed
from perm.evaluation.run import slug

ENCODING = ("-crf", "26", "-movflags", "+faststart", "-f", "mp4")


def video_path(folder: Path, policy: str, identity: EpisodeId) -> Path:
    """Return where the video of an episode goes; no two episodes of any policy share it."""
    name = f"{slug(identity.task_id)}_{slug(policy)}_init{identity.init_index}_seed{identity.seed}"
    return folder / "videos" / f"{name}.mp4"


def write_mp4(path: Path, frames: ImageArray, fps: float = CONTROL_HZ) -> None:
    """Write frames as H.264 in yuv420p.

    Args:
        path: The file; its folder is made. It appears when it is complete.
        frames: Top row first, shape (N, H, W, 3); an odd last row or column is left out.
        fps: Frames a second.

    Raises:
        PermError: There is no frame.
    """
    if not len(frames):
        raise PermError(f"There is no frame to write to {path}.")
    height, width = (size // 2 * 2 for size in frames.shape[1:3])
    with completed(path) as unfinished:
        writer = imageio_ffmpeg.write_frames(
            str(unfinished),
            (width, height),
            fps=fps,
            codec="libx264",
            pix_fmt_out="yuv420p",
            quality=None,
            macro_block_size=2,
            output_params=list(ENCODING),
        )
        writer.send(None)
        for frame in frames[:, :height, :width]:
            writer.send(np.ascontiguousarray(frame))
        writer.close()


def write_jpeg(path: Path, frame: ImageArray) -> None:
    """Write one picture; it appears when it is complete.

    Args:
        path: The file; its folder is made.
        frame: Top row first, shape (H, W, 3).
    """
    height, width = frame.shape[:2]
    with completed(path) as unfinished:
        writer = imageio_ffmpeg.write_frames(
            str(unfinished),
            (width, height),
            codec="mjpeg",
            pix_fmt_out="yuvj420p",
            ffmpeg_log_level="error",  # the only format of a JPEG is deprecated, it says
            quality=None,
            macro_block_size=1,
            output_params=["-q:v", "3", "-frames:v", "1", "-update", "1", "-f", "image2"],
        )
        writer.send(None)
        writer.send(np.ascontiguousarray(frame))
        writer.close()
