"""A policy behind a server, whichever protocol it speaks; replies are checked."""

import logging
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import urlsplit

from perm.core.arrays import FloatArray
from perm.core.errors import PermError
from perm.core.policy import Observation, PolicySpec
from perm.policies.address import without_credentials
from perm.policies.chunk import read_chunk
from perm.policies.errors import PolicyServerError
from perm.policies.groot import GrootLink
from perm.policies.images import prepare_image
from perm.policies.openpi import OpenPiLink
from perm.policies.profile import PolicyProfile
from perm.policies.state import robot_state
from perm.policies.vla_eval import VlaEvalLink

_log = logging.getLogger(__name__)


class Link(Protocol):
    """A connection to a server that speaks one protocol; after any failure it is closed."""

    @property
    def is_open(self) -> bool:
        """Whether another request can be sent."""
        ...

    def begin(self, prompt: str) -> None:
        """Say that an episode begins; the one before has ended."""
        ...

    def ask(self, seen: Mapping[str, Any]) -> Any:
        """Return what the server answers to an observation: rows of actions.

        Args:
            seen: Images, state and prompt by the profile's keys.

        Raises:
            PolicyServerError: The server was lost, failed, or sent no actions.
        """
        ...

    def close(self) -> None:
        """Say goodbye."""
        ...


class ServedPolicy:
    """Asks a policy server for a chunk of actions whenever the one before is used up.

    No actions are queued here: `act` hands out the part of a chunk that will be executed, so
    that nothing is left for the next episode.
    """

    def __init__(self, url: str | None, profile: PolicyProfile, name: str = "openpi") -> None:
        """Connect, so that a missing server is noticed before any simulation.

        Args:
            url: ws://HOST:PORT or wss://HOST:PORT; for GR00T tcp://HOST:PORT.
            profile: How the model sees and answers.
            name: Which family it is, one of `SERVED`.

        Raises:
            PermError: The address is none, or no policy server answers there.
        """
        self._name = name
        self._open, schemes, start = SERVED[name]
        self._url = _checked_url(url, name, schemes)
        self._profile = profile
        self._prompt: str | None = None
        try:
            self._link = self._connect()
        except PolicyServerError as error:
            raise PermError(
                f"{error} Start the server first ({start}), or check host and port in policy.url."
            ) from error

    @property
    def spec(self) -> PolicySpec:
        """Wants frames of the profile's size; plays from any init index."""
        return PolicySpec(self._name, image_size=self._profile.render_size)

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
            seed: Not used: the protocols have no place for it.

        Raises:
            PolicyServerError: The server stays away.
        """
        self._prompt = self._profile.prompt(prompt)
        if not self._link.is_open:
            self._link = self._reconnect()
        self._link.begin(self._prompt)

    def act(self, obs: Observation) -> FloatArray:
        """Return the server's next actions, at most `replan_steps` of them, shape (K, 7).

        Raises:
            PolicyServerError: The server was lost, failed, or sent something unusable.
        """
        profile = self._profile
        answer = self._link.ask(self._seen(obs))
        return read_chunk(answer, profile.gripper, profile.strict_gripper)[: profile.replan_steps]

    def close(self) -> None:
        """Close the connection."""
        self._link.close()

    def _seen(self, obs: Observation) -> dict[str, Any]:
        profile = self._profile
        images = {
            key: prepare_image(obs[f"{camera}_image"], profile.image_turn, profile.image_size)
            for camera, key in profile.image_keys.items()
        }
        state = robot_state(obs, profile.state)
        return {**images, profile.state_key: state, profile.prompt_key: self.delivered_prompt}

    def _connect(self) -> Link:
        return self._open(self._url, self._profile)

    def _reconnect(self) -> Link:
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


_WEB = ("ws", "wss")
SERVED: Mapping[str, tuple[Callable[[str, PolicyProfile], Link], tuple[str, ...], str]] = (
    MappingProxyType(
        {
            "openpi": (
                OpenPiLink,
                _WEB,
                "openpi: `uv run scripts/serve_policy.py --env LIBERO`",
            ),
            "lerobot": (OpenPiLink, _WEB, "scripts/serve_lerobot.py, in LeRobot's environment"),
            "vla_eval": (VlaEvalLink, _WEB, "vla-eval: `vla-eval serve`"),
            "groot": (GrootLink, ("tcp",), "Isaac-GR00T: `gr00t/eval/run_gr00t_server.py`"),
        }
    )
)
"""By family: how to connect, the schemes of an address, and how its server is started."""


def _checked_url(url: str | None, name: str, schemes: tuple[str, ...]) -> str:
    if url is None:
        raise PermError(f"policy={name} needs an address: policy.url={schemes[0]}://HOST:PORT.")
    try:
        parts = urlsplit(str(url))  # a bare port comes as an integer
        is_address = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, or too large
        is_address = False
    if not is_address:
        told = without_credentials(f"policy.url={url}")
        encrypted = " (wss:// if it is encrypted)" if "wss" in schemes else ""
        raise PermError(
            f"{told} is not the address of a policy server. Write {schemes[0]}://HOST:PORT, for "
            f"example {schemes[0]}://localhost:8000{encrypted}."
        )
    return url
