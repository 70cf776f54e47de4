"""The glossary: sixty terms in both languages, whose names in code exist."""

import dataclasses
import tomllib
from importlib import import_module

import pytest

from gptstudio import paths
from gptstudio.labs.catalogue import ENTRIES

TERMS = tomllib.loads((paths.resources() / "glossary.toml").read_text(encoding="utf-8"))


def has(owner: object, name: str) -> bool:
    """Return whether a class has a field or attribute of that name."""
    fields = {field.name for field in dataclasses.fields(owner)} if dataclasses.is_dataclass(owner) else set()
    return hasattr(owner, name) or name in fields or name in getattr(owner, "model_fields", {})


def test_that_there_are_sixty_terms_each_with_one_sentence_in_both_languages():
    assert len(TERMS) >= 60
    for name, term in TERMS.items():
        assert set(term) - {"lab", "see"} == {"en", "zh_CN", "en_text", "zh_CN_text", "code"}, name
        assert term.get("lab", "loss") in ENTRIES, name
        assert set(term.get("see", ())) <= TERMS.keys() - {name}, name
        assert term["en_text"].endswith("."), name
        assert term["zh_CN_text"].endswith("。"), name
        assert "\n" not in term["en_text"] + term["zh_CN_text"], name


@pytest.mark.parametrize("name", TERMS)
def test_that_the_name_in_code_exists(name):
    module, _, path = TERMS[name]["code"].partition(":")
    owner: object = import_module(module)
    *outer, last = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    assert has(owner, last), TERMS[name]["code"]
