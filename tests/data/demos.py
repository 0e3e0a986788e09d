"""Small but complete demonstrations, made from nothing but an index."""

from dataclasses import asdict, replace
from typing import Any

import h5py
import numpy as np

from perm.core.arrays import FloatArray
from perm.core.episode import Episode, EpisodeId, Outcome, Start, Subtask
from perm.core.satisfaction import SatisfactionScore
from perm.core.trace import ObjectFacts, RegionFacts, Trace
from perm.data.checksum import sign_demo, sign_file
from perm.data.demo import Demo

TASK = "single/1-7_104"
TWIN = "single/1-7_104.nopref"
PROMPT = "Task: Put the bowl on the plate. Preference: Move higher."
DIGEST = "ab" * 32
OBJECTS = ("plate_1", "akita_black_bowl_1")
JOINTS = (
    *(f"robot0_joint{i}" for i in range(1, 8)),
    *("gripper0_finger_joint1", "gripper0_finger_joint2"),
    *(f"{name}_joint0" for name in OBJECTS),
)
NQ, NV = 9 + 7 * 2, 9 + 6 * 2
STATE_SIZE = 1 + NQ + NV

BDDL = """(define (problem LIBERO_Tabletop_Manipulation)
  (:domain robosuite)
  (:language Put the bowl on the plate)
  (:regions
    (near (:target main_table) (:ranges ((0.0 -0.02 0.02 0.0))))
    (far (:target main_table) (:ranges ((-0.1 0.1 -0.08 0.12))))
  )
  (:fixtures main_table - table)
  (:objects plate_1 - plate akita_black_bowl_1 - akita_black_bowl)
  (:obj_of_interest akita_black_bowl_1 plate_1)
  (:init (On plate_1 main_table_near) (On akita_black_bowl_1 main_table_far))
  (:goal (And (On akita_black_bowl_1 plate_1)))
)
"""
CALIBRATION = {
    "task": TASK,
    "preference": "1-7",
    "events": {"carry": {"raw_at_0": 0.2, "raw_at_100": 0.3, "cuts": [-6.0, 50, 80], "unit": "m"}},
    "source": {"demos": 30, "init_indices": "0-29"},
    "not_scored": {},
}
# Longer than the 64 kB that an HDF5 attribute holds in its header.
MODEL = '<mujoco><mesh file="meshes/plate.stl"/>' + "<geom/>" * 12_000 + "</mujoco>"


def make_demo(index: int = 0, n_steps: int = 6, image_size: int = 0, **changes: Any) -> Demo:
    """Return a demonstration that differs from that of any other index.

    Args:
        index: Init index; all numbers follow from it.
        n_steps: T.
        image_size: Height and width of the images [px], 0 for none.
        changes: Fields of the episode that shall be different.
    """
    rng = np.random.default_rng(index)
    trace = make_trace(rng, n_steps)
    states = rng.normal(size=(n_steps + 1, STATE_SIZE))
    frame = (n_steps, image_size, image_size, 3)
    cameras = ("agentview", "robot0_eye_in_hand") if image_size else ()
    episode = Episode(
        identity=EpisodeId(TASK, init_index=index, seed=7),
        prompt=PROMPT,
        policy="expert",
        outcome=Outcome.SUCCESS,
        stop="settled",
        success_any=True,
        success_end=True,
        success_settled=True,
        start=make_start(rng, states[0]),
        trace=trace,
        states=states,
        view_qpos=rng.normal(size=(n_steps + 1, NQ)),
        proprio=make_proprio(rng, states),
        subtasks=(
            Subtask("pick", OBJECTS[1], None, 0, 3, rng.normal(size=3), rng.normal(size=4)),
            Subtask("place_on", OBJECTS[1], OBJECTS[0], 3, n_steps, np.zeros(3), np.eye(4)[0]),
        ),
        clip_count=2,
        versions={"perm": "0.1.0", "mujoco": "3.3.2"},
    )
    curve = np.append(np.full(n_steps, np.nan), 0.31)
    return Demo(
        episode=replace(episode, **changes),
        bddl_text=BDDL,
        model_xml=MODEL,
        images={name: rng.integers(0, 255, frame, dtype=np.uint8) for name in cameras},
        scores=(SatisfactionScore("1-7", 0.31, "m", 95.5, 1.0, n_steps, "carry"),),
        curves={"1-7": (curve, np.where(np.isnan(curve), curve, 95.5))},
        calibrations={"1-7": CALIBRATION},
        attempts={"plan: goal in collision": 2, "grasp slipped": 1},
        twin=TWIN,
        bddl_file="libero_goal/put_the_bowl_on_the_plate.bddl",
    )


def make_trace(rng: np.random.Generator, n_steps: int) -> Trace:
    """Return a trace of random numbers whose goal is reached in the last two rows."""
    rows = n_steps + 1
    return Trace(
        dt=0.05,
        actions=rng.uniform(-1, 1, size=(n_steps, 7)),
        ee_pos=rng.normal(size=(rows, 3)),
        ee_quat=rng.normal(size=(rows, 4)),
        gripper_width=rng.uniform(0, 0.08, size=rows),
        object_pos={name: rng.normal(size=(rows, 3)) for name in OBJECTS},
        object_quat={name: rng.normal(size=(rows, 4)) for name in OBJECTS},
        joint_pos={"wooden_cabinet_1_top_level": rng.normal(size=rows)},
        contact=rng.random((rows, len(OBJECTS), 2)) < 0.5,
        success=np.arange(rows) >= rows - 2,
        support_z=0.1 + 0.2,
        objects={
            OBJECTS[0]: ObjectFacts("plate", np.full(3, 0.1), np.zeros(3), -0.01, rim=0.07),
            OBJECTS[1]: ObjectFacts(
                "akita_black_bowl",
                rng.normal(size=3),
                rng.normal(size=3),
                -1 / 3,
                handle=rng.normal(size=3),
                tags=("black", "kitchenware"),
            ),
        },
        regions={
            "main_table_near": RegionFacts(np.zeros(3), np.eye(4)[0], np.ones(3), "table"),
            "drawer_inside": RegionFacts(
                np.ones(3), np.eye(4)[0], np.ones(3), "cabinet", "drawer", rng.normal(size=3)
            ),
        },
        preferred=np.zeros(rows, dtype=bool),
    )


def make_start(rng: np.random.Generator, state: FloatArray) -> Start:
    """Return a start with one fixture."""
    return Start(
        state=state,
        warmstart=rng.normal(size=NV),
        fixture_pos={"wooden_cabinet_1": rng.normal(size=3)},
        fixture_quat={"wooden_cabinet_1": rng.normal(size=4)},
        joints=JOINTS,
        layout_digest=DIGEST,
    )


def make_proprio(rng: np.random.Generator, states: FloatArray) -> dict[str, FloatArray]:
    """Return robot observations whose joints are nearly those of the state."""
    rows = len(states)
    quat = rng.normal(size=(rows, 4))
    return {
        "robot0_eef_pos": rng.normal(size=(rows, 3)),
        "robot0_eef_quat": quat / np.linalg.norm(quat, axis=1, keepdims=True),
        "robot0_gripper_qpos": rng.normal(size=(rows, 2)),
        "robot0_joint_pos": states[:, 1:8] + 0.001,
    }


def plain(value: Any) -> Any:
    """Return a record as nested dicts in which arrays are type, shape and bytes: comparable."""
    if hasattr(value, "__dataclass_fields__"):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return value


def sign_again(file: h5py.File) -> None:
    """Make the checksums right after a test has changed the content on purpose."""
    for demo in file["data"].values():
        sign_demo(demo)
    sign_file(file)
