"""The program's messages, by id: a test asserts which message is shown, and not its wording."""

import errno
import os
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

from gptstudio.errors import text_of
from gptstudio.i18n import Message

MESSAGES = tomllib.loads((Path(__file__).parent / "messages.toml").read_text(encoding="utf-8"))


def message(name: str) -> str:
    """Return the wording, or the part of it that distinguishes this message from others."""
    return MESSAGES[name]


SENTENCE = re.compile(r"[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}")
"""Three English words in a row."""
COMMAND = "git lfs pull"
OF_THE_SYSTEM = {os.strerror(number) for number in errno.errorcode}


def left_in_english(error: Exception) -> list[str]:
    """Return the English sentences that a Chinese window would show of an error; the system's own messages do not
    count."""
    return SENTENCE.findall(_in_chinese(text_of(error)).replace(COMMAND, ""))


def _in_chinese(words: object) -> str:
    if not isinstance(words, Message):
        return "" if str(words) in OF_THE_SYSTEM else str(words)
    values = {name: _in_chinese(value) for name, value in words.values.items()}
    sentence = _translations().get(words.source, words.source)
    return sentence.format(**values) if values else sentence


@cache
def _translations() -> dict[str, str]:
    sys.path.insert(0, str(Path(__file__).parents[1] / "packaging"))
    import translations

    return translations.read(translations.TS)
