"""A file from a server, received so that a wait for it can be cancelled at any moment."""

from __future__ import annotations

import urllib.request
from collections.abc import Generator
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import NamedTuple

LOOK_S = 0.5
"""Seconds without news after which the caller may look whether the file is still wanted."""
BLOCK = 4096


class Received(NamedTuple):
    """Bytes that came, none where the server was silent for a while; and how many the whole file has, 0 if unknown."""

    block: bytes
    total: int


def received(url: str, timeout_s: float) -> Generator[Received, None, None]:
    """Yield what a server sends, in a thread of its own that nobody waits for: a system's own waits for an address or
    for bytes cannot be ended from outside.

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


def _receive(
    url: str, timeout_s: float, arrived: SimpleQueue[Received | Exception | None], unwanted: Event
) -> None:
    try:
        with urllib.request.urlopen(url, timeout=timeout_s) as answer:  # noqa: S310 - the program's own address
            total = int(answer.headers.get("Content-Length") or 0)
            while not unwanted.is_set() and (block := answer.read1(BLOCK)):  # what has come: read() waits for all of it
                arrived.put(Received(block, total))
        arrived.put(None)
    except Exception as error:  # noqa: BLE001 - raised where the file is waited for
        arrived.put(error)
