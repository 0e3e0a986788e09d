"""What is in a demonstration file: names, types, shapes.

The file is LIBERO's, which is robomimic's::

    /data                attributes of the whole file, see `perm.data.file_facts`
    /data/demo_i         num_samples, model_file (MJCF), init_state (S,)
      actions (T, 7)     as executed, entries in [-1, 1]
      states (T, S)      [time, qpos, qvel] before each action
      robot_states (T, 9), rewards (T,), dones (T,), obs/...

`obs[t]` is what was seen before `actions[t]` (attribute `obs_alignment`); LIBERO's own script
stores what was seen after it. `rewards` and `dones` are 0 but for the last entry, as LIBERO's and
robomimic's readers expect of an episode that ends once; that last entry is the goal as it was
measured after the last action, and the goal at every row is in `perm/trace/success`.

What LIBERO does not keep is in groups that its readers never look into. /data itself must hold
demonstrations only: robomimic and the common RLDS builder break on any other group there::

    /perm                format_version, count, checksum, task, twin, layout digest
    /data/demo_i/perm    identity, prompt, outcome, scores and the calibrations behind them,
                         attempts, inspection (if a model looked), versions, checksum
      trace/...          the whole Trace: arrays, and its static facts as JSON attributes
      start/...          what has to be restored to replay from the first action
      curves/<preference>/{raw,value} (T+1,)
      end/...            last row of states and of the robot's observations
      view_qpos (T+1, nq)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

FORMAT_VERSION = 1
TAG = "libero-v1"
OBS_ALIGNMENT = "pre_action"
IMAGE_CONVENTION = "opengl"
"""Images are stored raw: the first row is the bottom of the picture."""

PERM = "perm"
CHECKSUM = "checksum"

IMAGES: Mapping[str, str] = MappingProxyType(
    {"agentview": "obs/agentview_rgb", "robot0_eye_in_hand": "obs/eye_in_hand_rgb"}
)
"""Camera -> dataset, (T, H, W, 3) uint8."""

PROPRIO: Mapping[str, int] = MappingProxyType(
    {
        "robot0_eef_pos": 3,
        "robot0_eef_quat": 4,
        "robot0_gripper_qpos": 2,
        "robot0_joint_pos": 7,
    }
)
"""Robot observations by LIBERO's names, with their size; the quaternion is xyzw."""


@dataclass(frozen=True)
class ArraySpec:
    """Type of an array and the shape of one row; None stands for any size."""

    dtype: str
    row: tuple[int | None, ...]


ARRAYS: Mapping[str, ArraySpec] = MappingProxyType(
    {
        "actions": ArraySpec("float64", (7,)),
        "states": ArraySpec("float64", (None,)),
        "robot_states": ArraySpec("float64", (9,)),
        "rewards": ArraySpec("uint8", ()),
        "dones": ArraySpec("uint8", ()),
        "obs/ee_pos": ArraySpec("float64", (3,)),
        "obs/ee_ori": ArraySpec("float64", (3,)),
        "obs/ee_states": ArraySpec("float64", (6,)),
        "obs/gripper_states": ArraySpec("float64", (2,)),
        "obs/joint_states": ArraySpec("float64", (7,)),
    }
)
"""LIBERO's arrays of a demonstration; each has T rows."""

TRACE_ARRAYS: Mapping[str, ArraySpec] = MappingProxyType(
    {
        "ee_pos": ArraySpec("float64", (3,)),
        "ee_quat": ArraySpec("float64", (4,)),
        "gripper_width": ArraySpec("float64", ()),
        "contact": ArraySpec("uint8", (None, 2)),
        "success": ArraySpec("uint8", ()),
    }
)
"""Arrays of `perm/trace` that every demonstration has; each has T + 1 rows."""


def demo_name(index: int) -> str:
    """Return the name of a demonstration's group in /data."""
    return f"demo_{index}"
