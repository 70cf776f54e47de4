"""The sentences of the program, and whether each of them has a translation."""

import json
from pathlib import Path

import pytest
import translations
from PySide6.QtCore import QTranslator


@pytest.fixture(scope="module")
def sentences() -> dict[str, str]:
    """The sentences of the whole program, each with its place."""
    return translations.sentences(translations.CODE)


@pytest.fixture(scope="module")
def kept() -> dict[str, str]:
    """The translations that ship with the program."""
    return translations.read(translations.TS)


@pytest.fixture
def code(tmp_path) -> Path:
    """A folder with a sentence of each kind."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "spoken.py").write_text(
        'label(tr("Plain"), role="muted")\n'
        'tr("One of {n}" if n else "None")\n'
        'NAMES = {"a": message("Named"), "b": other("not said")}\n'
        'class Asked(Spec):\n'
        '    rate: float = setting(0.1, "Rate", "How "\n        "fast.", empty="as it is", group="Speed", unit="Hz")\n'
        '    kind: Literal["early", "late"] | None = setting("early", "Kind", "When.")\n',
        encoding="utf-8",
    )
    return tmp_path / "code"


def test_that_every_sentence_is_translated(sentences, kept):
    assert {sentence: where for sentence, where in sentences.items() if not kept.get(sentence)} == {}


def test_that_no_unused_sentence_is_translated(sentences, kept):
    assert kept.keys() - sentences.keys() == set()


def test_that_translations_have_the_same_placeholders(kept):
    blanks = translations.blanks
    assert {each: made for each, made in kept.items() if made and blanks(each) != blanks(made)} == {}


def test_that_the_window_loads_the_translations(kept):
    """The compiled file has the content of the translations, also after their last change."""
    compiled = QTranslator()
    assert compiled.load(str(translations.TS.with_suffix(".qm")))
    assert {each: compiled.translate(translations.CONTEXT, each) or "" for each in kept} == kept


def test_that_sentences_of_every_kind_are_gathered(code):
    assert translations.sentences(code).keys() == {
        "Plain", "One of {n}", "None", "Named", "Rate", "How fast.", "as it is", "Speed",
        "Kind", "When.", "early", "late",
    }


def test_that_a_new_sentence_is_reported_until_it_is_translated(code, tmp_path):
    ts, more = tmp_path / "made.ts", tmp_path / "more.json"
    missing = translations.update(ts, [code], [])
    assert missing["Plain"] == "spoken.py:1"
    assert missing.keys() == translations.sentences(code).keys()
    more.write_text(json.dumps({"Plain": "简单", "Nobody says this": "没人说"}), encoding="utf-8")
    missing = translations.update(ts, [code], [more])
    assert "Plain" not in missing
    assert "Named" in missing
    assert translations.read(ts)["Plain"] == "简单"
    assert "Nobody says this" not in translations.read(ts)


def test_that_an_unused_sentence_is_removed(code, tmp_path):
    ts = tmp_path / "made.ts"
    translations.write(ts, {"Plain": "简单", "Gone": "没了"})
    translations.update(ts, [code], [])
    assert translations.read(ts)["Plain"] == "简单"
    assert "Gone" not in translations.read(ts)


def test_that_special_characters_and_line_ends_are_preserved(tmp_path):
    kept = {"<b> & “{x}”\n\ntwo": "<b> & “{x}”\n\n二", "Not yet": ""}
    translations.write(tmp_path / "made.ts", kept)
    assert translations.read(tmp_path / "made.ts") == kept


def test_that_a_sentence_made_of_pieces_is_refused(tmp_path):
    (tmp_path / "wrong.py").write_text('tr(f"{n} steps")')
    with pytest.raises(SystemExit, match=r"wrong\.py:1: .*cannot be translated"):
        translations.sentences(tmp_path)
