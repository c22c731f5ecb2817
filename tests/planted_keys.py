"""Keys that tests plant, the forms in which a service may repeat them, and where they are found again."""

import base64
import html
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote, quote_plus

import pandas as pd


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
