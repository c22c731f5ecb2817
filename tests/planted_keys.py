"""Keys that tests plant, the forms in which a service may repeat them, and where they are found again."""

import base64
import html
import json
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote, quote_plus

import pandas as pd
from loopback import Loopback, Reply, Request

HEADERS = ("authorization", "x-api-key", "x-goog-api-key")


def forms(key: str, login: str = "") -> list[str]:
    """Return a key as it is and escaped, and in base64 alone and as the password of `login`."""
    in_base64 = [
        encode(text.encode()).decode()
        for text in (key, f"{login}:{key}", f"{key}:")
        for encode in (base64.b64encode, base64.urlsafe_b64encode)
    ]
    in_json = json.dumps(key)[1:-1]
    escaped = [quote(key, safe=""), quote_plus(key), in_json, json.dumps(in_json)[1:-1], html.escape(key), repr(key)]
    return list(dict.fromkeys([key, *escaped, *in_base64]))


def holding(folder: Path, screen: str, secrets: Iterable[str]) -> list[str]:
    """Return where a secret stands: on the screen, or in a file of `folder`, hidden, Parquet and SQLite included."""
    secrets = list(secrets)
    found = ["the screen"] if any(secret in screen for secret in secrets) else []
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            content = file.read_bytes()
            if file.suffix == ".parquet":
                content += pd.read_parquet(file).to_csv().encode()
            if content.startswith(b"SQLite format 3"):
                with closing(sqlite3.connect(file)) as database:  # long texts are in pieces in the file
                    content += "\n".join(database.iterdump()).encode()
            found += [str(file) for secret in secrets if secret.encode() in content]
    return found


class Processes:
    """What was seen of the command lines of all processes: which marks stood in any, and which secrets."""

    def __init__(self, secrets: Iterable[str], marks: Iterable[str]) -> None:
        self._secrets, self._marks = [list(map(str.encode, words)) for words in (secrets, marks)]
        self._seen: set[bytes] = set()
        self.marks: set[str] = set()
        self.showing: set[str] = set()

    def look(self) -> None:
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = process.read_bytes()
            except OSError:  # it has ended
                continue
            if line in self._seen:
                continue
            self._seen.add(line)
            self.marks |= {mark.decode() for mark in self._marks if mark in line}
            if any(secret in line for secret in self._secrets):
                self.showing.add(line.decode(errors="replace"))


class Echo(Loopback):
    """Speaks as Anthropic, Google and OpenAI do; repeats what it was sent in its headers, and forgets nothing."""

    def __init__(self) -> None:
        self.keys: dict[str, set[str]] = defaultdict(set)
        self.lock = threading.Lock()
        super().__init__(self._answer)

    def _answer(self, request: Request) -> Reply:
        key = next(request.headers[name] for name in HEADERS if name in request.headers).removeprefix("Bearer ")
        said = f"It was {' or '.join(forms(key, login='someone'))}."
        model = "gemini" if "gemini" in request.path else request.json["model"]
        with self.lock:
            is_first = not self.keys[model]
            self.keys[model].add(key)
        if model == "refused" or is_first:
            status = 401 if model == "refused" else 500
            return Reply({"error": {"message": said, "type": "x", "code": status, "status": "INTERNAL"}}, status)
        if model == "gemini":
            part = {"content": {"parts": [{"text": said}], "role": "model"}, "finishReason": "STOP", "index": 0}
            return Reply({"candidates": [part], "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1}})
        if "/messages" in request.path:
            content = [{"type": "text", "text": said}]
            usage = {"input_tokens": 1, "output_tokens": 1}
            about = {"id": "1", "type": "message", "role": "assistant", "stop_reason": "end_turn", "usage": usage}
            return Reply({**about, "model": model, "content": content})
        message = {"role": "assistant", "content": said}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return Reply({"id": "1", "object": "chat.completion", "created": 0, "model": model, "choices": [choice]})


@contextmanager
def watched_processes(secrets: Iterable[str], marks: Iterable[str]) -> Iterator[Processes]:
    """Look at the command lines of all processes, again and again until the block ends."""
    processes, over = Processes(secrets, marks), threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            processes.look()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield processes
    finally:
        over.set()
        thread.join()
