"""The server of published weights: what it says of a file, and the file's bytes from any position on. No torch.

Spoken over the HTTP client that huggingface_hub sets up, so that HF_ENDPOINT, HF_HUB_OFFLINE, proxies, certificates
and timeouts mean what they mean to every program that uses it. Its own ``hf_hub_download`` is not used: since 1.18 it
drops what has come when it is broken off, it cannot be broken off while a server is silent, and it does not check what
came over plain HTTP. Neither a token is sent, nor anything about this computer.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import gptstudio
from gptstudio.weights_io import hub_messages

HEADERS = {
    "User-Agent": f"gptstudio/{gptstudio.__version__}",
    "Accept-Encoding": "identity",  # or positions and sizes would be those of something compressed
}
REDIRECTS = 10
TRIES = 5
"""Number of attempts to continue a file without receiving anything new."""
PAUSE_S = 1.0
_COMMIT = re.compile("[0-9a-f]{40}")
_ETAG = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Remote:
    """A file as the server has it.

    Attributes:
        url: where to ask for its bytes.
        commit: the version of the repository that it belongs to.
        etag: of a large file its SHA-256; of a small one the name that git gives it, a SHA-1.
        size: bytes.
    """

    repository: str
    name: str
    url: str
    commit: str
    etag: str
    size: int


def client() -> Any:
    """An HTTP client, to be used in ``async with``.

    Raises:
        ExchangeError: the server's address, a proxy or a certificate is set to something that cannot be used.
    """
    import huggingface_hub

    try:
        _ = urlsplit(huggingface_hub.constants.ENDPOINT).port  # raises where it is no address
        return huggingface_hub.get_async_session()
    except Exception as error:  # every library on the way complains of its settings in its own way
        raise hub_messages.settings(error) from error


async def look_up(http: Any, repository: str, name: str, revision: str = "main") -> Remote:
    """Ask the server for a file's version, checksum and size.

    Raises:
        ExchangeError: it cannot be reached, does not give the file, or does not say these three.
    """
    from huggingface_hub import constants, hf_hub_url

    url = hf_hub_url(repository, name, revision=revision)
    with hub_messages.in_words():
        hops = [await http.head(url, headers=HEADERS, timeout=constants.HF_HUB_ETAG_TIMEOUT, follow_redirects=False)]
        # A renamed repository leads on. A storage, which knows only bytes, is not asked what they are.
        while (onward := hops[-1].next_request) and not all(_linked(hops)) and len(hops) <= REDIRECTS:
            hops.append(await http.send(onward, follow_redirects=False))
    last = hops[-1]
    if last.is_error:
        raise hub_messages.refused(last.status_code, repository)
    commit, etag, size = _linked(hops)
    etag, size = etag or last.headers.get("ETag", ""), size or last.headers.get("Content-Length", "")
    etag = etag.removeprefix("W/").strip('"')
    if not (_COMMIT.fullmatch(commit) and _ETAG.fullmatch(etag) and size.isdecimal()):
        raise hub_messages.no_hub(name)
    return Remote(repository, name, str(last.request.url), commit, etag, int(size))


def _linked(hops: list[Any]) -> tuple[str, str, str]:
    """Return version, checksum and size from the headers of the Hub's redirect to storage; empty if none."""
    from huggingface_hub import constants

    def said(header: str) -> str:
        return next((hop.headers[header] for hop in hops if header in hop.headers), "")

    return (
        said(constants.HUGGINGFACE_HEADER_X_REPO_COMMIT), said(constants.HUGGINGFACE_HEADER_X_LINKED_ETAG),
        said(constants.HUGGINGFACE_HEADER_X_LINKED_SIZE),
    )


async def download(http: Any, remote: Remote, partial: Path, progress: Callable[[int], None]) -> None:
    """Append to ``partial`` what it lacks, and ask for the rest again when the connection breaks.

    Args:
        progress: called with the bytes that are there.

    Raises:
        ExchangeError: the server is silent, refuses, or its file has another size than it said.
        OSError: ``partial`` cannot be written.
    """
    from huggingface_hub.errors import HTTPError  # that of httpx or httpx2, whichever this version stands on

    partial.touch()
    furthest, tries = partial.stat().st_size, TRIES
    while (have := partial.stat().st_size) < remote.size:
        with hub_messages.in_words():
            try:
                await _append(http, remote, partial, have, progress)
            except HTTPError:
                if not tries:
                    raise
        have = partial.stat().st_size
        furthest, tries = (have, TRIES) if have > furthest else (furthest, tries - 1)
        if tries < 0:
            break
        if have < remote.size:
            await asyncio.sleep(PAUSE_S)
    if have != remote.size:
        partial.unlink()
        raise hub_messages.wrong_length(remote.name, remote.size)


async def _append(http: Any, remote: Remote, partial: Path, have: int, progress: Callable[[int], None]) -> None:
    from huggingface_hub import constants

    headers = HEADERS | ({"Range": f"bytes={have}-"} if have else {})
    timeout = constants.HF_HUB_DOWNLOAD_TIMEOUT
    async with http.stream("GET", remote.url, headers=headers, timeout=timeout, follow_redirects=True) as answer:
        if answer.status_code == 416 or _length(answer) not in (None, remote.size):
            partial.unlink()
            raise hub_messages.wrong_length(remote.name, remote.size)
        if answer.status_code not in (200, 206):
            raise hub_messages.refused(answer.status_code, remote.repository)
        with partial.open("ab") as file:
            if answer.status_code == 200:  # all of it, whatever was asked for
                have = file.truncate(0)
            async for piece in answer.aiter_raw():
                have += file.write(piece)
                file.flush()  # another continues from here, also where this program is killed
                if have > remote.size:
                    return
                progress(have)


def _length(answer: Any) -> int | None:
    """Bytes of the whole file, where the answer is the file or a part of it and says so."""
    header = {200: "Content-Length", 206: "Content-Range"}.get(answer.status_code, "")
    size = answer.headers.get(header, "").rpartition("/")[2]
    return int(size) if size.isdecimal() else None
