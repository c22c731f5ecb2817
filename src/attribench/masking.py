"""Keeps the keys of services out of whatever is printed or kept, in whatever form a service repeats them."""

import base64
import html
import logging
import os
import re
from functools import cache, lru_cache
from urllib.parse import unquote

SHORTEST = 8
"""Least number of characters of a value that is taken for a key: shorter ones are words such as "none"."""

_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|LOGIN)(_|$)", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"://(?:[^/@\s:]*:([^/@\s]+)|([^/@\s:]{20,}))@")


def without_secrets(message: str) -> str:
    """Return `message` without any key of the environment: some services repeat the one they were sent.

    A key is the value of a variable whose name has KEY, TOKEN, SECRET, PASSWORD, PASSWD or LOGIN as the end of a
    word, and in an address the password, or a token of 20
    characters or more (``https://user:password@proxy``, ``https://token@host``). In its place stands the name of the
    variable. It is found as it is, in the escapes of URLs, JSON, Python and HTML, and in base64, also behind a login.
    """
    for name, part, form in _forms(tuple(_secrets())):
        if part in message:
            message = form.sub(f"({name})", message)
    return message


class WithoutSecrets(logging.Formatter):
    """Formats a record as it would be, tracebacks included, but without keys."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line or lines of `record`."""
        return without_secrets(super().format(record))


def _secrets() -> list[tuple[str, str]]:
    """Return the name of each variable of the environment that holds a key, and the key."""
    found = []
    for name, value in os.environ.items():
        if _names_a_key(name):
            found.append((name, value.strip()))
        if "@" in value:
            words = ["".join(either) for either in _IN_ADDRESS.findall(value)]
            found += [(name, form) for word in words for form in (word, unquote(word))]
    return [(name, secret) for name, secret in found if len(secret) >= SHORTEST]


@cache
def _names_a_key(variable: str) -> bool:
    return _NAME.search(variable) is not None


@lru_cache(maxsize=8)
def _forms(secrets: tuple[tuple[str, str], ...]) -> list[tuple[str, str, re.Pattern[str]]]:
    """Return each form of each secret: the variable's name, a part that no escape changes, and the pattern."""
    longest_first = sorted(secrets, key=lambda secret: -len(secret[1]))
    return [
        (name, max(re.findall("[A-Za-z0-9]*", text), key=len), re.compile(pattern))
        for name, secret in longest_first
        for text, pattern in [(secret, "".join(map(_character, secret))), *_base64(secret)]
    ]


def _character(character: str) -> str:
    """Return the pattern of a character as it is, and escaped."""
    if character.isascii() and character.isalnum():
        return character
    units = character.encode("utf-16-be").hex()
    forms = [
        re.escape(character),
        *([r"\+"] if character == " " else []),
        "".join(f"%(?:25)*{byte:02x}" for byte in character.encode()),
        "".join(rf"\\+u{units[place : place + 4]}" for place in range(0, len(units), 4)),
        re.escape(html.escape(character)),
        f"&#(?:0*{ord(character)}|x0*{ord(character):x});",
    ]
    return rf"(?i:\\*(?:{'|'.join(dict.fromkeys(forms))}))"


def _base64(secret: str) -> list[tuple[str, str]]:
    """Return a secret in base64, by the place of its first byte among three, with a pattern that takes what follows."""
    data = secret.encode()
    found = []
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + data).decode()
        text = encoded[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]  # what no neighbour has a bit of
        pattern = text.replace("+", r"(?:[+-]|%2B)").replace("/", r"(?:\\?/|_|%2F)")
        found.append((text, pattern + r"(?:[A-Za-z0-9+_-]|\\?/|%2[BF])*(?:=|%3D)*"))
    return found
