"""A server on the loopback address for tests: each request is handed to a function, and what it returns is sent."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Request:
    """What came: `path` with the query, `headers` by their names in lower case, `body` as bytes."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    """What is sent: bytes and text as they are, the rest as JSON; the fault "reset" ends in the middle of it."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    fault: str = ""

    @property
    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


class Loopback:
    """A server that is up from the first moment until `close`; requests are answered at the same time."""

    def __init__(self, answer: Callable[[Request], Reply]) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = answer(Request(self.path, headers, body))
                self.send_response(reply.status)
                for name, value in {"content-type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(reply.content)))
                self.end_headers()
                is_cut = reply.fault == "reset"
                self.wfile.write(reply.content[: len(reply.content) // 2] if is_cut else reply.content)
                self.close_connection = self.close_connection or is_cut

            do_POST = do_GET  # noqa: N815

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self._http = Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop, if that was not done before."""
        if self._thread.is_alive():
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()


def plain_model(url: str, **changed: Any) -> dict[str, Any]:
    """Return the fields of a model at the server `url`, as a rule hands them to the step that asks."""
    model = {
        "name": "some-model",
        "id": "openai/some-model",
        "endpoint": {"kind": "url", "url": url},
        "sampling": {"temperature": 0.7, "top_p": 0.95, "max_tokens": 40},
        "without": [],
        "subset": None,
        "concurrency": 4,
        "timeout": 20,
        "attempts": 2,
        "threads": 1,
        "batch": False,
    }
    return model | changed


def completion(text: str, model: str = "snapshot", **usage: int) -> Reply:
    """Return a chat completion that says `text`."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    counted = {"usage": usage} if usage else {}
    return Reply({"id": "1", "object": "chat.completion", "created": 0, "model": model, "choices": [choice], **counted})


def failure(status: int, message: str = "It did not work.") -> Reply:
    """Return the error of a chat service."""
    return Reply({"error": {"message": message, "type": "x", "param": None, "code": None}}, status)
