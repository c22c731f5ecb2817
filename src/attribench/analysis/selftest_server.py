"""A loopback chat server that gives the answers of a plan, and that can have an outage."""

import json
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Question = tuple[str, str, bool]
"""The text of a quote, the prompt, and whether there is evidence."""


def frames_of(prompts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what stands before and after the quote in each prompt."""
    return {name: text.split("{quote}") for name, text in prompts.items()}


def question_in(content: str, frames: Mapping[str, list[str]], evidence: str) -> Question:
    """Return the question behind the text of a user's message.

    Args:
        content: the text.
        frames: see `frames_of`.
        evidence: how the evidence begins.

    Raises:
        LookupError: no prompt begins like this.
    """
    before, found, _ = content.partition(evidence)
    for prompt, (start, end) in frames.items():
        if before.startswith(start) and before.endswith(end):
            return before[len(start) : len(before) - len(end)], prompt, bool(found)
    raise LookupError(f"No prompt of the set begins like this: {content[:100]}")


class PlannedChat(ThreadingHTTPServer):
    """The server.

    Attributes:
        is_out: whether there is an outage.
        answered: how often each question was answered.
        refused: how often a question met the outage.
    """

    daemon_threads = True
    request_queue_size = 256

    def __init__(
        self, plan: Mapping[Question, str], prompts: Mapping[str, str], lost: Iterable[Question], evidence: str
    ) -> None:
        """Listen on a free port of this machine.

        Args:
            plan: the answer to each question.
            prompts: the prompts of the prompt set by name, with ``{quote}``.
            lost: the questions that are not answered during an outage.
            evidence: how the evidence begins.
        """
        super().__init__(("127.0.0.1", 0), _Handler)
        self.plan, self.lost, self.evidence = plan, frozenset(lost), evidence
        self.frames = frames_of(prompts)
        self.is_out = False
        self.answered: Counter[Question] = Counter()
        self.refused = 0
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """The address for the configuration."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def question(self, content: str) -> Question:
        """Return the question behind the text of a user's message."""
        return question_in(content, self.frames, self.evidence)

    def answer(self, question: Question) -> str | None:
        """Return the planned answer, or nothing during an outage; count what was asked."""
        with self.lock:
            if self.is_out and question in self.lost:
                self.refused += 1
                return None
            self.answered[question] += 1
            return self.plan[question]


class _Handler(BaseHTTPRequestHandler):
    server: PlannedChat
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = self.server.answer(self.server.question(body["messages"][-1]["content"]))
        if text is None:
            self._reply(503, {"error": {"message": "an outage", "type": "server_error"}})
            return
        message = {"role": "assistant", "content": text}
        self._reply(
            200,
            {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            },
        )

    def _reply(self, status: int, body: Mapping[str, object]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(chat: PlannedChat) -> Iterator[PlannedChat]:
    """Serve `chat` from a thread of its own until the end of the block."""
    thread = threading.Thread(target=chat.serve_forever, daemon=True)
    thread.start()
    try:
        yield chat
    finally:
        chat.shutdown()
        chat.server_close()
        thread.join()
