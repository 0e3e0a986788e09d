"""robomimic, which LIBERO trains with, reads a file of ours as one of LIBERO's.

It needs an environment of its own, without what robomimic would draw in::

    python -m venv .venv-robomimic
    .venv-robomimic/bin/pip install torch==2.13.0 numpy h5py six tqdm psutil termcolor matplotlib
    .venv-robomimic/bin/pip install pytest pytest-timeout
    .venv-robomimic/bin/pip install --no-deps robomimic==0.3.0
    PYTHONPATH=. .venv-robomimic/bin/python -m pytest -m "compat and not sim" tests/data

(`torch` with or without CUDA; torchvision is replaced by a stand-in, since only the models use it.)
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from perm.data.writer import write_demo_file
from tests.data.demos import MODEL, make_demo

pytestmark = pytest.mark.compat
LENGTHS = (6, 8, 10)
IMAGES = ["agentview_rgb", "eye_in_hand_rgb"]
LOW_DIM = ["ee_pos", "ee_ori", "ee_states", "gripper_states", "joint_states"]


@pytest.fixture(scope="module")
def robomimic() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("", ".transforms", ".transforms.functional", ".models"):
            patch.setitem(sys.modules, f"torchvision{name}", MagicMock())
        yield pytest.importorskip(
            "robomimic", reason="robomimic is not installed here; see the head of this file"
        )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("compat") / "1-7_104_demo.hdf5"
    demos = (make_demo(i, n_steps=n, image_size=16) for i, n in enumerate(LENGTHS))
    write_demo_file(path, demos, len(LENGTHS))
    return path


@pytest.mark.parametrize("swmr", [False, True])
@pytest.mark.parametrize("cache", [None, "low_dim", "all"])
def test_sequence_dataset_reads_every_step(
    robomimic: Any, path: Path, swmr: bool, cache: str | None
) -> None:
    from robomimic.utils.dataset import SequenceDataset
    from robomimic.utils.obs_utils import initialize_obs_utils_with_obs_specs

    initialize_obs_utils_with_obs_specs({"obs": {"rgb": IMAGES, "depth": [], "low_dim": LOW_DIM}})
    dataset = SequenceDataset(
        hdf5_path=str(path),
        obs_keys=IMAGES + LOW_DIM,
        dataset_keys=["actions", "rewards", "dones"],
        frame_stack=1,
        seq_length=4,
        pad_frame_stack=True,
        pad_seq_length=True,
        get_pad_mask=False,
        goal_mode=None,
        hdf5_cache_mode=cache,
        hdf5_use_swmr=swmr,
        hdf5_normalize_obs=False,
        filter_by_attribute=None,
        load_next_obs=False,
    )
    assert (len(dataset), dataset.n_demos) == (sum(LENGTHS), len(LENGTHS))
    step = dataset[LENGTHS[0]]  # the first step of demo_1
    demo = make_demo(1, n_steps=LENGTHS[1], image_size=16)
    assert demo.episode.trace is not None
    assert np.allclose(step["actions"], demo.episode.trace.actions[:4])
    joints = demo.episode.proprio["robot0_joint_pos"]
    assert np.allclose(step["obs"]["joint_states"], joints[:4])
    assert step["obs"]["agentview_rgb"].shape == (4, 16, 16, 3)
    assert np.array_equal(step["obs"]["agentview_rgb"], demo.images["agentview"][:4])
    assert dataset[len(dataset) - 1]["dones"].ravel()[0] == 1
    dataset.close_and_delete_hdf5_handle()  # one file is not open in both modes at once


def test_metadata_describe_the_environment(robomimic: Any, path: Path) -> None:
    from robomimic.utils import file_utils

    env = file_utils.get_env_metadata_from_dataset(str(path))
    assert (env["type"], env["env_name"]) == (1, "Libero_Tabletop_Manipulation")
    shapes = file_utils.get_shape_metadata_from_dataset(str(path), all_obs_keys=LOW_DIM)
    assert shapes["ac_dim"] == 7
    assert dict(shapes["all_shapes"]) == {
        "ee_pos": [3],
        "ee_ori": [3],
        "ee_states": [6],
        "gripper_states": [2],
        "joint_states": [7],
    }


def test_the_whole_model_is_read(robomimic: Any, path: Path) -> None:
    import h5py

    with h5py.File(path, "r") as file:
        assert file["data/demo_2"].attrs["model_file"] == MODEL
