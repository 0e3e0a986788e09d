"""Tests of perm.policies.vla_eval, against a server that speaks it with an encoder of its own."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import msgpack
import numpy as np
import pytest
import yaml
from websockets.sync.server import ServerConnection, serve

from perm.core.errors import PermError
from perm.policies.check_policy import make_observation
from perm.policies.errors import PolicyServerError
from perm.policies.profile import PolicyProfile, profile_from_mapping
from perm.policies.served import ServedPolicy
from tests.policies.conftest import CONFIGS
from tests.policies.threads import in_thread

Frames = list[dict[str, Any]]


@pytest.fixture
def profile() -> PolicyProfile:
    mapping = yaml.safe_load((CONFIGS / "vla_eval.yaml").read_text())["profile"]
    quick = {"first_timeout_s": 5.0, "timeout_s": 5.0, "reconnect_waits_s": (0.0,)}
    return replace(profile_from_mapping(mapping), **quick)


@contextmanager
def server(
    kinds: dict[str, str] | None = None, hello: str = "hello"
) -> Iterator[tuple[str, Frames]]:
    """Answer observation k with an action that moves by k; some kinds are answered otherwise."""
    seen: Frames = []

    def talk(socket: ServerConnection) -> None:
        count = 0
        for data in socket:
            frame = msgpack.unpackb(data, object_hook=_decode)
            seen.append(frame)
            if frame["type"] == "hello":
                socket.send(_frame(hello, {"model_server": "Tiny"}, frame["seq"]))
            elif frame["type"] == "observation":
                action = np.zeros(7, np.float32)
                action[0], count = 0.1 * count, count + 1
                kind = (kinds or {}).get(str(count), "action")
                payload = {"actions": action} if kind == "action" else {"error": "out of memory"}
                socket.send(_frame(kind, payload, frame["seq"]))

    with serve(talk, "127.0.0.1", 0, compression=None, max_size=None) as found:
        port = found.socket.getsockname()[1]
        with in_thread(found.serve_forever, found.shutdown):
            yield f"ws://127.0.0.1:{port}", seen


def _frame(kind: str, payload: dict[str, Any], sequence: int) -> bytes:
    message = {"type": kind, "payload": payload, "seq": sequence, "timestamp": 0.0}
    packed: bytes = msgpack.packb(message, default=_encode, use_bin_type=True)
    return packed


def _encode(value: np.ndarray[Any, Any]) -> dict[str, Any]:
    shape = list(value.shape)
    return {"__ndarray__": True, "data": value.tobytes(), "dtype": value.dtype.str, "shape": shape}


def _decode(item: dict[str, Any]) -> Any:
    if item.get("__ndarray__"):  # text keys only, as vla-eval decodes
        return np.frombuffer(item["data"], item["dtype"]).reshape(item["shape"])
    return item


def test_an_episode_as_vla_eval_knows_it(profile: PolicyProfile) -> None:
    obs = make_observation(256, np.random.default_rng(0))
    with server() as (url, seen), closing(ServedPolicy(url, profile, "vla_eval")) as policy:
        for _ in range(2):
            policy.reset("Task: a. Preference: b.", 0)
            actions = [policy.act(obs) for _ in range(2)]
    assert [frame["type"] for frame in seen] == [
        "hello",
        *["episode_start", "observation", "observation", "episode_end"] * 2,
    ]
    assert [frame["seq"] for frame in seen] == list(range(1, 10))
    assert seen[1]["payload"] == {"task": {"name": "Task: a. Preference: b."}}
    payload = seen[2]["payload"]
    assert payload["task_description"] == "Task: a. Preference: b."
    assert {name: image.shape for name, image in payload["images"].items()} == {
        "agentview": (256, 256, 3),
        "wrist": (256, 256, 3),
    }
    assert np.array_equal(payload["images"]["agentview"], obs["agentview_image"][::-1, ::-1])
    assert payload["states"].shape == (8,)
    assert [chunk.shape for chunk in actions] == [(1, 7), (1, 7)]
    assert actions[1][0, 0] == pytest.approx(0.3)


def test_an_error_frame_breaks_the_episode_and_the_next_one_begins_anew(
    profile: PolicyProfile,
) -> None:
    obs = make_observation(256, np.random.default_rng(0))
    with (
        server({"2": "error"}) as (url, seen),
        closing(ServedPolicy(url, profile, "vla_eval")) as policy,
    ):
        policy.reset("a", 0)
        policy.act(obs)
        with pytest.raises(PolicyServerError, match=r"vla-eval server failed.*out of memory"):
            policy.act(obs)
        policy.reset("b", 1)
        assert policy.act(obs)[0, 0] == 0.0  # a new connection, whose server begins at 0
    assert [frame["type"] for frame in seen].count("hello") == 2


def test_another_server_is_told_at_once(profile: PolicyProfile) -> None:
    with server(hello="welcome") as (url, _), pytest.raises(PermError, match="is it a vla-eval"):
        ServedPolicy(url, profile, "vla_eval")
