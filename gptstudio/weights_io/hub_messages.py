"""Error messages for the server of published weights: what happened, what it means, what to do. No torch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from gptstudio.gpt.sizing import MB
from gptstudio.i18n import Message, message
from gptstudio.weights_io.refusals import ExchangeError


def host() -> str:
    """The server's name, as HF_ENDPOINT or huggingface_hub has it."""
    from huggingface_hub import constants

    return urlsplit(constants.ENDPOINT).netloc or constants.ENDPOINT


@contextmanager
def in_words() -> Iterator[None]:
    """Raise errors of the HTTP library as an :class:`ExchangeError`."""
    from huggingface_hub.errors import HTTPError, OfflineModeIsEnabled

    try:
        yield
    except OfflineModeIsEnabled as error:
        raise _error(message(
            "The model is not on this computer yet, and the network was not used because HF_HUB_OFFLINE is set. Start "
            "GPT Studio without this variable."
        )) from error
    except HTTPError as error:
        raise _error(message(
            "Could not reach {host}, or it stopped responding: {why}. There is no connection, or a firewall or proxy "
            "blocks it. Try again when you are connected; the partial download is kept.", host=host(), why=_why(error),
        )) from error


@contextmanager
def disk_in_words(folder: Path) -> Iterator[None]:
    """Raise errors of the disk as an :class:`ExchangeError`."""
    try:
        yield
    except OSError as error:
        raise _error(message(
            "The download cannot be saved in {folder}: {why}. Free some space there, or set the environment variable "
            "HF_HOME to another folder. Then try again; the partial download is kept.",
            folder=folder, why=error.strerror or _why(error),
        )) from error


def settings(error: Exception) -> ExchangeError:
    return _error(message(
        "The network settings of this computer cannot be used: {why}. Check the environment variables HF_ENDPOINT, "
        "HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.", why=_why(error),
    ))


def no_hub(name: str) -> ExchangeError:
    return _error(message(
        "{host} does not report the version, size and checksum of {name}, so the download could not be verified. It "
        "does not serve models the way huggingface.co does. Check the environment variable HF_ENDPOINT.",
        host=host(), name=name,
    ))


def refused(status: int, repository: str) -> ExchangeError:
    """For an answer that is no success."""
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
    return _error(sentence)


def wrong_length(name: str, size: int) -> ExchangeError:
    return _error(message(
        "{host} announced {size} bytes for {name} but sent a different number. The download was deleted. Try again; if "
        "it happens again, the copy on the server is damaged.", host=host(), name=name, size=f"{size:,}",
    ))


def wrong_bytes(name: str) -> ExchangeError:
    return _error(message(
        "The download does not match what {host} says about {name}: the checksums differ. It was damaged or changed in "
        "transit and has been deleted. Try again; if it happens again, use another network.", host=host(), name=name,
    ))


def not_published(title: str, offered: str, pinned: str) -> ExchangeError:
    """For a server that has other weights under a published name."""
    return _error(message(
        "The weights that {host} offers as {title} are not the published ones: their checksum is {offered}, the "
        "published SHA-256 is {pinned}. They were changed or are another version, so nothing was downloaded. If "
        "HF_ENDPOINT points to a mirror, contact its operator; otherwise look for a newer version of GPT Studio.",
        host=host(), title=title, offered=offered, pinned=pinned,
    ))


def not_published_here(path: Path, title: str, found: str, pinned: str) -> ExchangeError:
    """For a cache that holds other weights under a published name."""
    return ExchangeError(message(
        "{path} is not {title} as published: its checksum is {found}, the published SHA-256 is {pinned}. It was "
        "changed, damaged or downloaded from another server. Delete it and download the model again. To use it as your "
        "own weights, open it with Model > Open weights.", path=path, title=title, found=found, pinned=pinned,
    ))


def no_checksum() -> Message:
    """For a published model that none is known of."""
    return message("No published checksum is known; the download is checked against the server's own.")


def no_space(folder: Path, needed: int, free: int) -> ExchangeError:
    return ExchangeError(message(
        "{needed} MB still have to be downloaded, but {folder} has only {free} MB free. Free some space there, or set "
        "the environment variable HF_HOME to a folder on another disk.",
        needed=f"{needed / MB:,.0f}", folder=folder, free=f"{free / MB:,.0f}",
    ))


def _error(sentence: Message) -> ExchangeError:
    """Return the error of a download, with what one can do instead."""
    return ExchangeError(message(
        "{what} You can also copy the model folder from a computer that has it, and open it with Model > Open weights.",
        what=sentence,
    ))


def _why(error: Exception) -> str:
    """One line, also of an error that says nothing (a timeout): then its name, as words."""
    said = " ".join(str(error).split()).rstrip(".")
    return said or re.sub("(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
