"""Tests of perm.evaluation.probe: a server that goes to where the picture is bright."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
import yaml

from perm.evaluation.players import check_options
from perm.evaluation.probe import Moment, agreement, probe, watch_expert
from perm.policies.check_policy import Finding, Verdict, make_observation
from perm.suites.library import load_library
from perm.suites.paths import packaged_configs
from tests.evaluation.world import HIGH
from tests.policies.server import FakeServer

Change = Callable[[np.ndarray[Any, Any], Mapping[str, Any]], np.ndarray[Any, Any]]


def moments() -> list[Moment]:
    """Raw frames with a bright corner, to which the expert goes; it closes half-way."""
    rng = np.random.default_rng(0)
    found = []
    for k in range(12):
        up, right = (int(x) for x in rng.choice([-1, 1], 2))
        obs = dict(make_observation(256, rng))
        frame = np.zeros((256, 256, 3), np.uint8)
        rows = slice(128, None) if up > 0 else slice(128)  # raw: the bottom row is the first one
        columns = slice(128, None) if right > 0 else slice(128)
        frame[rows, columns] = 255
        obs["agentview_image"] = frame
        action = np.zeros(7)
        action[:2], action[6] = (0.5 * up, 0.5 * right), -1.0 if k < 6 else 1.0
        obs["robot0_gripper_qpos"] = np.array([0.04, -0.04]) if k < 6 else np.zeros(2)
        found.append(Moment(obs, action))
    return found


def goes_there(change: Change) -> Callable[[int, Mapping[str, Any]], dict[str, Any]]:
    """Go to the bright corner of a picture that was turned by 180 degrees, as the profile says."""

    def answer(_: int, request: Mapping[str, Any]) -> dict[str, Any]:
        image = request["observation/image"].mean(axis=2)
        half = len(image) // 2
        up = 1.0 if image[:half].mean() > image[half:].mean() else -1.0
        right = 1.0 if image[:, :half].mean() > image[:, half:].mean() else -1.0
        action = np.zeros((1, 7), np.float32)
        action[0, :2] = 0.4 * up, 0.4 * right
        action[0, 2] = 0.001 * len(request["prompt"])
        action[0, 6] = -1.0 if request["observation/state"][6] > 0.01 else 1.0
        return {"actions": change(action, request)}

    return answer


def found(change: Change, **profile: Any) -> dict[str, Finding]:
    packaged = yaml.safe_load((packaged_configs() / "policy" / "openpi.yaml").read_text())
    with FakeServer(goes_there(change)) as server:
        options = {**packaged, "url": server.url, "profile": {**packaged["profile"], **profile}}
        findings = probe(check_options(options), HIGH, moments())
    return {finding.claim: finding for finding in findings}


def as_it_is(action: np.ndarray[Any, Any], _: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    return action


TURN = "the picture is turned as the model knows it"
GRIPPER = "the gripper opens and closes as the expert's"
SCALE = "the hand moves about as far as the expert's"
PROMPT = "another prompt changes the actions"


def test_a_policy_that_fits_its_profile_has_nothing_against_it() -> None:
    verdicts = found(as_it_is)
    assert {claim: v.verdict for claim, v in verdicts.items() if v.verdict != Verdict.OK} == {}


@pytest.mark.parametrize("turn", ["none", "flip_rows"])
def test_a_wrong_turn_is_found_and_the_right_one_named(turn: str) -> None:
    finding = found(as_it_is, image_turn=turn)[TURN]
    assert finding.verdict is Verdict.WARNING
    assert "with image_turn=rotate_180" in finding.advice


def test_a_gripper_the_other_way_round_is_found() -> None:
    finding = found(as_it_is, gripper="minus1_close")[GRIPPER]
    assert finding.verdict is Verdict.WARNING
    assert "agrees at 0 %" in finding.advice


def test_motions_of_another_scale_are_found() -> None:
    finding = found(lambda action, _: action * np.float32([0.05] * 3 + [1] * 4))[SCALE]
    assert finding.verdict is Verdict.WARNING
    assert "0.04 times the expert's" in finding.advice


def test_a_prompt_that_never_arrives_is_found() -> None:
    finding = found(lambda action, _: action * np.float32([1, 1, 0, 1, 1, 1, 1]))[PROMPT]
    assert finding.verdict is Verdict.WARNING
    assert "prompt_key" in finding.advice


def test_who_moves_without_looking_leaves_the_turn_open() -> None:
    still = found(lambda action, _: action * np.float32([0, 0, 1, 1, 1, 1, 1]))
    assert "nothing can be said" in still[TURN].advice


def test_agreement_is_the_mean_cosine_of_motions() -> None:
    ours, theirs = np.zeros((3, 7)), np.zeros((3, 7))
    ours[:2, 0], theirs[:2, 0] = (1, 1), (2, -2)
    assert agreement(ours, theirs) == 0.0
    assert agreement(ours[:1], theirs[:1]) == 1.0
    assert agreement(ours[2:], theirs[2:]) == 0.0


@pytest.mark.sim
def test_the_expert_is_watched_with_pictures() -> None:
    seen = watch_expert(load_library().find_task("1-7_104"), 64)
    assert len(seen) == 12
    assert seen[0].obs["agentview_image"].shape == (64, 64, 3)
    assert {np.sign(moment.action[6]) for moment in seen} == {-1.0, 1.0}
