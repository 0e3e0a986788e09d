"""openpi's protocol: pi0, pi0.5, LeRobot through `scripts/serve_lerobot.py`, or what speaks it.

The server greets with a map; then each request is a flat map of arrays and text, and each reply a
map with the actions. A text frame is a traceback.
"""

from collections.abc import Mapping
from typing import Any

from perm.policies.connection import PolicyConnection
from perm.policies.errors import PolicyServerError
from perm.policies.profile import PolicyProfile


class OpenPiLink:
    """A connection to an openpi server."""

    def __init__(self, url: str, profile: PolicyProfile) -> None:
        """Connect and read the greeting; see `PolicyConnection`."""
        self._actions_key = profile.actions_key
        self._connection = PolicyConnection(url, profile.first_timeout_s, profile.timeout_s)
        self._connection.greet()

    @property
    def is_open(self) -> bool:
        """Whether another request can be sent."""
        return self._connection.is_open

    def begin(self, prompt: str) -> None:
        """Do nothing: openpi's server keeps nothing between requests."""

    def ask(self, seen: Mapping[str, Any]) -> Any:
        """Return the actions of the reply; see `perm.policies.served.Link`."""
        return actions_of(self._connection.ask(seen), self._actions_key)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def actions_of(reply: Mapping[str, Any], key: str) -> Any:
    """Return what a reply holds under the key of the actions.

    Raises:
        PolicyServerError: It holds nothing there.
    """
    if key not in reply:
        raise PolicyServerError(
            f"The policy server's reply has no {key!r}; it has "
            f"{', '.join(map(str, reply)) or 'nothing'}."
        )
    return reply[key]
