"""Ask the releases page once whether there is a newer version. Nothing is downloaded or installed.

What comes from the network is plain text, without characters that a terminal or a line of text could obey.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request

from packaging.version import InvalidVersion, Version
from pydantic import BaseModel, ValidationError

import gptstudio
from gptstudio.app import updates
from gptstudio.data import web
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.errors import UserError, shown
from gptstudio.i18n import Message, message

USER_AGENT = "GPT Studio"
MOST_BYTES = 2**20
TIMEOUT_S, WHOLE_S = 20.0, 40.0
"""Longest silence of the server, and longest time for its whole answer."""
MOST_LINES, MOST_CHARACTERS = 20, 2_000
"""So much of the notes is shown."""


class UpdateError(UserError):
    """The latest release is not known."""


@dataclass(frozen=True)
class Release:
    """A published release. ``published``: its day, as 2026-11-20; ``notes``: the first lines of them, plain text."""

    version: str
    published: str
    page: str
    notes: str


@dataclass(frozen=True)
class UpdateCheck:
    """The running version beside the latest release."""

    running: str
    latest: Release

    @property
    def newer(self) -> bool:
        """True if the latest release is newer than the running version, by PEP 440."""
        return Version(self.latest.version) > Version(self.running)

    def words(self) -> Message:
        values = {"running": self.running, "latest": self.latest.version, "date": self.latest.published}
        if self.newer:
            return message("Version {latest} is available, published on {date}. This is version {running}.", **values)
        if Version(self.latest.version) == Version(self.running):
            return message("GPT Studio is up to date: {running} is the latest release, published on {date}.", **values)
        return message(
            "GPT Studio is up to date: this is version {running}, and the latest release is {latest}, published on "
            "{date}.", **values)


class _Answer(BaseModel, strict=True):
    """The fields that are read of GitHub's description of a release."""

    tag_name: str
    html_url: str
    published_at: datetime
    body: str | None


def check(url: str, progress: Progress = unwatched, timeout_s: float = TIMEOUT_S) -> UpdateCheck:
    """Return what the releases page says.

    Args:
        url: see :func:`updates.address`.
        progress: called as bytes come, and while none do; may cancel by raising.

    Raises:
        UpdateError: no or a wrong address, no network, refused, not found, or an answer that cannot be read.
    """
    if why_not := updates.problem(url):
        raise UpdateError(why_not)
    return UpdateCheck(gptstudio.__version__, _release(url, _fetch(url, progress, timeout_s)))


def _fetch(url: str, progress: Progress, timeout_s: float) -> bytes:
    request = Request(url, headers={"User-Agent": USER_AGENT, "Accept": "application/json"})  # noqa: S310 - https
    data, until = b"", time.monotonic() + WHOLE_S
    try:
        with closing(web.received(request, timeout_s, https_only=True)) as blocks:
            for block, total in blocks:
                data += block
                progress(len(data), total)
                if max(len(data), total) > MOST_BYTES:
                    raise _unreadable(url, message("it is larger than {most} MB", most=MOST_BYTES // 2**20))
                if time.monotonic() > until:
                    raise TimeoutError(message("the answer took longer than {s} s", s=f"{WHOLE_S:g}"))
    except HTTPError as error:
        error.close()
        raise _refused(url, error.code) from error
    except (OSError, HTTPException, ValueError) as error:  # a URLError is an OSError
        raise UpdateError(message(
            "Could not ask {host}: {why}. There is no connection, or a firewall or proxy blocks it. Try again when you "
            "are connected.", host=updates.host(url), why=_why(error))) from error
    return data


def _release(url: str, data: bytes) -> Release:
    try:
        answer = _Answer.model_validate_json(data)
        version = Version(answer.tag_name)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise _unreadable(url, shown(f"{where}: {first['msg']}" if where else first["msg"])) from error
    except InvalidVersion as error:
        raise _unreadable(url, message("{tag} is not a version", tag=shown(answer.tag_name))) from error
    if not updates.is_https(answer.html_url):
        raise _unreadable(url, message("{page} is not an address that begins with https://",
                                       page=shown(answer.html_url)))
    return Release(str(version), f"{answer.published_at:%Y-%m-%d}", answer.html_url, _first_lines(answer.body or ""))


def _first_lines(text: str) -> str:
    lines = ["".join(char for char in line if char.isprintable()).rstrip() for line in text.strip().splitlines()]
    first = "\n".join(lines[:MOST_LINES])
    cut = len(lines) > MOST_LINES or len(first) > MOST_CHARACTERS
    return f"{first[:MOST_CHARACTERS].rstrip()}\n…" if cut else first


def _refused(url: str, status: int) -> UpdateError:
    """For an answer that is no success."""
    values = {"host": updates.host(url), "status": status}
    if status in (404, 410):
        return UpdateError(message(
            "{host} has no release at this address (status {status}). Nothing was released yet, or the releases moved: "
            "ask the person who gave you GPT Studio.", **values))
    if status in (401, 403, 429):
        return UpdateError(message(
            "{host} refused the request (status {status}). It may have had too many from this network: try again in an "
            "hour.", **values))
    return UpdateError(message(
        "{host} did not answer the request (status {status}). Try again later.", **values))


def _unreadable(url: str, why: str) -> UpdateError:
    return UpdateError(message(
        "The answer of {host} does not describe a release: {why}. A network that asks you to sign in first may have "
        "answered in its place: open a page in the browser, then try again.", host=updates.host(url), why=why))


def _why(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    words = reason.args[0] if isinstance(reason, Exception) and reason.args else reason
    return words if isinstance(words, Message) else shown(" ".join(str(reason).split()) or type(error).__name__)
