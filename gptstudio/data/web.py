"""Download of a file, which can be cancelled at any time."""

from __future__ import annotations

import os
import ssl
import urllib.request
from collections.abc import Generator
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import NamedTuple

import truststore

LOOK_S = 0.5
"""Seconds without data after which control returns to the caller, which may cancel."""
BLOCK = 4096


class Received(NamedTuple):
    """Received bytes, empty if the server was silent for a while, and the size of the whole file, 0 if unknown."""

    block: bytes
    total: int


def received(url: str, timeout_s: float) -> Generator[Received, None, None]:
    """Yield the bytes that a server sends. They are received in a daemon thread, because blocking calls of the system,
    for name resolution or data, cannot be cancelled. The system's proxy is used.

    Args:
        timeout_s: maximum silence of the server, in seconds.

    Raises:
        OSError, HTTPException, ValueError: as for ``urlopen``.
    """
    arrived: SimpleQueue[Received | Exception | None] = SimpleQueue()
    unwanted, total = Event(), 0
    Thread(target=_receive, args=(url, timeout_s, arrived, unwanted), name="download", daemon=True).start()
    try:
        while True:
            try:
                news = arrived.get(timeout=LOOK_S)
            except Empty:
                news = Received(b"", total)
            if news is None:
                return
            if isinstance(news, Exception):
                raise news
            total = news.total
            yield news
    finally:
        unwanted.set()


def _opener() -> urllib.request.OpenerDirector:
    """Return a URL opener that trusts the certificate authorities of this system: the OpenSSL of a frozen program looks
    for them in the places of the system that it was built on. ``SSL_CERT_FILE`` adds others, as for OpenSSL."""
    trust = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if named := os.environ.get("SSL_CERT_FILE"):
        trust.load_verify_locations(named)
    return urllib.request.build_opener(urllib.request.HTTPSHandler(context=trust))


def _receive(url: str, timeout_s: float, arrived: SimpleQueue[Received | Exception | None], unwanted: Event) -> None:
    try:
        with _opener().open(url, timeout=timeout_s) as answer:
            total = int(answer.headers.get("Content-Length") or 0)
            while not unwanted.is_set() and (block := answer.read1(BLOCK)):  # read() waits for all bytes
                arrived.put(Received(block, total))
        arrived.put(None)
    except Exception as error:  # noqa: BLE001 - raised again in the receiving thread
        arrived.put(error)
