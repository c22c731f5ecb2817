"""What Wikimedia asks of a program that reads Wikidata: who runs it, and patience when told to wait.

The User-Agent names the tool and a way to reach whoever runs it (Wikimedia's User-Agent policy).
A service that says "not now" means every caller, not only the one that heard it.
"""

import asyncio
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version

from attribench.errors import ConfigError

_CONTACT = re.compile(r"[^@\s()]+@[^@\s()]+\.[^@\s()]+|https?://[^\s()]+\.[^\s()]+|User:[^\s()]+")
_NOBODY = re.compile(r"(?:@|//)(?:[\w-]+\.)*(?:example\.(?:com|org|net)|invalid|localhost)\b", re.IGNORECASE)
LAG_PAUSE = 5.0
"""What to wait when Wikidata is behind and names no time, in seconds."""


def user_agent(contact: str | None) -> str:
    """Return the User-Agent for a person or page that `contact` names.

    Raises:
        ConfigError: there is no contact, or it is no e-mail address, web page or wiki user.
    """
    given = (contact or "").strip()
    if not _CONTACT.fullmatch(given) or _NOBODY.search(given):
        raise ConfigError(
            "Wikidata is asked only by programs that say who runs them, but 'demographics.wikidata.contact' is "
            + (f"'{given}'" if given else "empty")
            + ". Set it to an e-mail address, a web page or a wiki user (User:Name) under which you can be "
            "reached; it is sent with every request."
        )
    try:
        number = version("attribench")
    except PackageNotFoundError:  # imported from its folder
        number = "dev"
    return f"attribench/{number} ({given})"


class Pauses:
    """The pauses that a service has asked for, kept by everybody who calls it."""

    def __init__(self) -> None:
        """Begin without a pause."""
        self._until = 0.0

    def hold(self, seconds: float | None) -> None:
        """Let nobody call for `seconds` from now."""
        self._until = max(self._until, time.monotonic() + (seconds or 0.0))

    async def over(self) -> None:
        """Return when no pause is left."""
        while (left := self._until - time.monotonic()) > 0:
            await asyncio.sleep(left)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a reply asks us to wait, given as seconds or as a date; None if it does not."""
    given = headers.get("retry-after", headers.get("Retry-After", "")).strip()
    try:
        return max(0.0, float(given))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(given)
    except (TypeError, ValueError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
