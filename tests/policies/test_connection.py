import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

import pytest

from perm.policies import connection as connection_module
from perm.policies.connection import PolicyConnection
from perm.policies.errors import PolicyServerError

from .server import FakeServer


@contextmanager
def _connected(
    server: FakeServer, first_timeout_s: float = 5.0, timeout_s: float = 5.0
) -> Iterator[PolicyConnection]:
    with server, closing(PolicyConnection(server.url, first_timeout_s, timeout_s)) as connection:
        connection.greet()
        yield connection


def _greeted(url: str) -> PolicyConnection:
    connection = PolicyConnection(url, 5.0, 5.0)
    connection.greet()
    return connection


def _echo(count: int, request: Mapping[str, Any]) -> dict[str, Any]:
    return {"count": count, "x": request["x"]}


def test_the_greeting_is_kept_and_requests_are_answered_in_turn() -> None:
    with _connected(FakeServer(_echo, greeting={"env": "LIBERO"})) as connection:
        assert connection.metadata == {"env": "LIBERO"}
        assert connection.ask({"x": "a"}) == {"count": 1, "x": "a"}
        assert connection.ask({"x": "b"}) == {"count": 2, "x": "b"}


def test_no_message_shows_a_password() -> None:
    with pytest.raises(PolicyServerError, match=r"answers at ws://127\.0\.0\.1:9: ") as caught:
        PolicyConnection("ws://me:secret@127.0.0.1:9", 5.0, 5.0)
    assert "secret" not in str(caught.value)
    with FakeServer(lambda *_: [1]) as server:
        url = server.url.replace("://", "://me:secret@")
        with (
            closing(_greeted(url)) as connection,
            pytest.raises(PolicyServerError, match=r"policy server at ws://[^@]+ sent"),
        ):
            connection.ask({})


def test_a_traceback_is_shown_with_its_last_line_first() -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of memory")

    with _connected(FakeServer(fail)) as connection:
        message = r"failed: RuntimeError: out of memory\nTraceback \(most recent call last\)"
        with pytest.raises(PolicyServerError, match=message):
            connection.ask({})
        assert not connection.is_open


def test_a_server_that_goes_away_is_noticed() -> None:
    with _connected(FakeServer(lambda *_: None)) as connection:
        with pytest.raises(PolicyServerError, match=r"closed the connection: received 1001"):
            connection.ask({})
        with pytest.raises(PolicyServerError, match=r"closed the connection"):
            connection.ask({})


@pytest.mark.parametrize(
    ("reply", "message"),
    [(b"<html>", "is not the protocol's msgpack"), ([1, 2], "sent a list, not a map")],
)
def test_a_reply_that_cannot_be_read_is_refused(reply: Any, message: str) -> None:
    with (
        _connected(FakeServer(lambda *_: reply)) as connection,
        pytest.raises(PolicyServerError, match=message),
    ):
        connection.ask({})


def test_only_the_first_reply_may_take_long() -> None:
    def slow(count: int, request: Mapping[str, Any]) -> dict[str, Any]:
        time.sleep(0.4)
        return {"count": count}

    with _connected(FakeServer(slow), first_timeout_s=5.0, timeout_s=0.1) as connection:
        assert connection.ask({}) == {"count": 1}
        with pytest.raises(PolicyServerError, match=r"did not answer within 0\.1 s"):
            connection.ask({})
        assert not connection.is_open


def test_a_blocked_server_is_not_mistaken_for_a_dead_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def eager(*args: Any, **options: Any) -> Any:
        """Connect with pings far more frequent than the library's, where none are asked for."""
        return real(*args, **{"ping_interval": 0.05, "ping_timeout": 0.05, **options})

    def blocking(*_: object) -> dict[str, Any]:
        time.sleep(0.5)
        return {"done": True}

    real = connection_module.connect
    monkeypatch.setattr(connection_module, "connect", eager)
    with _connected(FakeServer(blocking)) as connection:
        assert connection.ask({}) == {"done": True}


def test_a_servers_own_keepalive_is_answered_while_the_simulator_runs() -> None:
    server = FakeServer(lambda *_: {"done": True}, ping_interval=0.05, ping_timeout=0.1)
    with _connected(server) as connection:
        time.sleep(0.4)
        assert connection.ask({}) == {"done": True}


def test_replies_have_no_size_limit() -> None:
    with _connected(FakeServer(lambda *_: {"blob": bytes(3 << 20)})) as connection:
        assert len(connection.ask({})["blob"]) == 3 << 20


def test_an_address_where_nobody_listens_is_told_at_once() -> None:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begin = time.monotonic()
    with pytest.raises(PolicyServerError, match=rf"No policy server answers at ws://.*:{port}: "):
        PolicyConnection(f"ws://127.0.0.1:{port}", 300, 60)
    assert time.monotonic() - begin < 2


@contextmanager
def _listener(greeting: bytes) -> Iterator[str]:
    """Something that listens, says `greeting` to the first caller and hangs up."""

    def serve_one() -> None:
        caller, _ = listening.accept()
        with caller:
            caller.recv(4096)
            caller.sendall(greeting)

    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        thread = threading.Thread(target=serve_one, daemon=True)
        thread.start()
        yield f"ws://127.0.0.1:{listening.getsockname()[1]}"
        thread.join(5)


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0\r\n", b"HTTP/1.1 404 Not Found\r\n\r\n"])
def test_something_else_at_that_address_is_told(greeting: bytes) -> None:
    with _listener(greeting) as url, pytest.raises(PolicyServerError, match="No policy server"):
        PolicyConnection(url, 5, 5)


def test_a_server_that_accepts_and_says_nothing_is_given_up() -> None:
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as silent,
        pytest.raises(PolicyServerError, match="No policy server answers"),
    ):
        PolicyConnection(f"ws://127.0.0.1:{silent.getsockname()[1]}", 5, 0.2)


def test_a_greeting_in_another_language_is_refused() -> None:
    with (
        FakeServer(_echo, greeting=b"hello") as server,
        pytest.raises(PolicyServerError, match="not the protocol's msgpack"),
    ):
        PolicyConnection(server.url, 5, 5).greet()
