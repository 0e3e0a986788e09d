"""A local server with the chat interface that model servers share, which answers as it is told."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Reply:
    """One answer: its text, why it ends, and what may go wrong on the way."""

    text: str = ""
    finish: str = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    garbage: bool = False


@dataclass
class Server:
    """Where it listens, and what it was asked, with the time of each request [s]."""

    url: str
    asked: list[dict] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def prompt(self, number: int) -> str:
        """The text of a request."""
        content = self.asked[number]["messages"][-1]["content"]
        return content if isinstance(content, str) else content[0]["text"]


@contextmanager
def serve(replies: Sequence[Reply]) -> Iterator[Server]:
    """Serve replies in turn, the last one for ever."""
    found = Server("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            reply = replies[min(len(found.asked), len(replies) - 1)]
            found.asked.append(json.loads(body))
            found.times.append(time.monotonic())
            time.sleep(reply.wait)
            text = "<html>busy</html>" if reply.garbage else json.dumps(_completion(reply))
            try:
                self.send_response(reply.status)
                for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())
            except (BrokenPipeError, ConnectionResetError):
                return  # who asked has given up

        def log_message(self, *args: object) -> None:
            del args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()


def _completion(reply: Reply) -> dict:
    if reply.status != 200:
        return {"error": {"message": "not now", "type": "x", "code": "x"}}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "small",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": reply.text},
                "finish_reason": reply.finish,
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
