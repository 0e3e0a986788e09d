from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest

from perm.core.episode import EpisodeId
from perm.core.errors import PermError
from perm.evaluation.video import video_path, write_jpeg, write_mp4


def frames(n: int = 10, height: int = 48, width: int = 64) -> np.ndarray:
    """The upper half is red, the lower half blue."""
    picture = np.zeros((n, height, width, 3), np.uint8)
    picture[:, : height // 2, :, 0] = 255
    picture[:, height // 2 :, :, 2] = 255
    return picture


def test_a_video_has_the_control_rate_and_every_frame(tmp_path: Path) -> None:
    write_mp4(tmp_path / "videos" / "a.mp4", frames(n=10))
    reader = imageio_ffmpeg.read_frames(tmp_path / "videos" / "a.mp4")
    facts = next(reader)
    assert (facts["fps"], facts["size"], facts["codec"]) == (20.0, (64, 48), "h264")
    assert facts["pix_fmt"].startswith("yuv420p")
    assert len(list(reader)) == 10


def test_a_video_may_be_slower(tmp_path: Path) -> None:
    write_mp4(tmp_path / "a.mp4", frames(n=10), fps=10)
    assert next(imageio_ffmpeg.read_frames(tmp_path / "a.mp4"))["duration"] == 1.0


def test_the_first_row_is_the_top(tmp_path: Path) -> None:
    write_mp4(tmp_path / "a.mp4", frames())
    reader = imageio_ffmpeg.read_frames(tmp_path / "a.mp4")
    next(reader)
    first = np.frombuffer(next(reader), np.uint8).reshape(48, 64, 3)
    assert first[4, 32].argmax() == 0
    assert first[44, 32].argmax() == 2


def test_an_odd_size_loses_its_last_row_and_column(tmp_path: Path) -> None:
    write_mp4(tmp_path / "a.mp4", frames(height=49, width=65))
    assert next(imageio_ffmpeg.read_frames(tmp_path / "a.mp4"))["size"] == (64, 48)


def test_nothing_else_is_left_in_the_folder(tmp_path: Path) -> None:
    write_mp4(tmp_path / "a.mp4", frames())
    assert [path.name for path in tmp_path.iterdir()] == ["a.mp4"]


def test_no_frame_is_no_video(tmp_path: Path) -> None:
    with pytest.raises(PermError, match="There is no frame to write to"):
        write_mp4(tmp_path / "a.mp4", frames(n=0))


def test_a_picture_is_upright_and_alone_in_its_folder(tmp_path: Path) -> None:
    write_jpeg(tmp_path / "a.jpg", frames()[0])
    reader = imageio_ffmpeg.read_frames(tmp_path / "a.jpg")
    assert next(reader)["size"] == (64, 48)
    first = np.frombuffer(next(reader), np.uint8).reshape(48, 64, 3)
    assert first[4, 32].argmax() == 0
    assert first[44, 32].argmax() == 2
    assert [path.name for path in tmp_path.iterdir()] == ["a.jpg"]


def test_no_two_episodes_share_a_name() -> None:
    identities = [
        EpisodeId(task, init, seed)
        for task in ("single/1-7_104", "single/1-7_104.nopref", "scale/1-7_104")
        for init in (3, 30)
        for seed in (0, 1)
    ]
    policies = ("expert", "expert (ignores preference)", "random")
    paths = [video_path(Path("out"), policy, i) for policy in policies for i in identities]
    assert len(set(paths)) == len(policies) * len(identities)
    assert paths[0] == Path("out/videos/single-1-7_104_expert_init3_seed0.mp4")
