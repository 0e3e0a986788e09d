"""An episode: a trace with its identity and its outcome."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from perm.core.arrays import AnyArray, FloatArray
from perm.core.trace import Trace


class Outcome(StrEnum):
    """How an episode ended. What broke is an ERROR, never a FAILURE."""

    SUCCESS = "success"
    FAILURE = "failure"
    ERROR = "error"


@dataclass(frozen=True)
class EpisodeId:
    """All that an episode depends on beside the policy."""

    task_id: str
    init_index: int
    seed: int


@dataclass(frozen=True)
class Start:
    """Everything that has to be restored to start an episode again, bit for bit.

    Attributes:
        state: [time, qpos, qvel], shape (S,).
        warmstart: The solver's `qacc_warmstart`, shape (nv,).
        fixture_pos, fixture_quat: Body poses of the fixtures, world frame, wxyz.
        joints: Names of the joints in the order of the state.
        layout_digest: Layout that the state belongs to.
    """

    state: FloatArray
    warmstart: FloatArray
    fixture_pos: Mapping[str, FloatArray]
    fixture_quat: Mapping[str, FloatArray]
    joints: tuple[str, ...]
    layout_digest: str


@dataclass(frozen=True)
class Subtask:
    """What the expert did from row `start` to row `stop` of the trace.

    Attributes:
        skill, object, target: The skill call.
        start, stop: Rows of the trace, stop excluded.
        goal_pos, goal_quat: Frame that the skill's waypoints were expressed in, at its start.
    """

    skill: str
    object: str
    target: str | None
    start: int
    stop: int
    goal_pos: FloatArray
    goal_quat: FloatArray


@dataclass(frozen=True)
class Episode:
    """One run of a policy in a task.

    Attributes:
        identity: Task, init index, seed.
        prompt: The sentence that was delivered.
        policy: Name of the policy.
        outcome: SUCCESS, FAILURE or ERROR.
        error: Text of what broke, for ERROR; else "".
        stop: Why it ended: "settled", "after success", "step limit", "gave up: <cause>", "error".
        success_any, success_end, success_settled: See the glossary.
        start: How to begin it again.
        trace: What happened; None for an episode that broke.
        states: [time, qpos, qvel] before each action and at the end, (T+1, S).
        view_qpos: qpos that the cameras saw before each action and at the end, (T+1, nq); see
            `perm.sim.render`.
        proprio: Robot observations before each action and at the end, by LIBERO's names,
            (T+1, ...): robot0_eef_pos, robot0_eef_quat (xyzw), robot0_gripper_qpos,
            robot0_joint_pos.
        subtasks: What the expert did, if it was one.
        clip_count: Number of actions with an entry outside [-1, 1].
        wall_s: Seconds it took; not part of the identity.
        versions: Versions of perm and of the simulator's packages.
    """

    identity: EpisodeId
    prompt: str
    policy: str
    outcome: Outcome
    stop: str
    success_any: bool = False
    success_end: bool = False
    success_settled: bool = False
    error: str = ""
    start: Start | None = None
    trace: Trace | None = None
    states: FloatArray | None = None
    view_qpos: FloatArray | None = None
    proprio: Mapping[str, AnyArray] = field(default_factory=dict)
    subtasks: tuple[Subtask, ...] = ()
    clip_count: int = 0
    wall_s: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)
