"""A file from a server, received so that a wait for it can be cancelled at any moment."""

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
"""Seconds without news after which the caller may look whether the file is still wanted."""
BLOCK = 4096


class Received(NamedTuple):
    """Bytes that came, none if the server was silent for a while; and how many the whole file has, 0 if unknown."""

    block: bytes
    total: int


def received(url: str, timeout_s: float) -> Generator[Received, None, None]:
    """Yield the bytes that a server sends, received in a daemon thread: the system's waits for an address or for bytes
    cannot be cancelled from outside. The system's proxy is used.

    Args:
        timeout_s: longest silence of the server, in seconds.

    Raises:
        OSError, HTTPException, ValueError: as ``urlopen``.
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
    """Return what opens addresses, and trusts the authorities of this system: a frozen program's OpenSSL looks for them
    where they were on the system that it was built on. ``SSL_CERT_FILE`` names others, as it does for OpenSSL."""
    trust = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if named := os.environ.get("SSL_CERT_FILE"):
        trust.load_verify_locations(named)
    return urllib.request.build_opener(urllib.request.HTTPSHandler(context=trust))


def _receive(
    url: str, timeout_s: float, arrived: SimpleQueue[Received | Exception | None], unwanted: Event
) -> None:
    try:
        with _opener().open(url, timeout=timeout_s) as answer:
            total = int(answer.headers.get("Content-Length") or 0)
            while not unwanted.is_set() and (block := answer.read1(BLOCK)):  # read() waits for all bytes
                arrived.put(Received(block, total))
        arrived.put(None)
    except Exception as error:  # noqa: BLE001 - raised where the file is waited for
        arrived.put(error)
