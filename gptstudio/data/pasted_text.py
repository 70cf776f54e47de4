"""Texts that were pasted: kept as files in the user's folder of texts."""

from __future__ import annotations

import re
from pathlib import Path

from gptstudio import files, paths
from gptstudio.errors import UserError
from gptstudio.i18n import message

LONGEST_NAME = 80


def save(title: str, text: str) -> Path:
    """Write a text to a file of its own, in UTF-8; no file is overwritten.

    Raises:
        UserError: the text is empty, or the file cannot be written.
    """
    if not text.strip():
        raise UserError(message("The text is empty. Paste one first."))
    name = re.sub(r"[^\w\- ]", "", title).strip()[:LONGEST_NAME] or "pasted"
    folder = paths.texts()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = files.unused(folder, name, " ", ".txt")
        files.write_whole(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise UserError(message(
            "Could not save the text in {path}: {why}.", path=folder, why=error.strerror or error)) from error
    return path
