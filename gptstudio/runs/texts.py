"""The texts to learn from: where The Verdict is found or fetched, and how any file is read. No torch."""

from __future__ import annotations

import hashlib
import os
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from gptstudio import paths
from gptstudio.errors import UserError

VERDICT = "verdict"
STORY = "story"
NAMES = {
    VERDICT: "The Verdict, Edith Wharton, 1908",
    STORY: "The Late Bell, a story that ships with GPT Studio",
}
VERDICT_FILE = "the-verdict.txt"
VERDICT_SHA256 = "b41e41a68f0398a3154ae69e2e4c0e2694e17fe0d66730536837f1b01935b31f"
# The address that the seeds use (chapters 2 and 5).
VERDICT_URL = (
    "https://raw.githubusercontent.com/rasbt/LLMs-from-scratch/main/ch02/01_main-chapter-code/the-verdict.txt"
)
LARGEST = 256 * 2**20
"""Bytes of the largest text that is read: far more than a workshop can train on."""

Progress = Callable[[int, int], None]
"""Told (bytes so far, bytes in all; 0 where unknown)."""


class TextError(UserError):
    """A text that cannot be had or read."""


class TextNotHere(TextError):
    """The Verdict is on none of its places, and could not be fetched."""


@dataclass(frozen=True)
class Text:
    """A text as it was read. ``name`` is for people, ``sha256`` for the record."""

    name: str
    content: str
    sha256: str


def verdict_places() -> list[Path]:
    """Where The Verdict may be, in the order in which it is looked for."""
    named = os.environ.get("GPTSTUDIO_TEXTS")
    folders = ([Path(named)] if named else []) + [paths.texts(), paths.resources() / "texts"]
    return [folder / VERDICT_FILE for folder in folders]


def locate(text: str) -> Path | None:
    """The file of ``verdict``, ``story`` or a path. None where The Verdict would first have to be fetched."""
    if text == VERDICT:
        return next((place for place in verdict_places() if place.is_file()), None)
    if text == STORY:
        return paths.resources() / "texts" / "story.txt"
    return Path(os.path.expanduser(text))  # unlike Path.expanduser, leaves the name of an unknown user as it is


def fetch_verdict(progress: Progress = lambda done, total: None, timeout_s: float = 20) -> Path:
    """Downloads The Verdict into the user's folder, checks its SHA-256, and returns where it lies.

    Raises:
        TextNotHere: no network, another answer than the text, or no room for it.
    """
    target = paths.texts() / VERDICT_FILE
    partial = target.with_suffix(".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(VERDICT_URL, timeout=timeout_s) as answer, partial.open("wb") as file:
            _copy(answer, file, int(answer.headers.get("Content-Length") or 0), progress)
        if hashlib.sha256(partial.read_bytes()).hexdigest() != VERDICT_SHA256:
            raise TextNotHere(_not_here("what came was not the text that was asked for"))
        os.replace(partial, target)
    except (OSError, HTTPException, ValueError) as error:  # a URLError is an OSError
        raise TextNotHere(_not_here(" ".join(str(getattr(error, "reason", error)).split()))) from error
    finally:
        with suppress(OSError):
            partial.unlink()
    return target


def read(text: str) -> Text:
    """The content of ``verdict``, ``story`` or a file.

    Raises:
        TextNotHere: The Verdict was not fetched yet.
        TextError: missing, empty, binary, not UTF-8, or too large.
    """
    path = locate(text)
    if path is None:
        raise TextNotHere(_not_here("it is not on this computer"))
    data = _bytes_of(path)
    if b"\x00" in data:
        raise TextError(f"{path} is not a text: it has a zero byte at position {data.index(0):,}. Choose a text file.")
    try:
        content = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise TextError(
            f"{path} is not UTF-8: byte {error.start:,} is 0x{data[error.start]:02X}. Save it as UTF-8 and try again."
        ) from None
    if not content.strip():
        raise TextError(f"{path} is empty. Choose a text with some words in it.")
    return Text(NAMES.get(text, path.name), content, hashlib.sha256(data).hexdigest())


def _copy(source, file, total: int, progress: Progress) -> None:
    done = 0
    while block := source.read1(4096):  # what has come so far: read() would wait for all of it
        file.write(block)
        done += len(block)
        progress(done, total)


def _bytes_of(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise TextError(f"{path} is a folder. Choose a text file in it.")
        if not path.is_file():
            raise TextError(f"There is no file {path}. Choose another, or the text that ships with GPT Studio.")
        if path.stat().st_size > LARGEST:
            raise TextError(f"{path} has {path.stat().st_size / 2**20:,.0f} MB; at most {LARGEST // 2**20} are read.")
        return path.read_bytes()
    except OSError as error:
        raise TextError(f"{path} could not be read: {error.strerror or error}.") from error


def _not_here(reason: str) -> str:
    return (
        f"The Verdict could not be had ({reason}). Train on the story that ships with GPT Studio, "
        f"choose a file of your own, or put {VERDICT_FILE} into {paths.texts()}."
    )
