"""A policy behind openpi's websocket protocol: pi0, pi0.5, or anything that speaks it."""

import logging
import time
from typing import Any
from urllib.parse import urlsplit

from perm.core.arrays import FloatArray
from perm.core.errors import PermError
from perm.core.policy import Observation, PolicySpec
from perm.policies.address import without_credentials
from perm.policies.chunk import read_chunk
from perm.policies.connection import PolicyConnection
from perm.policies.errors import PolicyServerError
from perm.policies.images import prepare_image
from perm.policies.profile import PolicyProfile
from perm.policies.state import robot_state

_log = logging.getLogger(__name__)


class OpenPiPolicy:
    """Asks a policy server for a chunk of actions whenever the one before is used up.

    No actions are queued here: `act` hands out the part of a chunk that will be executed, so
    that nothing is left for the next episode.
    """

    def __init__(self, url: str | None, profile: PolicyProfile) -> None:
        """Connect, so that a missing server is noticed before any simulation.

        Args:
            url: ws://HOST:PORT or wss://HOST:PORT.
            profile: How the model sees and answers.

        Raises:
            PermError: The address is none, or no policy server answers there.
        """
        self._url = _checked_url(url)
        self._profile = profile
        self._prompt: str | None = None
        try:
            self._connection = self._connect()
        except PolicyServerError as error:
            raise PermError(
                f"{error} Start the server first (openpi: `uv run scripts/serve_policy.py --env "
                "LIBERO`), or check host and port in policy.url."
            ) from error

    @property
    def spec(self) -> PolicySpec:
        """Wants frames of the profile's size; plays from any init index."""
        return PolicySpec("openpi", image_size=self._profile.render_size)

    @property
    def delivered_prompt(self) -> str:
        """The prompt of this episode as the server gets it.

        Raises:
            PermError: No episode has begun.
        """
        if self._prompt is None:
            raise PermError("An episode begins with reset(prompt, seed).")
        return self._prompt

    def reset(self, prompt: str, seed: int) -> None:
        """Begin an episode; connect again if the connection broke in the one before.

        Args:
            prompt: The sentence; sent as it is, or in lower case if the profile says so.
            seed: Not used: the protocol has no place for it.

        Raises:
            PolicyServerError: The server stays away.
        """
        self._prompt = self._profile.prompt(prompt)
        if not self._connection.is_open:
            self._connection = self._reconnect()

    def act(self, obs: Observation) -> FloatArray:
        """Return the server's next actions, at most `replan_steps` of them, shape (K, 7).

        Raises:
            PolicyServerError: The server was lost, failed, or sent something unusable.
        """
        profile = self._profile
        reply = self._connection.ask(self._request(obs))
        if profile.actions_key not in reply:
            raise PolicyServerError(
                f"The policy server's reply has no {profile.actions_key!r}; it has "
                f"{', '.join(map(str, reply)) or 'nothing'}."
            )
        chunk = read_chunk(reply[profile.actions_key], profile.gripper, profile.strict_gripper)
        return chunk[: profile.replan_steps]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _request(self, obs: Observation) -> dict[str, Any]:
        profile = self._profile
        images = {
            key: prepare_image(obs[f"{camera}_image"], profile.image_turn, profile.image_size)
            for camera, key in profile.image_keys.items()
        }
        state = robot_state(obs, profile.state)
        return {**images, profile.state_key: state, profile.prompt_key: self.delivered_prompt}

    def _connect(self) -> PolicyConnection:
        return PolicyConnection(self._url, self._profile.first_timeout_s, self._profile.timeout_s)

    def _reconnect(self) -> PolicyConnection:
        cause: PolicyServerError | None = None
        for wait_s in self._profile.reconnect_waits_s:
            time.sleep(wait_s)
            try:
                return self._connect()
            except PolicyServerError as error:
                _log.warning("%s", error)
                cause = error
        attempts = len(self._profile.reconnect_waits_s)
        raise PolicyServerError(f"{cause} Tried {attempts} times.") from cause


def _checked_url(url: str | None) -> str:
    if url is None:
        raise PermError("policy=openpi needs an address: policy.url=ws://HOST:PORT.")
    try:
        parts = urlsplit(str(url))  # a bare port comes as an integer
        is_address = parts.scheme in ("ws", "wss") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, or too large
        is_address = False
    if not is_address:
        told = without_credentials(f"policy.url={url}")
        raise PermError(
            f"{told} is not the address of a policy server. Write ws://HOST:PORT, for "
            "example ws://localhost:8000 (wss:// if it is encrypted)."
        )
    return url
