"""Tests of perm.policies.groot, against a ZeroMQ server that speaks it."""

import io
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import msgpack
import numpy as np
import pytest
import yaml
import zmq

from perm.core.errors import PermError
from perm.policies.check_policy import make_observation
from perm.policies.errors import PolicyServerError
from perm.policies.groot import PARTS
from perm.policies.profile import PolicyProfile, profile_from_mapping
from perm.policies.served import ServedPolicy
from tests.policies.conftest import CONFIGS
from tests.policies.threads import in_thread

Answer = Callable[[dict[str, Any]], Any]


@pytest.fixture
def profile() -> PolicyProfile:
    mapping = yaml.safe_load((CONFIGS / "groot.yaml").read_text())["profile"]
    quick = {"first_timeout_s": 2.0, "timeout_s": 2.0, "reconnect_waits_s": (0.0,)}
    return replace(profile_from_mapping(mapping), **quick)


@contextmanager
def server(answer: Answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    socket = zmq.Context.instance().socket(zmq.REP)
    port = socket.bind_to_random_port("tcp://127.0.0.1")
    seen: list[dict[str, Any]] = []
    running = [True]

    def run() -> None:
        while running:
            if socket.poll(50):
                request = msgpack.unpackb(socket.recv(), object_hook=_decode)
                if request["endpoint"] == "ping":
                    socket.send(msgpack.packb({"status": "ok"}))
                    continue
                seen.append(request)
                socket.send(msgpack.packb(answer(request), default=_encode))
        socket.close(0)

    with in_thread(run, running.clear):
        yield f"tcp://127.0.0.1:{port}", seen


def _encode(value: np.ndarray[Any, Any]) -> dict[str, Any]:
    buffer = io.BytesIO()
    np.save(buffer, value)
    return {"__ndarray_class__": True, "as_npy": buffer.getvalue()}


def _decode(item: dict[str, Any]) -> Any:
    return np.load(io.BytesIO(item["as_npy"])) if "__ndarray_class__" in item else item


def chunk(gripper: float = 1.0, parts: tuple[str, ...] = PARTS) -> list[Any]:
    """Sixteen actions; x counts up."""
    actions = {f"action.{part}": np.zeros((1, 16, 1), np.float32) for part in parts}
    actions["action.x"] = np.arange(16, dtype=np.float32).reshape(1, 16, 1) / 100
    if "gripper" in parts:
        actions["action.gripper"] += gripper
    return [actions, {}]


def test_state_and_actions_go_number_by_number(profile: PolicyProfile) -> None:
    obs = make_observation(256, np.random.default_rng(0))
    with (
        server(lambda _: chunk(gripper=1.0)) as (url, seen),
        closing(ServedPolicy(url, profile, "groot")) as policy,
    ):
        policy.reset("Task: a. Preference: b.", 0)
        actions = policy.act(obs)
    assert seen[0]["endpoint"] == "get_action"
    observation = seen[0]["data"]["observation"]
    assert observation["video.image"].shape == (1, 1, 256, 256, 3)
    assert observation["state.gripper"].shape == (1, 1, 2)
    assert observation["state.x"][0, 0, 0] == pytest.approx(obs["robot0_eef_pos"][0])
    assert observation["annotation.human.action.task_description"] == ["Task: a. Preference: b."]
    assert actions.shape == (8, 7)
    assert actions[:, 0] == pytest.approx(np.arange(8) / 100)
    assert set(actions[:, 6]) == {-1.0}  # 1 is open there, -1 here


def test_a_reply_without_a_part_is_an_error(profile: PolicyProfile) -> None:
    obs = make_observation(256, np.random.default_rng(0))
    with (
        server(lambda _: chunk(parts=PARTS[:-1])) as (url, _),
        closing(ServedPolicy(url, profile, "groot")) as policy,
    ):
        policy.reset("a", 0)
        with pytest.raises(PolicyServerError, match=r"has no action\.gripper"):
            policy.act(obs)


def test_a_servers_failure_is_told_and_the_next_episode_connects_again(
    profile: PolicyProfile,
) -> None:
    obs = make_observation(256, np.random.default_rng(0))
    answers = iter([{"error": "out of memory"}, chunk()])
    with (
        server(lambda _: next(answers)) as (url, _),
        closing(ServedPolicy(url, profile, "groot")) as policy,
    ):
        policy.reset("a", 0)
        with pytest.raises(PolicyServerError, match="failed: out of memory"):
            policy.act(obs)
        policy.reset("b", 1)
        assert policy.act(obs).shape == (8, 7)


def test_nobody_there_is_told_before_any_simulation(profile: PolicyProfile) -> None:
    quick = replace(profile, timeout_s=0.1)
    with pytest.raises(PermError, match=r"answers at tcp://127.0.0.1:9 within 0.1 s.*Isaac-GR00T"):
        ServedPolicy("tcp://127.0.0.1:9", quick, "groot")
    with pytest.raises(PermError, match=r"Write tcp://HOST:PORT"):
        ServedPolicy("ws://127.0.0.1:9", quick, "groot")
