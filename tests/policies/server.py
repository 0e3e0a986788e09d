"""A policy server for tests: speaks openpi's protocol with an encoder of its own."""

import asyncio
import threading
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import msgpack
import numpy as np
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

Answer = Callable[[int, Mapping[str, Any]], Any]
"""(number of the request from 1, request) -> what the server does; see `FakeServer`."""


class FakeServer:
    """Serves on its own thread and keeps every request.

    What `answer` returns is sent: a map as msgpack, bytes as they are, None closes without a
    word. A RuntimeError is sent as a traceback before closing with 1011, as openpi does. If it
    sleeps, the server's event loop is blocked, as openpi's is while it infers.
    """

    def __init__(self, answer: Answer, greeting: Any = None, port: int = 0, **options: Any) -> None:
        self.requests: list[dict[str, Any]] = []
        self.connections = 0
        self.port = port
        self._answer = answer
        self._greeting = {"env": "LIBERO"} if greeting is None else greeting
        self._options = options
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def __enter__(self) -> "FakeServer":
        self._thread.start()
        assert self._started.wait(5)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        options = {"compression": None, "max_size": None, "close_timeout": 0.2, **self._options}
        async with serve(self._talk, "127.0.0.1", self.port, **options) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self._started.set()
            await self._stop.wait()

    async def _talk(self, socket: ServerConnection) -> None:
        self.connections += 1
        await socket.send(_as_frame(self._greeting))
        try:
            async for frame in socket:
                self.requests.append(msgpack.unpackb(frame, object_hook=_decode))
                reply = self._reply()
                if isinstance(reply, str):
                    await socket.send(reply)
                    await socket.close(1011)
                elif reply is None:
                    await socket.close(1001)
                else:
                    await socket.send(_as_frame(reply))
        except ConnectionClosed:
            pass

    def _reply(self) -> Any:
        try:
            return self._answer(len(self.requests), self.requests[-1])
        except RuntimeError:
            return traceback.format_exc()


def steps(count: int, dx: float = 0.0, gripper: float = -1.0) -> dict[str, Any]:
    """Return a reply of `count` actions that move along x; float32, as models answer."""
    actions = np.zeros((count, 7), dtype=np.float32)
    actions[:, 0] = dx
    actions[:, 6] = gripper
    return {"actions": actions, "server_timing": {"infer_ms": np.float32(1.5)}}


def _as_frame(message: Any) -> bytes:
    return message if isinstance(message, bytes) else msgpack.packb(message, default=_encode)


def _encode(value: Any) -> dict[bytes, Any]:
    if isinstance(value, np.generic):
        return {b"__npgeneric__": True, b"data": value.item(), b"dtype": value.dtype.str}
    return {
        b"__ndarray__": True,
        b"shape": value.shape,
        b"dtype": value.dtype.str,
        b"data": value.tobytes(),
    }


def _decode(item: dict[Any, Any]) -> Any:
    if b"__ndarray__" in item:
        return np.frombuffer(item[b"data"], item[b"dtype"]).reshape(item[b"shape"])
    return item
