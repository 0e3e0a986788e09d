from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from perm.core.errors import GiveUp
from perm.core.policy import Observation, PolicySpec
from perm.policies.check_policy import Finding, Verdict, check_policy, make_observation


class Scripted:
    """Returns what a function of (number of the call in this episode, observation) says."""

    def __init__(self, answer: Callable[[int, Observation], Any], spec: Any = None) -> None:
        self.spec = spec or PolicySpec("scripted")
        self.prompts: list[str] = []
        self._answer = answer
        self._calls = 0

    def reset(self, prompt: str, seed: int) -> None:
        self.prompts.append(prompt)
        self._calls = 0

    def act(self, obs: Observation) -> Any:
        self._calls += 1
        return self._answer(self._calls, obs)


def _worst(policy: Any) -> Finding:
    order = list(Verdict)
    return max(check_policy(policy), key=lambda finding: order.index(finding.verdict))


def test_a_policy_that_keeps_the_contract_has_nothing_but_ok() -> None:
    policy = Scripted(lambda call, obs: np.full((call, 7), obs["robot0_gripper_qpos"][0]))
    findings = check_policy(policy)
    assert [finding.verdict for finding in findings] == [Verdict.OK] * 5
    assert any(not prompt.isascii() for prompt in policy.prompts)


@pytest.mark.parametrize(
    ("answer", "verdict", "advice"),
    [
        ([[0.0] * 7], Verdict.PROBLEM, "returned a list; return a NumPy array"),
        (np.zeros(7), Verdict.PROBLEM, "returned shape (7,); one action is (1, 7)"),
        (np.zeros((0, 7)), Verdict.PROBLEM, "returned shape (0, 7)"),
        (np.zeros((1, 8)), Verdict.PROBLEM, "returned shape (1, 8)"),
        (np.zeros((1, 7), np.float32), Verdict.PROBLEM, "float32; convert with .astype"),
        (np.full((1, 7), np.nan), Verdict.PROBLEM, "NaN or infinity"),
        (np.full((1, 7), -3.0), Verdict.WARNING, "largest entry is 3; the simulator clips"),
    ],
)
def test_actions_that_break_the_contract_are_found(
    answer: Any, verdict: Verdict, advice: str
) -> None:
    finding = _worst(Scripted(lambda *_: answer))
    assert finding.verdict is verdict
    assert advice in finding.advice


def test_left_over_state_is_a_warning() -> None:
    total = iter(range(100))
    finding = _worst(Scripted(lambda *_: np.full((1, 7), next(total) / 100)))
    assert finding.verdict is Verdict.WARNING
    assert "Clear queues and hidden states in reset" in finding.advice


def test_a_policy_that_raises_is_a_problem_and_one_that_gives_up_is_not() -> None:
    def fail(*_: object) -> None:
        raise KeyError("agentview_image")

    def give_up(*_: object) -> None:
        raise GiveUp("plan: goal in collision")

    assert _worst(Scripted(fail)).verdict is Verdict.PROBLEM
    assert "raised KeyError: 'agentview_image'" in _worst(Scripted(fail)).advice
    assert _worst(Scripted(give_up)).verdict is Verdict.OK


@pytest.mark.parametrize(
    ("spec", "advice"),
    [
        ({"name": "mine"}, "spec is a dict; give a perm.core.policy.PolicySpec"),
        (PolicySpec(""), "tables need a name"),
        (PolicySpec("mine", image_size=-1), "spec.image_size is -1"),
        (PolicySpec("mine", init_indices=()), "spec.init_indices is empty"),
    ],
)
def test_an_unusable_spec_stops_the_check(spec: Any, advice: str) -> None:
    (finding,) = check_policy(Scripted(lambda *_: np.zeros((1, 7)), spec))
    assert finding.verdict is Verdict.PROBLEM
    assert advice in finding.advice


def test_made_up_observations_look_like_real_ones() -> None:
    obs = make_observation(64, np.random.default_rng(0))
    shapes = {name: (value.shape, value.dtype.name) for name, value in obs.items()}
    assert shapes == {
        "robot0_eef_pos": ((3,), "float64"),
        "robot0_eef_quat": ((4,), "float64"),
        "robot0_gripper_qpos": ((2,), "float64"),
        "robot0_joint_pos": ((7,), "float64"),
        "agentview_image": ((64, 64, 3), "uint8"),
        "robot0_eye_in_hand_image": ((64, 64, 3), "uint8"),
    }
    assert np.linalg.norm(obs["robot0_eef_quat"]) == pytest.approx(1.0)
    assert obs["robot0_gripper_qpos"].sum() == 0.0
