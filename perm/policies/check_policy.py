"""Try out any policy on made-up observations, without a simulator.

Run it on your own policy before an evaluation; it says what would go wrong there and what to do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from perm.core.arrays import AnyArray
from perm.core.conventions import ACTION_SIZE, CAMERAS
from perm.core.errors import GiveUp
from perm.core.policy import Observation, Policy, PolicySpec

PROMPTS = ("Put the bowl on the plate", "Task: Stell die Schüssel ab. Preference: 慢一点 🥣.")
"""A plain prompt, and one that is not ASCII."""

_CALLS = 3


class Verdict(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Finding:
    """One thing that was checked.

    Attributes:
        claim: What ought to hold.
        verdict: OK, WARNING (an evaluation runs, but see the advice) or PROBLEM (it would not).
        advice: What is wrong and what to do; "" if nothing is.
    """

    claim: str
    verdict: Verdict
    advice: str = ""


def check_policy(policy: Policy, seed: int = 0) -> tuple[Finding, ...]:
    """Return what was found when the policy played on made-up observations.

    A server is asked `_CALLS` times an episode. A replay has to be given its init index before.

    Args:
        policy: The policy; it is reset and left in the middle of an episode.
        seed: For the observations and for the policy.
    """
    spec = _check_spec(getattr(policy, "spec", None))
    if spec.verdict is Verdict.PROBLEM:
        return (spec,)
    rng = np.random.default_rng(seed)
    observations = [make_observation(policy.spec.image_size, rng) for _ in range(_CALLS)]
    try:
        chunks = [_play(policy, prompt, seed, observations) for prompt in (*PROMPTS, PROMPTS[0])]
    except Exception as error:  # noqa: BLE001  # a stranger's code may raise anything
        return (spec, _raised(error))
    actions = [chunk for episode in chunks for chunk in episode]
    findings = [spec, Finding("plays any prompt", Verdict.OK), _check_actions(actions)]
    if findings[-1].verdict is not Verdict.PROBLEM:
        findings += [_check_range(actions), _check_forgets(chunks[0], chunks[-1])]
    return tuple(findings)


def make_observation(image_size: int, rng: np.random.Generator) -> Observation:
    """Return a made-up observation with the shapes and dtypes of a real one.

    Args:
        image_size: Height and width of the frames [px], or 0 for none.
        rng: Source of the numbers.
    """
    quat = rng.normal(size=4)
    finger = rng.uniform(0.0, 0.04)
    frames = {
        f"{camera}_image": rng.integers(0, 256, (image_size, image_size, 3), dtype=np.uint8)
        for camera in CAMERAS
        if image_size
    }
    return {
        "robot0_eef_pos": rng.uniform(-0.3, 1.2, 3),
        "robot0_eef_quat": quat / np.linalg.norm(quat),
        "robot0_gripper_qpos": np.array([finger, -finger]),
        "robot0_joint_pos": rng.uniform(-2.0, 2.0, 7),
        **frames,
    }


def _play(
    policy: Policy, prompt: str, seed: int, observations: Sequence[Observation]
) -> list[AnyArray]:
    policy.reset(prompt, seed)
    chunks: list[AnyArray] = []
    for obs in observations:
        try:
            chunks.append(policy.act(obs))
        except GiveUp:  # its right; the episode ends there
            break
    return chunks


def _check_spec(spec: object) -> Finding:
    claim = "has a usable spec"
    if not isinstance(spec, PolicySpec):
        advice = f"spec is a {type(spec).__name__}; give a perm.core.policy.PolicySpec."
        return Finding(claim, Verdict.PROBLEM, advice)
    if not isinstance(spec.name, str) or not spec.name:
        return Finding(claim, Verdict.PROBLEM, f"spec.name is {spec.name!r}; tables need a name.")
    if not isinstance(spec.image_size, int) or spec.image_size < 0:
        advice = f"spec.image_size is {spec.image_size!r}; give pixels, or 0 for no images."
        return Finding(claim, Verdict.PROBLEM, advice)
    if spec.init_indices is not None and not spec.init_indices:
        advice = "spec.init_indices is empty; use None for a policy that plays from any."
        return Finding(claim, Verdict.PROBLEM, advice)
    return Finding(claim, Verdict.OK)


def _raised(error: Exception) -> Finding:
    advice = (
        f"raised {type(error).__name__}: {error}. Raise GiveUp to end an episode; anything else "
        "makes it an ERROR."
    )
    return Finding("plays any prompt", Verdict.PROBLEM, advice)


def _check_actions(chunks: Sequence[AnyArray]) -> Finding:
    claim = "act returns finite float64 actions of shape (K, 7)"
    for chunk in chunks:
        if not isinstance(chunk, np.ndarray):
            advice = f"act returned a {type(chunk).__name__}; return a NumPy array."
        elif chunk.ndim != 2 or chunk.shape[1] != ACTION_SIZE or not len(chunk):
            advice = f"act returned shape {chunk.shape}; one action is (1, {ACTION_SIZE})."
        elif chunk.dtype != np.float64:
            advice = f"act returned {chunk.dtype}; convert with .astype(np.float64)."
        elif not np.isfinite(chunk).all():
            advice = "act returned NaN or infinity; look for it in the model's normalisation."
        else:
            continue
        return Finding(claim, Verdict.PROBLEM, advice)
    return Finding(claim, Verdict.OK)


def _check_range(chunks: Sequence[AnyArray]) -> Finding:
    claim = "actions lie in [-1, 1]"
    largest = max((float(np.abs(chunk).max()) for chunk in chunks), default=0.0)
    if largest <= 1.0:
        return Finding(claim, Verdict.OK)
    advice = f"the largest entry is {largest:g}; the simulator clips it and counts the action."
    return Finding(claim, Verdict.WARNING, advice)


def _check_forgets(first: Sequence[AnyArray], again: Sequence[AnyArray]) -> Finding:
    claim = "reset forgets: same seed, prompt and observations, same actions"
    if len(first) == len(again) and all(map(np.array_equal, first, again)):
        return Finding(claim, Verdict.OK)
    advice = (
        "the actions differ. Clear queues and hidden states in reset, and draw only from its "
        "seed; a server that samples by itself cannot be repeated exactly."
    )
    return Finding(claim, Verdict.WARNING, advice)
