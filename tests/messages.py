"""What the program says, by id: a test asks for the message that it means, and not for how that is worded."""

import tomllib
from pathlib import Path

MESSAGES = tomllib.loads((Path(__file__).parent / "messages.toml").read_text(encoding="utf-8"))


def message(name: str) -> str:
    """The wording, or the part of it that tells this message from others."""
    return MESSAGES[name]
