"""One websocket to a policy server, from the connection to its first failure."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import MappingProxyType
from typing import Any

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.protocol import State
from websockets.sync.client import connect

from perm.policies.address import without_credentials
from perm.policies.codec import pack, unpack
from perm.policies.errors import PolicyServerError

_CLOSE_TIMEOUT_S = 1.0
"""A server that is busy or gone does not answer the goodbye; do not wait for it."""


class PolicyConnection:
    """Asks a policy server, one request at a time.

    After any failure it is closed for good: a reply that comes too late must never be taken for
    the answer to the next request.

    Attributes:
        metadata: What the server said of itself, once it has greeted.
    """

    metadata: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self, url: str, first_timeout_s: float, timeout_s: float, *, text_keys: bool = False
    ) -> None:
        """Connect.

        Args:
            url: ws://HOST:PORT or wss://HOST:PORT.
            first_timeout_s: How long the first reply may take [s].
            timeout_s: How long connecting, a greeting and each later reply may take [s].
            text_keys: Whether arrays are described under keys of text, not of bytes.

        Raises:
            PolicyServerError: Nothing answers there.
        """
        self._text_keys = text_keys
        self._first_timeout_s = first_timeout_s
        self._address = without_credentials(url)
        self._timeout_s = timeout_s
        self._patience_s = timeout_s
        self._resources = ExitStack()
        try:
            # Pings of ours would measure the server's event loop, which openpi blocks while it
            # infers (github.com/Physical-Intelligence/openpi/issues/717); replies have time-outs.
            self._socket = self._resources.enter_context(
                connect(
                    url,
                    open_timeout=timeout_s,
                    ping_interval=None,
                    close_timeout=_CLOSE_TIMEOUT_S,
                    compression=None,
                    max_size=None,
                    proxy=None,
                )
            )
        except (OSError, EOFError, WebSocketException) as error:
            told = f"No policy server answers at {url}: {error}."
            raise PolicyServerError(without_credentials(told)) from error

    def greet(self) -> None:
        """Read what the server says of itself in its first frame; the next reply may be slow.

        Raises:
            PolicyServerError: Nothing comes, or nothing that speaks the protocol.
        """
        with self._closing_on_failure():
            self.metadata = self._receive()
        self.expect_slow_reply()

    def expect_slow_reply(self) -> None:
        """Give the next reply the time of a first one: models compile then."""
        self._patience_s = self._first_timeout_s

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send what has no reply.

        Raises:
            PolicyServerError: The connection was lost.
        """
        with self._closing_on_failure():
            self._socket.send(pack(message, text_keys=self._text_keys))

    @property
    def is_open(self) -> bool:
        """Whether another request can be sent."""
        return self._socket.state is State.OPEN

    def ask(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a request and return the reply.

        Raises:
            PolicyServerError: The connection was lost, the server failed, the reply took too
                long or cannot be read.
        """
        with self._closing_on_failure():
            self._socket.send(pack(request, text_keys=self._text_keys))
            reply = self._receive()
        self._patience_s = self._timeout_s
        return reply

    def close(self) -> None:
        """Say goodbye; nothing can be asked any more."""
        self._resources.close()

    @contextmanager
    def _closing_on_failure(self) -> Iterator[None]:
        try:
            yield
        except ConnectionClosed as error:
            self.close()
            raise PolicyServerError(
                f"The policy server at {self._address} closed the connection: {error}."
            ) from error
        except BaseException:  # Ctrl-C, too, leaves a reply under way
            self.close()
            raise

    def _receive(self) -> Mapping[str, Any]:
        try:
            frame = self._socket.recv(timeout=self._patience_s)
        except TimeoutError as error:
            raise PolicyServerError(
                f"The policy server at {self._address} did not answer within "
                f"{self._patience_s:g} s (the profile's first_timeout_s and timeout_s)."
            ) from error
        if isinstance(frame, str):  # openpi sends its traceback as text and closes
            last_line = frame.strip().rpartition("\n")[2]
            raise PolicyServerError(
                f"The policy server at {self._address} failed: {last_line}\n{frame.strip()}"
            )
        return self._unpacked(frame)

    def _unpacked(self, frame: bytes) -> Mapping[str, Any]:
        try:
            message = unpack(frame)
        except ValueError as error:
            raise PolicyServerError(
                f"What the server at {self._address} sent is not the protocol's msgpack: {error}."
            ) from error
        if not isinstance(message, Mapping):
            raise PolicyServerError(
                f"The policy server at {self._address} sent a {type(message).__name__}, not a map."
            )
        return message
