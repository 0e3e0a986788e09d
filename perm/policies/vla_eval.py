"""vla-eval's protocol: one server for OpenVLA-OFT, pi0, GR00T, SmolVLA and others.

Every frame is a map of type, payload, sequence number and time. The client says hello first, and
tells when an episode begins and ends; the server keeps the chunk and answers each observation with
one action. After an error frame the server goes on; the episode does not.
"""

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from perm.policies.connection import PolicyConnection
from perm.policies.errors import PolicyServerError
from perm.policies.openpi import actions_of
from perm.policies.profile import PolicyProfile

PROTOCOL_VERSION = 1
HELLO, START, END = "hello", "episode_start", "episode_end"
OBSERVATION, ACTION, ERROR = "observation", "action", "error"


class VlaEvalLink:
    """A connection to a vla-eval model server."""

    def __init__(self, url: str, profile: PolicyProfile) -> None:
        """Connect and exchange hellos.

        Raises:
            PolicyServerError: Nothing answers there, or nothing that speaks this protocol.
        """
        self._actions_key, self._in_episode, self._sequence = profile.actions_key, False, 0
        self._connection = PolicyConnection(
            url, profile.first_timeout_s, profile.timeout_s, text_keys=True
        )
        hello = {"harness_version": "perm", "protocol_version": PROTOCOL_VERSION}
        self._exchange(HELLO, hello, HELLO)
        self._connection.expect_slow_reply()

    @property
    def is_open(self) -> bool:
        """Whether another request can be sent."""
        return self._connection.is_open

    def begin(self, prompt: str) -> None:
        """Say that the episode before has ended, and that one begins."""
        self._end()
        self._connection.tell(self._frame(START, {"task": {"name": prompt}}))
        self._in_episode = True

    def ask(self, seen: Mapping[str, Any]) -> Any:
        """Return the one action of the reply as a row; see `perm.policies.served.Link`."""
        payload = self._exchange(OBSERVATION, _nested(seen), ACTION)
        actions = actions_of(payload, self._actions_key)
        is_row = isinstance(actions, np.ndarray) and actions.ndim == 1
        return actions[np.newaxis] if is_row else actions

    def close(self) -> None:
        """End the episode and close the connection."""
        if self.is_open:
            self._end()
        self._connection.close()

    def _end(self) -> None:
        if self._in_episode:
            self._connection.tell(self._frame(END, {}))
            self._in_episode = False

    def _exchange(self, kind: str, payload: Mapping[str, Any], wanted: str) -> Mapping[str, Any]:
        frame = self._frame(kind, payload)
        reply = self._connection.ask(frame)
        problem = self._problem(reply, wanted)
        if problem:
            self._connection.close()
            raise PolicyServerError(problem)
        found: Mapping[str, Any] = reply["payload"]
        return found

    def _problem(self, reply: Mapping[str, Any], wanted: str) -> str:
        payload = reply.get("payload")
        if reply.get("type") == ERROR:
            return f"The vla-eval server failed: {payload}."
        if reply.get("type") != wanted or not isinstance(payload, Mapping):
            return (
                f"The server answered with {reply.get('type')!r}, not {wanted!r}: is it a vla-eval "
                "model server?"
            )
        if reply.get("seq") != self._sequence:
            return f"The vla-eval server answered request {reply.get('seq')}, not {self._sequence}."
        return ""

    def _frame(self, kind: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        self._sequence += 1
        return {
            "type": kind,
            "payload": dict(payload),
            "seq": self._sequence,
            "timestamp": time.time(),
        }


def _nested(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Return maps in a map: what is under "images/wrist" comes to ["images"]["wrist"]."""
    found: dict[str, Any] = {}
    for key, value in seen.items():
        *folders, name = key.split("/")
        inner = found
        for folder in folders:
            inner = inner.setdefault(folder, {})
        inner[name] = value
    return found
