"""Terms of the field, from resources/glossary.toml: the one source of what the program calls things."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from gptstudio import paths


@dataclass(frozen=True)
class Term:
    """A term in one language, and one sentence about it."""

    name: str
    text: str


def terms(language: str) -> list[Term]:
    """Return all terms in a language, ``en`` or ``zh_CN``."""
    table = tomllib.loads((paths.resources() / "glossary.toml").read_text(encoding="utf-8"))
    return [Term(each[language], each[f"{language}_text"]) for each in table.values()]
