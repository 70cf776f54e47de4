"""What can go wrong between here and the server of published weights: what happened, what it means, what to do.
No torch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from gptstudio.i18n import Message, message
from gptstudio.weights_io.errors import ExchangeError

MB = 2**20


def host() -> str:
    """The server's name, as HF_ENDPOINT or huggingface_hub has it."""
    from huggingface_hub import constants

    return urlsplit(constants.ENDPOINT).netloc or constants.ENDPOINT


@contextmanager
def in_words() -> Iterator[None]:
    """What the HTTP library raises, as an :class:`ExchangeError`."""
    from huggingface_hub.errors import HTTPError, OfflineModeIsEnabled

    try:
        yield
    except OfflineModeIsEnabled as error:
        raise ExchangeError(_or_copy(message(
            "The model is not on this computer yet, and the network was not asked, since HF_HUB_OFFLINE is set. Start "
            "GPT Studio without it."
        ))) from error
    except HTTPError as error:
        raise ExchangeError(_or_copy(message(
            "{host} could not be reached, or stopped answering: {why}. There is no connection, or a firewall or a "
            "proxy stands between. Try again when there is one: what has come is kept.", host=host(), why=_why(error),
        ))) from error


@contextmanager
def disk_in_words(folder: Path) -> Iterator[None]:
    """What a disk refuses, as an :class:`ExchangeError`."""
    try:
        yield
    except OSError as error:
        raise ExchangeError(_or_copy(message(
            "The download cannot be kept in {folder}: {why}. Make room there, or name another folder in HF_HOME in the "
            "environment. Then try again: what has come is kept.", folder=folder, why=error.strerror or _why(error),
        ))) from error


def settings(error: Exception) -> ExchangeError:
    return ExchangeError(_or_copy(message(
        "This computer's settings for the network cannot be used: {why}. Look at HF_ENDPOINT, HTTPS_PROXY, ALL_PROXY "
        "and SSL_CERT_FILE in the environment.", why=_why(error),
    )))


def no_hub(name: str) -> ExchangeError:
    return ExchangeError(_or_copy(message(
        "{host} does not say which version of {name} it has, how large that is and what its checksum is, so nobody "
        "could know whether it arrived whole. It does not serve models as huggingface.co does: look at HF_ENDPOINT in "
        "the environment.", host=host(), name=name,
    )))


def refused(status: int, repository: str) -> ExchangeError:
    """For an answer that is no success."""
    if status in (401, 403):
        sentence = message(
            "{host} gives {repository} only to people whom it knows (answer {status}), and GPT Studio sends no "
            "password.", host=host(), repository=repository, status=status)
    elif status in (404, 410):
        sentence = message(
            "{host} does not have {repository} (answer {status}). If HF_ENDPOINT names a mirror, ask who keeps it.",
            host=host(), repository=repository, status=status)
    elif status == 407:
        sentence = message(
            "The proxy wants a name and a password (answer 407). Put them into HTTPS_PROXY in the environment.")
    elif status == 429:
        sentence = message(
            "{host} was asked too often from this network (answer 429). Try again in some minutes: what has come is "
            "kept.", host=host())
    else:
        sentence = message(
            "{host} has a trouble of its own (answer {status}). Try again later: what has come is kept.",
            host=host(), status=status)
    return ExchangeError(_or_copy(sentence))


def wrong_length(name: str, size: int) -> ExchangeError:
    return ExchangeError(_or_copy(message(
        "{host} said that {name} has {size} bytes, and sent another number of them. What came was deleted. Try again; "
        "if it happens again, the server's copy is damaged.", host=host(), name=name, size=f"{size:,}",
    )))


def wrong_bytes(name: str) -> ExchangeError:
    return ExchangeError(_or_copy(message(
        "What came is not what {host} says {name} is: the checksums differ. It was damaged or changed on its way, and "
        "was deleted. Try again; if it happens again, use another network.", host=host(), name=name,
    )))


def not_published(title: str, offered: str, pinned: str) -> ExchangeError:
    """For a server that has other weights under a published name."""
    return ExchangeError(_or_copy(message(
        "The weights that {host} offers as {title} are not the published ones: their checksum is {offered}, the "
        "published SHA-256 is {pinned}. They were changed, or are another version, so nothing was fetched. If "
        "HF_ENDPOINT names a mirror, ask who keeps it; else look for a newer version of GPT Studio.",
        host=host(), title=title, offered=offered, pinned=pinned,
    )))


def not_published_here(path: Path, title: str, found: str, pinned: str) -> ExchangeError:
    """For a cache that holds other weights under a published name."""
    return ExchangeError(message(
        "{path} is not {title} as it was published: its checksum is {found}, the published SHA-256 is {pinned}. It was "
        "changed, damaged, or fetched from another server. Delete it and fetch the model again; to use it as weights "
        "of your own, open it with Model > Open weights.", path=path, title=title, found=found, pinned=pinned,
    ))


def no_checksum() -> Message:
    """For a published model that none is known of."""
    return message("No published checksum is known; it is checked against the server's own.")


def no_room(folder: Path, needed: int, free: int) -> ExchangeError:
    return ExchangeError(message(
        "{needed} MB are still to be fetched, and {folder} has only {free} MB free. Make room there, or name a folder "
        "on another disk in HF_HOME in the environment.",
        needed=f"{needed / MB:,.0f}", folder=folder, free=f"{free / MB:,.0f}",
    ))


def _or_copy(sentence: Message) -> Message:
    return message(
        "{what} Or copy the model's folder from a computer that has it, and open it with Model > Open weights.",
        what=sentence,
    )


def _why(error: Exception) -> str:
    """One line, also of an error that says nothing (a timeout): then its name, as words."""
    said = " ".join(str(error).split()).rstrip(".")
    return said or re.sub("(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
