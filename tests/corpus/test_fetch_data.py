"""Files are fetched whole, checked, and put where no file was before; every failure is one sentence."""

import gzip
import hashlib
import os
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from attribench.corpus.fetch_data import main
from attribench.corpus_file import read_corpus
from attribench.errors import AttribenchError, ConfigError, EndpointError, InputError

CSV = b"quote,author,category\r\n" + b"This is a quote of some length,Ann Petry,life\r\n" * 60_000
Reply = tuple[int, dict[str, str], bytes]


class Site:
    """A web site on the loopback address: `pages` holds a reply for each path, `seen` the requests."""

    def __init__(self) -> None:
        self.pages: dict[str, Reply] = {}
        self.seen: list[tuple[str, dict[str, str]]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.seen.append((self.path, dict(self.headers)))
                status, headers, body = site.pages.get(self.path, (404, {}, b"nothing here"))
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(body))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    running = Site()
    running.pages["/corpus.csv"] = (200, {"Content-Type": "text/csv"}, CSV)
    yield running
    running.close()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def entry(site: Site, path: Path, page: str = "/corpus.csv", checksum: str | None = None) -> dict[str, dict[str, Any]]:
    return {"corpus": {"url": site.url + page, "path": str(path), "sha256": checksum}}


def refusal(site: Site, path: Path, error: type[AttribenchError], page: str = "/corpus.csv", **options: Any) -> str:
    """Return what is said when the file cannot be had; nothing may be left behind."""
    with pytest.raises(error) as caught:
        main(downloads=entry(site, path, page, **options))
    assert not path.exists()
    assert not [left for left in path.parent.iterdir() if left.is_file()]
    return str(caught.value)


@pytest.mark.parametrize("checksum", [None, sha256(CSV)])
def test_the_file_is_there_and_nothing_else(site: Site, tmp_path: Path, checksum: str | None) -> None:
    path = tmp_path / "data" / "corpus.csv"
    main(downloads=entry(site, path, checksum=checksum))
    assert path.read_bytes() == CSV
    assert list(path.parent.iterdir()) == [path]


def test_several_files(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages["/universe.csv"] = (200, {}, b"author_clean,race\n")
    both = entry(site, tmp_path / "corpus.csv")
    both["universe"] = {"url": f"{site.url}/universe.csv", "path": str(tmp_path / "universe.csv"), "sha256": None}
    main(downloads=both)
    assert (tmp_path / "corpus.csv").read_bytes() == CSV
    assert (tmp_path / "universe.csv").read_bytes() == b"author_clean,race\n"
    said = capsys.readouterr().err
    assert f"universe: fetching {site.url}/universe.csv\n" in said
    assert f"{len(CSV):,} bytes fetched, sha256 {sha256(CSV)}." in said


def test_plain_text_is_packed_for_a_name_in_gz(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv.gz"
    main(downloads=entry(site, path, checksum=sha256(CSV)))
    assert gzip.decompress(path.read_bytes()) == CSV
    first = path.read_bytes()
    assert len(read_corpus(path)) == 60_000
    # It counts as the same file from then on.
    main(downloads=entry(site, path, checksum=sha256(CSV)))
    path.unlink()
    main(downloads=entry(site, path))
    assert path.read_bytes() == first


@pytest.mark.parametrize("headers", [{}, {"Content-Encoding": "gzip"}])
def test_what_is_packed_is_not_packed_twice(site: Site, tmp_path: Path, headers: dict[str, str]) -> None:
    site.pages["/corpus.csv.gz"] = (200, headers, gzip.compress(CSV))
    path = tmp_path / "corpus.csv.gz"
    main(downloads=entry(site, path, "/corpus.csv.gz"))
    assert gzip.decompress(path.read_bytes()) == CSV
    assert site.seen[0][1]["Accept-Encoding"] == "identity"


def test_a_file_that_moved_is_followed(site: Site, tmp_path: Path) -> None:
    site.pages["/old"] = (302, {"Location": "/corpus.csv"}, b"")
    main(downloads=entry(site, tmp_path / "corpus.csv", "/old"))
    assert (tmp_path / "corpus.csv").read_bytes() == CSV


def test_a_file_that_is_there_stays(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "corpus.csv"
    path.write_bytes(b"my own")
    main(downloads=entry(site, path))
    main(downloads=entry(site, path, checksum=sha256(b"my own")))
    assert path.read_bytes() == b"my own"
    assert site.seen == []
    assert "is there already, nothing is fetched" in capsys.readouterr().err


def test_another_file_in_its_place_is_reported_and_stays(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_bytes(b"my own")
    with pytest.raises(InputError, match=r"corpus\.csv is there already with the sha256 .* It is left as it is"):
        main(downloads=entry(site, path, checksum=sha256(CSV)))
    assert path.read_bytes() == b"my own"
    path.write_bytes(gzip.compress(CSV)[:-20])
    with pytest.raises(InputError, match="is a broken gzip file"):
        main(downloads=entry(site, path, checksum=sha256(CSV)))


def test_another_checksum(site: Site, tmp_path: Path) -> None:
    said = refusal(site, tmp_path / "corpus.csv", InputError, checksum="0" * 64)
    assert f"has the sha256 {sha256(CSV)}, but {'0' * 64} was expected, so it is not used" in said


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (401, "It wants an account: fetch the file by hand, and put it at"),
        (403, "It refuses access"),
        (404, "There is nothing at this address"),
        (429, "It wants fewer requests"),
        (503, "Try again later, or fetch the file by hand"),
    ],
)
def test_refusals_are_explained(site: Site, tmp_path: Path, status: int, hint: str) -> None:
    site.pages["/page"] = (status, {}, b"no")
    path = tmp_path / "corpus.csv"
    said = refusal(site, path, EndpointError, "/page")
    assert said.startswith(f"{site.url}/page answered {status} ")
    assert hint in said
    assert str(path) in said


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Type": "text/html; charset=utf-8"}, b"Please log in."),
        ({"Content-Type": "application/octet-stream"}, b"\xef\xbb\xbf\n<!DOCTYPE html><title>Log in</title>"),
        ({}, b"<!-- page --> <HTML lang=en>Accept the licence"),
    ],
)
@pytest.mark.parametrize("name", ["corpus.csv", "corpus.csv.gz"])
def test_a_web_page_is_not_the_file(
    site: Site, tmp_path: Path, headers: dict[str, str], body: bytes, name: str
) -> None:
    site.pages["/page"] = (200, headers, body)
    said = refusal(site, tmp_path / name, EndpointError, "/page")
    assert "answered with a web page instead of a file: perhaps it wants an account" in said


@pytest.mark.parametrize("page", ["/corpus.csv", "/nowhere", "/empty", "/ring", "/other"])
def test_a_key_in_the_address_is_sent_and_shown_nowhere(
    site: Site, tmp_path: Path, page: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    asked = f"{page}?download=true&token=planted-key"
    site.pages[asked] = site.pages.get(page, (404, {}, b""))
    site.pages[f"/empty{asked[len(page) :]}"] = (200, {}, b"")
    site.pages[f"/ring{asked[len(page) :]}"] = (302, {"Location": f"/ring{asked[len(page) :]}"}, b"")
    caplog.set_level("INFO")
    checksum = "0" * 64 if page == "/other" else None
    site.pages[f"/other{asked[len(page) :]}"] = (200, {}, CSV)
    said = ""
    try:
        main(downloads=entry(site, tmp_path / "corpus.csv", asked, checksum))
    except AttribenchError as error:
        said = f"{error} {error.__cause__}"
    assert site.seen[0][0] == asked
    assert (said == "") == (page == "/corpus.csv")
    assert "planted-key" not in said + caplog.text + "".join(capsys.readouterr())


def test_an_empty_answer(site: Site, tmp_path: Path) -> None:
    site.pages["/page"] = (200, {}, b"")
    assert "answered with an empty file" in refusal(site, tmp_path / "corpus.csv.gz", EndpointError, "/page")


def test_an_answer_that_breaks_off(site: Site, tmp_path: Path) -> None:
    site.pages["/page"] = (200, {"Content-Length": str(len(CSV) + 1)}, CSV)
    assert "could not be fetched" in refusal(site, tmp_path / "corpus.csv", EndpointError, "/page")


def test_a_ring_of_addresses(site: Site, tmp_path: Path) -> None:
    site.pages["/page"] = (302, {"Location": "/page"}, b"")
    assert "could not be fetched" in refusal(site, tmp_path / "corpus.csv", EndpointError, "/page")


def test_nobody_answers(site: Site, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = tmp_path / "corpus.csv"
    with pytest.raises(EndpointError, match=r"could not be fetched: .* Check the network and the address, or fetch"):
        main(downloads={"corpus": {"url": f"http://127.0.0.1:{port}/", "path": str(path), "sha256": None}})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("name", ["corpus.csv", "corpus.csv.gz"])
def test_a_full_disk(site: Site, tmp_path: Path, name: str) -> None:
    (tmp_path / f".{name}.{os.getpid()}").symlink_to("/dev/full")
    said = refusal(site, tmp_path / name, AttribenchError)
    assert said.startswith(f"There is no room for {tmp_path / name}: after ")
    assert "No space left on device. Make room on the disk" in said
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_fetch() -> None:
    with pytest.raises(ConfigError, match="'downloads' in the configuration is empty"):
        main(downloads={})
