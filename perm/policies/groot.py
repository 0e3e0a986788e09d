"""GR00T's protocol (N1.5 and N1.6): request and reply over ZeroMQ, arrays as .npy bytes.

Arrays have a batch and a time axis in front; state and actions come number by number, under keys of
their own.
"""

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgpack  # type: ignore[import-untyped]
import numpy as np

from perm.core.errors import PermError
from perm.policies.errors import PolicyServerError
from perm.policies.profile import PolicyProfile

if TYPE_CHECKING:
    pass

PARTS = ("x", "y", "z", "roll", "pitch", "yaw", "gripper")
"""Of an action; the state has the same, with both fingers in its gripper. Rotations are
axis-angle, as in GR00T's LIBERO data."""


class GrootLink:
    """A connection to a GR00T policy server."""

    def __init__(self, url: str, profile: PolicyProfile) -> None:
        """Connect and see whether it answers.

        Raises:
            PolicyServerError: Nothing answers there.
            PermError: pyzmq is not installed.
        """
        try:
            import zmq
        except ImportError as error:
            raise PermError(
                "policy=groot needs pyzmq: pip install 'libero-perm[groot]'."
            ) from error
        self._url, self._profile = url, profile
        self._socket: zmq.Socket[bytes] | None = zmq.Context.instance().socket(zmq.REQ)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.connect(url)
        self._patience_s = profile.timeout_s
        self._call("ping")
        self._patience_s = profile.first_timeout_s

    @property
    def is_open(self) -> bool:
        """Whether another request can be sent."""
        return self._socket is not None

    def begin(self, prompt: str) -> None:
        """Do nothing: the server keeps nothing between requests."""

    def ask(self, seen: Mapping[str, Any]) -> Any:
        """Return the actions of the reply, (n, 7); see `perm.policies.served.Link`."""
        reply = self._call("get_action", {"observation": self._observation(seen), "options": None})
        self._patience_s = self._profile.timeout_s
        actions = reply[0] if isinstance(reply, list | tuple) and reply else reply
        return self._joined(actions)

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _observation(self, seen: Mapping[str, Any]) -> dict[str, Any]:
        profile, found = self._profile, dict[str, Any]()
        for key in profile.image_keys.values():
            found[key] = np.asarray(seen[key])[np.newaxis, np.newaxis]
        state = np.asarray(seen[profile.state_key], dtype=np.float32)
        for k, part in enumerate(PARTS):
            values = state[k:] if part == PARTS[-1] else state[k : k + 1]
            found[f"{profile.state_key}.{part}"] = values[np.newaxis, np.newaxis]
        found[profile.prompt_key] = [seen[profile.prompt_key]]
        return found

    def _joined(self, actions: Any) -> Any:
        keys = [f"{self._profile.actions_key}.{part}" for part in PARTS]
        missing = [key for key in keys if not isinstance(actions, Mapping) or key not in actions]
        if missing:
            raise PolicyServerError(f"The GR00T server's reply has no {', '.join(missing)}.")
        try:
            columns = [np.asarray(actions[key], dtype=np.float64)[0].reshape(-1) for key in keys]
            return np.stack(columns, axis=1)
        except (ValueError, IndexError, TypeError) as error:
            raise PolicyServerError(
                f"The GR00T server sent actions that are not (1, n, 1) each: {error}."
            ) from error

    def _call(self, endpoint: str, data: Mapping[str, Any] | None = None) -> Any:
        import zmq

        assert self._socket is not None
        request = {"endpoint": endpoint, **({} if data is None else {"data": dict(data)})}
        try:
            self._socket.send(msgpack.packb(request, default=_encode))
            if not self._socket.poll(round(1000 * self._patience_s), zmq.POLLIN):
                raise PolicyServerError(
                    f"No policy server answers at {self._url} within {self._patience_s:g} s (the "
                    "profile's first_timeout_s and timeout_s)."
                )
            reply = msgpack.unpackb(self._socket.recv(), object_hook=_decode)
        except (zmq.ZMQError, ValueError, TypeError, KeyError) as error:
            self.close()
            raise PolicyServerError(f"The GR00T server at {self._url}: {error}.") from error
        except BaseException:  # a late answer must not be taken for the next one's
            self.close()
            raise
        if isinstance(reply, Mapping) and "error" in reply:
            self.close()
            raise PolicyServerError(f"The GR00T server at {self._url} failed: {reply['error']}.")
        return reply


def _encode(value: Any) -> dict[str, Any]:
    if not isinstance(value, np.ndarray):
        raise TypeError(f"A {type(value).__name__} cannot be sent.")
    buffer = io.BytesIO()
    np.save(buffer, value, allow_pickle=False)
    return {"__ndarray_class__": True, "as_npy": buffer.getvalue()}


def _decode(item: dict[str, Any]) -> Any:
    if "__ndarray_class__" in item:
        return np.load(io.BytesIO(item["as_npy"]), allow_pickle=False)
    return item
