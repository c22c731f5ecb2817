"""Step: fetch the files that the configuration lists under `downloads` from their public homes.

A file that is already there stays as it is: it may be the user's own. The files are no declared
outputs of the rule, since Snakemake would delete them when the rule fails or runs again.
"""

import errno
import gzip
import hashlib
import itertools
import logging
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from attribench.errors import AttribenchError, ConfigError, EndpointError, InputError
from attribench.step import run, screen

logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs every address, with what may be a key in it

_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20
_WEB_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.S)
_HINTS = {
    401: "It wants an account: fetch the file by hand",
    403: "It refuses access, perhaps without an account: fetch the file by hand",
    404: "There is nothing at this address: look up where the file has moved to, and correct the address",
    410: "There is nothing at this address any more: look up where the file has moved to, and correct the address",
    429: "It wants fewer requests: try again later",
}


def main(*, downloads: Mapping[str, Mapping[str, Any]], timeout: float = 60.0) -> None:
    """Fetch each file that is not there yet.

    Args:
        downloads: by name, the `url`, the `path` where the file goes, and its `sha256` or None.
        timeout: the longest wait for the next piece of a file, in seconds.

    Raises:
        ConfigError: nothing is listed.
        EndpointError: a server cannot be reached, refuses, or answers with a web page.
        InputError: a file is not the one that the checksum stands for.
        AttribenchError: the disk is full.
    """
    if not downloads:
        raise ConfigError(
            "There is nothing to fetch: 'downloads' in the configuration is empty. List there, by name, the 'url' and "
            "the 'path' of each file (config.rebuild.yaml has an example), or put the files in place by hand."
        )
    for name, entry in downloads.items():
        path, expected = Path(entry["path"]), entry.get("sha256")
        if path.exists():
            _require_same(path, expected, name)
            print(f"{name}: {path} is there already, nothing is fetched.", file=screen(), flush=True)
        else:
            print(f"{name}: fetching {shown(entry['url'])}", file=screen(), flush=True)
            size, found = fetch(entry["url"], path, sha256=expected, timeout=timeout)
            print(f"{name}: {path}, {size:,} bytes fetched, sha256 {found}.", file=screen(), flush=True)


def shown(url: str) -> str:
    """Return an address as it may be printed: a query can hold a key."""
    place, mark, _ = url.partition("?")
    return place + ("?..." if mark else "")


def fetch(url: str, path: Path, *, sha256: str | None, timeout: float) -> tuple[int, str]:
    """Fetch `url` to `path`, which appears whole or not at all; return the bytes fetched and their sha256.

    What comes unpacked is packed if the name of `path` ends in ``.gz``. The checksum is that of
    the bytes that came.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    seen, size = hashlib.sha256(), 0
    try:
        with _answered(url, path, timeout) as pieces, aside.open("wb") as file:
            first = next(pieces, b"")
            if _WEB_PAGE.match(first):
                raise _no_file(url, path)
            packs = path.suffix == ".gz" and not first.startswith(_GZIP)
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) if packs else file as target:
                for piece in itertools.chain([first], pieces):
                    seen.update(piece)
                    size += len(piece)
                    target.write(piece)
        if not size:
            raise EndpointError(
                f"{shown(url)} answered with an empty file. Try again, or look up where the file has moved to."
            )
        found = seen.hexdigest()
        if sha256 and found != sha256:
            raise InputError(
                f"What {shown(url)} sent has the sha256 {found}, but {sha256} was expected, so it is not used. It was "
                "changed or damaged on its way: try again, and correct 'downloads' only if you know why it is "
                "another one."
            )
        aside.replace(path)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        raise AttribenchError(
            f"There is no room for {path}: after {size:,} bytes, {error.strerror}. Make room on the disk, or let "
            "'path' point to another one, then start again."
        ) from error
    finally:
        aside.unlink(missing_ok=True)
    return size, found


@contextmanager
def _answered(url: str, path: Path, timeout: float) -> Iterator[Iterator[bytes]]:
    """Yield the pieces of what `url` answers; every failure of the network ends in one sentence."""
    by_hand = f"or fetch the file by hand and put it at {path}"
    try:
        # No compression on the way, so that what comes is the file as it is kept there.
        headers = {"User-Agent": "attribench", "Accept-Encoding": "identity"}
        with (
            httpx.Client(follow_redirects=True, timeout=timeout, headers=headers) as client,
            client.stream("GET", url) as response,
        ):
            if response.status_code != httpx.codes.OK:
                hint = _HINTS.get(response.status_code, "Try again later")
                raise EndpointError(
                    f"{shown(url)} answered {response.status_code} {response.reason_phrase}. {hint}, "
                    + (f"and put it at {path}." if "by hand" in hint else f"{by_hand}.")
                )
            if response.headers.get("content-type", "").startswith(("text/html", "application/xhtml")):
                raise _no_file(url, path)
            yield response.iter_bytes(_CHUNK)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        what = str(error).replace(url, shown(url)) or type(error).__name__
        raise EndpointError(
            f"{shown(url)} could not be fetched: {what}. Check the network and the address, {by_hand}."
        ) from error


def _no_file(url: str, path: Path) -> EndpointError:
    return EndpointError(
        f"{shown(url)} answered with a web page instead of a file: perhaps it wants an account, or a licence accepted "
        f"first. Open it in a browser, save the file, and put it at {path}."
    )


def _require_same(path: Path, expected: str | None, name: str) -> None:
    """Raise InputError unless `path`, as it is or unpacked, has the expected sha256, if one is given."""
    if expected is None:
        return
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        is_packed = file.read(2) == _GZIP
    if found != expected and is_packed:
        try:
            with gzip.open(path) as unpacked:
                inside = hashlib.file_digest(unpacked, "sha256").hexdigest()
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                f"{path} is a broken gzip file ({error}). Delete it, then fetch '{name}' again."
            ) from error
        found = inside if inside == expected else found
    if found != expected:
        raise InputError(
            f"{path} is there already with the sha256 {found}, but 'downloads.{name}' expects {expected}. It is left "
            "as it is: move it away to have it fetched, or set 'sha256' to null to use it."
        )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
