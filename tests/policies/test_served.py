import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from perm.core.errors import PermError
from perm.policies.check_policy import Verdict, check_policy, make_observation
from perm.policies.errors import PolicyServerError
from perm.policies.profile import PolicyProfile
from perm.policies.served import ServedPolicy

from .server import FakeServer, steps

PROMPT = "Task: Put the bowl on the plate. Preference: Move higher."


def _answer(count: int, request: Mapping[str, Any]) -> dict[str, Any]:
    """Ten actions whose first entry tells which request they answer."""
    return steps(10, dx=0.01 * count)


def _observation() -> dict[str, Any]:
    """A red block in the bottom left of both raw frames: the top left of the world."""
    obs = dict(make_observation(256, np.random.default_rng(0)))
    for camera in ("agentview", "robot0_eye_in_hand"):
        upright = np.zeros((256, 256, 3), dtype=np.uint8)
        upright[:64, :64, 0] = 255 if camera == "agentview" else 128
        obs[f"{camera}_image"] = upright[::-1]
    obs["robot0_eef_pos"] = np.array([-0.2, 0.1, 1.1])
    obs["robot0_eef_quat"] = np.array([1.0, 0.0, 0.0, 0.0])
    obs["robot0_gripper_qpos"] = np.array([0.02, -0.02])
    return obs


def test_the_request_is_what_openpis_libero_models_were_trained_on(profile: PolicyProfile) -> None:
    with FakeServer(_answer) as server, closing(ServedPolicy(server.url, profile)) as policy:
        policy.reset(PROMPT, 0)
        policy.act(_observation())
    (request,) = server.requests
    assert set(request) == {
        "observation/image",
        "observation/wrist_image",
        "observation/state",
        "prompt",
    }
    for key, red in (("observation/image", 255), ("observation/wrist_image", 128)):
        image = request[key]
        assert image.shape == (224, 224, 3)
        assert image.dtype == np.uint8
        assert tuple(image[0, -1]) == (red, 0, 0)  # upright and mirrored: turned by 180 degrees
        assert not image[0, 0].any()
        assert not image[-1].any()
    np.testing.assert_allclose(
        request["observation/state"], [-0.2, 0.1, 1.1, np.pi, 0, 0, 0.02, -0.02]
    )


@pytest.mark.parametrize("prompt", [PROMPT, " Stell die Schüssel ab.  Preference: 慢一点 🥣. "])
def test_the_prompt_arrives_byte_for_byte(profile: PolicyProfile, prompt: str) -> None:
    with FakeServer(_answer) as server, closing(ServedPolicy(server.url, profile)) as policy:
        policy.reset(prompt, 0)
        policy.act(_observation())
        assert policy.delivered_prompt == prompt
    assert server.requests[0]["prompt"].encode() == prompt.encode()


def test_lower_case_is_applied_once_and_remembered(profile: PolicyProfile) -> None:
    lower = replace(profile, prompt_case="lower")
    with FakeServer(_answer) as server, closing(ServedPolicy(server.url, lower)) as policy:
        policy.reset(PROMPT, 0)
        policy.act(_observation())
        assert policy.delivered_prompt == PROMPT.lower()
    assert server.requests[0]["prompt"] == PROMPT.lower()


def test_five_actions_of_ten_are_executed_before_asking_again(profile: PolicyProfile) -> None:
    with FakeServer(_answer) as server, closing(ServedPolicy(server.url, profile)) as policy:
        policy.reset(PROMPT, 0)
        chunks = [policy.act(_observation()) for _ in range(3)]
    assert [chunk.shape for chunk in chunks] == [(5, 7)] * 3
    assert chunks[0].dtype == np.float64
    np.testing.assert_allclose(
        [chunk[:, 0] for chunk in chunks], [[0.01] * 5, [0.02] * 5, [0.03] * 5]
    )
    assert len(server.requests) == 3


def test_a_chunk_shorter_than_the_replanning_is_used_and_not_padded(profile: PolicyProfile) -> None:
    with (
        FakeServer(lambda *_: steps(3)) as server,
        closing(ServedPolicy(server.url, profile)) as policy,
    ):
        policy.reset(PROMPT, 0)
        assert policy.act(_observation()).shape == (3, 7)


def test_an_episode_begins_with_an_answer_to_its_own_first_observation(
    profile: PolicyProfile,
) -> None:
    with FakeServer(_answer) as server, closing(ServedPolicy(server.url, profile)) as policy:
        policy.reset(PROMPT, 0)
        policy.act(_observation())  # ten came, the episode ended at the third
        policy.reset("Task: Another. Preference: Slow down.", 0)
        first = policy.act({**_observation(), "robot0_eef_pos": np.array([0.5, 0.0, 1.0])})
    np.testing.assert_allclose(first[:, 0], 0.02)
    assert server.requests[1]["prompt"] == "Task: Another. Preference: Slow down."
    np.testing.assert_allclose(server.requests[1]["observation/state"][:3], [0.5, 0.0, 1.0])


def test_a_late_reply_never_answers_the_next_episode(profile: PolicyProfile) -> None:
    def slow_once(count: int, request: Mapping[str, Any]) -> dict[str, Any]:
        time.sleep(0.4 if count == 1 else 0.0)
        return steps(10, dx=0.01 * count)

    quick = replace(profile, first_timeout_s=0.1)
    with FakeServer(slow_once) as server, closing(ServedPolicy(server.url, quick)) as policy:
        policy.reset(PROMPT, 0)
        with pytest.raises(PolicyServerError, match=r"did not answer within 0\.1 s"):
            policy.act(_observation())
        policy.reset(PROMPT, 0)
        np.testing.assert_allclose(policy.act(_observation())[:, 0], 0.02)


def test_a_broken_episode_stays_broken_and_the_next_one_connects_again(
    profile: PolicyProfile,
) -> None:
    def fail_once(count: int, request: Mapping[str, Any]) -> dict[str, Any]:
        if count == 1:
            raise RuntimeError("out of memory")
        return steps(10)

    with FakeServer(fail_once) as server, closing(ServedPolicy(server.url, profile)) as policy:
        policy.reset(PROMPT, 0)
        with pytest.raises(PolicyServerError, match="RuntimeError: out of memory"):
            policy.act(_observation())
        with pytest.raises(PolicyServerError, match="closed the connection"):
            policy.act(_observation())
        assert server.connections == 1
        policy.reset(PROMPT, 0)
        assert policy.act(_observation()).shape == (5, 7)
        assert server.connections == 2


def test_a_server_that_stays_away_is_given_up_and_one_that_returns_is_used(
    profile: PolicyProfile,
) -> None:
    with FakeServer(_answer) as server:
        policy = ServedPolicy(server.url, profile)
    with pytest.raises(PolicyServerError, match=r"No policy server answers .* Tried 2 times\."):
        policy.reset(PROMPT, 0)
    with FakeServer(_answer, port=server.port), closing(policy):
        policy.reset(PROMPT, 0)
        assert policy.act(_observation()).shape == (5, 7)


def test_the_grippers_convention_is_the_profiles(profile: PolicyProfile) -> None:
    opens = replace(profile, gripper="zero_close_one_open")
    with (
        FakeServer(lambda *_: steps(10, gripper=0.9)) as server,
        closing(ServedPolicy(server.url, opens)) as policy,
    ):
        policy.reset(PROMPT, 0)
        np.testing.assert_allclose(policy.act(_observation())[:, 6], -0.8, atol=1e-6)


def test_misbehaving_replies_break_one_episode_each_and_not_the_connection(
    profile: PolicyProfile,
) -> None:
    replies = [
        ({"actions": np.zeros((10, 8))}, r"shape \(10, 8\); the profile wants shape \(n, 7\)"),
        ({"actions": np.full((10, 7), np.nan)}, "sent nan as entry 0 of action 0"),
        (steps(10, gripper=-1.0), "sent gripper -1"),
        ({"action": np.zeros((10, 7))}, "reply has no 'actions'; it has action"),
    ]
    strict = replace(profile, gripper="zero_open_one_close", strict_gripper=True)
    with (
        FakeServer(lambda count, _: replies[count - 1][0]) as server,
        closing(ServedPolicy(server.url, strict)) as policy,
    ):
        for _, message in replies:
            policy.reset(PROMPT, 0)
            with pytest.raises(PolicyServerError, match=message):
                policy.act(_observation())
        assert server.connections == 1


def test_passes_the_checker(profile: PolicyProfile) -> None:
    with (
        FakeServer(lambda *_: steps(10)) as server,
        closing(ServedPolicy(server.url, profile)) as policy,
    ):
        assert policy.spec.image_size == 256
        assert {finding.verdict for finding in check_policy(policy)} == {Verdict.OK}


def test_nothing_is_sent_before_the_prompt_is_known(profile: PolicyProfile) -> None:
    with (
        FakeServer(_answer) as server,
        closing(ServedPolicy(server.url, profile)) as policy,
        pytest.raises(PermError, match=r"begins with reset\(prompt, seed\)"),
    ):
        policy.act(_observation())
    assert server.requests == []


@pytest.mark.parametrize(
    "url", ["localhost:8000", "http://localhost:8000", "ws://", "ws://host:port", 8000]
)
def test_what_is_no_address_is_refused(profile: PolicyProfile, url: Any) -> None:
    with pytest.raises(PermError, match=rf"policy\.url={url} is not .* Write ws://HOST:PORT"):
        ServedPolicy(url, profile)


@pytest.mark.parametrize("url", ["http://me:secret@host", "me:secret@host"])
def test_the_refusal_of_an_address_shows_no_password(profile: PolicyProfile, url: str) -> None:
    with pytest.raises(PermError, match=r"host is not the address of a policy server") as caught:
        ServedPolicy(url, profile)
    assert "secret" not in str(caught.value)


def test_a_missing_address_is_asked_for(profile: PolicyProfile) -> None:
    with pytest.raises(PermError, match=r"needs an address: policy\.url=ws://HOST:PORT"):
        ServedPolicy(None, profile)


def test_a_missing_server_is_told_before_any_episode(profile: PolicyProfile) -> None:
    with FakeServer(_answer) as server:
        pass
    with pytest.raises(PermError, match=r"No policy server answers .* Start the server first"):
        ServedPolicy(server.url, profile)
