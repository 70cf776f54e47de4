"""Client for the server of published weights: the description of a file, its bytes from any position on, and the cache.
No torch.

Uses the HTTP client of huggingface_hub, so that HF_ENDPOINT, HF_HUB_OFFLINE, proxies, certificates and timeouts have
the same meaning as in every program that uses it. Its own ``hf_hub_download`` is not used: since 1.18 it discards the
partial download when it is cancelled, it cannot be cancelled while a server is silent, and it does not verify data
received over plain HTTP. Neither a token nor anything about this computer is sent. The cache has the layout given in
the library's guide: blobs under their checksums, and for each version of a repository a snapshot that points to them.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from filelock import AsyncFileLock

import gptstudio
from gptstudio import files
from gptstudio.i18n import Message, message
from gptstudio.weights_io.refusals import ExchangeError
from gptstudio.weights_io.stored_tensors import hashed


def host() -> str:
    """Return the name of the server, given by HF_ENDPOINT or huggingface_hub."""
    from huggingface_hub import constants

    return urlsplit(constants.ENDPOINT).netloc or constants.ENDPOINT


@contextmanager
def http_in_words() -> Iterator[None]:
    """Raise errors of the HTTP library as an :class:`ExchangeError`."""
    from huggingface_hub.errors import HTTPError, OfflineModeIsEnabled

    try:
        yield
    except OfflineModeIsEnabled as error:
        raise download_error(message(
            "The model is not on this computer yet, and the network was not used because HF_HUB_OFFLINE is set. Start "
            "GPT Studio without this variable."
        )) from error
    except HTTPError as error:
        raise download_error(message(
            "Could not reach {host}, or it stopped responding: {why}. There is no connection, or a firewall or proxy "
            "blocks it. Try again when you are connected; the partial download is kept.", host=host(), why=_why(error),
        )) from error


@contextmanager
def disk_in_words(folder: Path) -> Iterator[None]:
    """Raise errors of the disk as an :class:`ExchangeError`."""
    try:
        yield
    except OSError as error:
        raise download_error(message(
            "The download cannot be saved in {folder}: {why}. Free some space there, or set the environment variable "
            "HF_HOME to another folder. Then try again; the partial download is kept.",
            folder=folder, why=error.strerror or _why(error),
        )) from error


def http_refused(status: int, repository: str) -> ExchangeError:
    """Return the error for a response that is not successful."""
    if status in (401, 403):
        sentence = message(
            "{host} provides {repository} only to signed-in users (status {status}), and GPT Studio does not sign in.",
            host=host(), repository=repository, status=status)
    elif status in (404, 410):
        sentence = message(
            "{host} does not have {repository} (status {status}). If HF_ENDPOINT points to a mirror, contact its "
            "operator.", host=host(), repository=repository, status=status)
    elif status == 407:
        sentence = message(
            "The proxy requires a user name and password (status 407). Add them to the environment variable "
            "HTTPS_PROXY.")
    elif status == 429:
        sentence = message(
            "{host} received too many requests from this network (status 429). Try again in a few minutes; the partial "
            "download is kept.", host=host())
    else:
        sentence = message(
            "{host} has an internal problem (status {status}). Try again later; the partial download is kept.",
            host=host(), status=status)
    return download_error(sentence)


def wrong_length(name: str, size: int) -> ExchangeError:
    return download_error(message(
        "{host} announced {size} bytes for {name} but sent a different number. The download was deleted. Try again; if "
        "it happens again, the copy on the server is damaged.", host=host(), name=name, size=f"{size:,}",
    ))


def no_checksum() -> Message:
    """Return the message about a published model whose checksum is unknown."""
    return message("No published checksum is known; the download is checked against the server's own.")


def download_error(sentence: Message) -> ExchangeError:
    """Return the error of a download, with the alternative of copying the model folder."""
    return ExchangeError(message(
        "{what} You can also copy the model folder from a computer that has it, and open it with Model > Open weights.",
        what=sentence,
    ))


def _why(error: Exception) -> str:
    """Return the text of an error in one line; if it has none (a timeout), the name of its class."""
    said = " ".join(str(error).split()).rstrip(".")
    return said or re.sub("(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()


HEADERS = {
    "User-Agent": f"gptstudio/{gptstudio.__version__}",
    "Accept-Encoding": "identity",  # otherwise positions and sizes would refer to compressed data
}
REDIRECTS = 10
TRIES = 5
"""Number of attempts to continue a download without receiving anything new."""
PAUSE_S = 1.0
_COMMIT = re.compile("[0-9a-f]{40}")
_ETAG = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Remote:
    """A file on the server.

    Attributes:
        url: address of its bytes.
        commit: version of the repository.
        etag: SHA-256 of a large file; for a small one, its SHA-1 name in git.
        size: number of bytes.
    """

    repository: str
    name: str
    url: str
    commit: str
    etag: str
    size: int


def client() -> Any:
    """Return an HTTP client, to be used in ``async with``.

    Raises:
        ExchangeError: the address of the server, a proxy or a certificate has a setting that cannot be used.
    """
    import huggingface_hub

    try:
        _ = urlsplit(huggingface_hub.constants.ENDPOINT).port  # raises if it is not an address
        return huggingface_hub.get_async_session()
    except Exception as error:  # each library involved raises its own errors for invalid settings
        raise download_error(message(
            "The network settings of this computer cannot be used: {why}. Check the environment variables HF_ENDPOINT, "
            "HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.", why=_why(error))) from error


async def look_up(http: Any, repository: str, name: str, revision: str = "main") -> Remote:
    """Ask the server for a file's version, checksum and size.

    Raises:
        ExchangeError: the server cannot be reached, does not have the file, or does not report all three.
    """
    from huggingface_hub import constants, hf_hub_url

    url = hf_hub_url(repository, name, revision=revision)
    with http_in_words():
        hops = [await http.head(url, headers=HEADERS, timeout=constants.HF_HUB_ETAG_TIMEOUT, follow_redirects=False)]
        # The redirect of a renamed repository is followed. A storage, which knows only bytes, is not queried.
        while (onward := hops[-1].next_request) and not all(_linked(hops)) and len(hops) <= REDIRECTS:
            hops.append(await http.send(onward, follow_redirects=False))
    last = hops[-1]
    if last.is_error:
        raise http_refused(last.status_code, repository)
    commit, etag, size = _linked(hops)
    etag, size = etag or last.headers.get("ETag", ""), size or last.headers.get("Content-Length", "")
    etag = etag.removeprefix("W/").strip('"')
    if not (_COMMIT.fullmatch(commit) and _ETAG.fullmatch(etag) and size.isdecimal()):
        raise download_error(message(
            "{host} does not report the version, size and checksum of {name}, so the download could not be verified. "
            "It does not serve models the way huggingface.co does. Check the environment variable HF_ENDPOINT.",
            host=host(), name=name))
    return Remote(repository, name, str(last.request.url), commit, etag, int(size))


def _linked(hops: list[Any]) -> tuple[str, str, str]:
    """Return version, checksum and size from the headers of the Hub's redirect to storage; empty if missing."""
    from huggingface_hub import constants

    def said(header: str) -> str:
        return next((hop.headers[header] for hop in hops if header in hop.headers), "")

    return (
        said(constants.HUGGINGFACE_HEADER_X_REPO_COMMIT), said(constants.HUGGINGFACE_HEADER_X_LINKED_ETAG),
        said(constants.HUGGINGFACE_HEADER_X_LINKED_SIZE),
    )


async def download(http: Any, remote: Remote, partial: Path, progress: Callable[[int], None]) -> None:
    """Append the missing bytes to ``partial``, and request the rest again if the connection breaks.

    Args:
        progress: called with the number of bytes in ``partial``.

    Raises:
        ExchangeError: the server is silent, refuses, or its file has another size than announced.
        OSError: ``partial`` cannot be written.
    """
    from huggingface_hub.errors import HTTPError  # of httpx or httpx2, depending on the version

    partial.touch()
    furthest, tries = partial.stat().st_size, TRIES
    while (have := partial.stat().st_size) < remote.size:
        with http_in_words():
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
        raise wrong_length(remote.name, remote.size)


async def _append(http: Any, remote: Remote, partial: Path, have: int, progress: Callable[[int], None]) -> None:
    from huggingface_hub import constants

    headers = HEADERS | ({"Range": f"bytes={have}-"} if have else {})
    timeout = constants.HF_HUB_DOWNLOAD_TIMEOUT
    async with http.stream("GET", remote.url, headers=headers, timeout=timeout, follow_redirects=True) as answer:
        if answer.status_code == 416 or _length(answer) not in (None, remote.size):
            partial.unlink()
            raise wrong_length(remote.name, remote.size)
        if answer.status_code not in (200, 206):
            raise http_refused(answer.status_code, remote.repository)
        with partial.open("ab") as file:
            if answer.status_code == 200:  # the whole file, not the requested part
                have = file.truncate(0)
            async for piece in answer.aiter_raw():
                have += file.write(piece)
                file.flush()  # the next attempt continues from here, even if this program is killed
                if have > remote.size:
                    return
                progress(have)


def _length(answer: Any) -> int | None:
    """Return the size of the whole file, if the response is the file or a part of it and gives its length."""
    header = {200: "Content-Length", 206: "Content-Range"}.get(answer.status_code, "")
    size = answer.headers.get(header, "").rpartition("/")[2]
    return int(size) if size.isdecimal() else None


POLL_S = 0.1


def cache_folder() -> Path:
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE)


def snapshot(repository: str, names: Iterable[str]) -> Path | None:
    """Return the folder of the last downloaded version if it contains all these files; otherwise None."""
    from huggingface_hub import try_to_load_from_cache

    found = [try_to_load_from_cache(repository, name) for name in names]
    paths = [Path(path) for path in found if isinstance(path, str)]
    return paths[0].parent if len(paths) == len(found) else None


def blob(remote: Remote) -> Path:
    return _folder(remote) / "blobs" / remote.etag


def partial(remote: Remote) -> Path:
    """Return the path of a partial download; huggingface_hub continued such files until 1.17, and now removes them."""
    return blob(remote).with_name(f"{remote.etag}.incomplete")


def present(remote: Remote) -> int:
    """Return the number of bytes that are already on this computer."""
    with suppress(OSError):
        return min(remote.size, (blob(remote) if blob(remote).exists() else partial(remote)).stat().st_size)
    return 0


def is_right(path: Path, remote: Remote, check: Callable[[], None]) -> bool:
    """Return whether a file has the checksum that the server reports.

    Args:
        check: called repeatedly; cancels the work by raising an exception.
    """
    digest = hashlib.sha256()
    if len(remote.etag) != 64:  # a name in git
        digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    return hashed(path, digest, lambda _: check()) == remote.etag


@asynccontextmanager
async def locked(remote: Remote) -> AsyncIterator[None]:
    """Context manager that locks a file; waits while another program (maybe huggingface_hub) downloads it."""
    path = cache_folder() / ".locks" / _folder(remote).name / f"{remote.etag}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = AsyncFileLock(path, mode=0o664, run_in_executor=False)  # like huggingface_hub: users may share a cache
    with suppress(RuntimeError):  # a disk without locks: two may download the same file, and the checksum is verified
        await lock.acquire(poll_interval=POLL_S)
    try:
        yield
    finally:
        await lock.release()


def keep(remote: Remote) -> None:
    """Turn the partial download into a blob."""
    files.flush(partial(remote))
    os.replace(partial(remote), blob(remote))


def point(remote: Remote) -> Path:
    """Add the file to its snapshot: a link to the blob, or the blob itself if there are no links."""
    path = _folder(remote) / "snapshots" / remote.commit / remote.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    try:
        path.symlink_to(Path("..", "..", "blobs", remote.etag))
    except OSError:  # Windows, unless in developer mode
        os.replace(blob(remote), path)
    return path


def refer(remote: Remote) -> None:
    """Make the snapshot the target of ``main``."""
    path = _folder(remote) / "refs" / "main"
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_whole(path, remote.commit.encode())


def _folder(remote: Remote) -> Path:
    return cache_folder() / "--".join(["models", *remote.repository.split("/")])
