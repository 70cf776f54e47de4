"""The vocabulary in the window: chosen in the Model panel, shown on Texts, and compared in bits per byte."""

import math

import pytest
from PySide6.QtCore import Qt

from gptstudio.app.text_tasks import SHOWN_TOKENS
from gptstudio.data import texts
from gptstudio.gpt.tokenizer import END_OF_TEXT, GPT2, UNKNOWN
from gptstudio.history.run_history import read

ALL_WORDS = True

STORY = texts.read("story").content
CHARACTERS = len(set(STORY)) + len((UNKNOWN, END_OF_TEXT))


@pytest.fixture
def reading(user):
    """A user who will train on the story."""
    user.train.prepare()
    return user


def vocabulary(user, name):
    user.choose(user.find("config_vocabulary"), name)
    user.wait(lambda: user.train.looked)


def test_that_a_vocabulary_has_its_number_of_tokens_or_characters_and_one_undo_reverts_the_choice(reading):
    user = reading
    before = user.panel.config
    user.rest(0.7)  # otherwise it is one step with the choice of the text
    vocabulary(user, "characters")
    user.wait(lambda: user.panel.config.vocab_size == CHARACTERS)
    assert not user.find("config_vocab_size").isEnabled()
    user.wait(lambda: user.train.looked)
    user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert user.panel.config == before

    large = user.reads("total_parameters")
    vocabulary(user, "own, from this text")
    assert (user.panel.config.vocabulary, user.panel.config.vocab_size) == ("own", 1_024)
    assert int(user.reads("total_parameters").replace(",", "")) < int(large.replace(",", ""))
    vocabulary(user, "GPT-2")
    assert (user.panel.config.vocab_size, user.reads("total_parameters")) == (50_257, large)

    vocabulary(user, "own, from this text")
    assert f"random guessing: {math.log(1_024):.2f}" in user.train.loss_lines()
    user.train.set(steps=4, eval_freq=2, sample_tokens=0)
    user.wait(lambda: user.train.looked)
    user.train.run_to_end()
    nats = user.train.losses("validation")
    scale = user.find("chart_scale")
    scale.setCurrentIndex(scale.findData("bits"))
    scale.activated.emit(scale.currentIndex())
    divisor = read(user.train.run.journal_path).nats_per_bit(1)
    assert user.train.losses("validation") == pytest.approx([loss / divisor for loss in nats])
    assert f"random guessing: {math.log(1_024) / divisor:.2f}" in user.train.loss_lines()


def test_that_a_text_that_yields_fewer_tokens_than_chosen_has_as_many_also_before_the_run(reading, home):
    user, short = reading, home / "short.txt"
    short.write_text("one two three four five six seven " * 300)
    vocabulary(user, "own, from this text")
    user.train.use_text(str(short))
    user.wait(lambda: user.train.looked)
    size = user.state.tokenizer.size
    assert size < user.panel.config.vocab_size == 1_024
    assert f"random guessing: {math.log(size):.2f}" in user.train.loss_lines()
    assert user.generate.source.config.vocab_size == size
    user.state.all_controls = False
    assert f"random guessing ({math.log(size):.1f})" in user.reads("run_caption")
    user.wait(lambda: "Random weights" in user.find("writes_now").toPlainText())
    first = user.find("writes_now").toPlainText().strip()
    user.train.set(steps=1)
    user.wait(lambda: user.train.looked)
    user.train.run_to_end()
    assert first in user.find("writes_now").toPlainText(), "the model of the run began with it"


def test_that_texts_shows_a_text_under_three_vocabularies(user):
    user.go_to("texts")
    user.wait(lambda: not user.texts.busy and user.texts.names)
    shown = []
    for place in range(3):
        user.click(user.find(f"texts_vocabulary_{place}"))
        shown.append(user.reads("texts_counted"))
    name = user.texts.names[0]
    content = texts.read(name).content
    assert f"Tokens: {len(GPT2.encode(content)):,}" in shown[0]
    assert f"Tokens: {len(content):,}" in shown[2]
    assert "bytes per token: 1.00" in shown[2]
    assert len(set(shown)) == 3
    assert [each.rpartition("  ·  ")[2] for each in shown] == [f"shown: the first {SHOWN_TOKENS}"] * 3


def test_that_texts_shows_short_texts_as_a_whole(user, home):
    (home / "short.txt").write_text("Two words.", encoding="utf-16")
    user.go_to("texts")
    user.window.texts.add([home / "short.txt"])
    user.wait(lambda: user.reads("texts_counted").startswith("Tokens: 3"))
    assert "shown" not in user.reads("texts_counted")
    assert "bytes per token: 3.33" in user.reads("texts_counted"), "10 bytes in UTF-8, whatever the file has"


def test_that_a_vocabulary_is_recommended_for_texts_in_other_languages(reading):
    user = reading
    hint, use = user.find("vocabulary_hint"), user.find("use_own_vocabulary")
    for text, kind, size in (
        ("grimm", "own", 1_024), ("luxun", "characters", len(set(texts.read("luxun").content)) + 2),
    ):
        assert not any(part.isVisible() for part in (hint, use)), "the story is in English"
        user.train.use_text(text)
        user.wait(lambda: user.train.looked)
        content = texts.read(text).content
        train = content[: int(0.9 * len(content))]
        assert f"{len(train.encode()) / len(GPT2.encode(train)):.2f} bytes" in hint.text()
        user.click(use)
        user.wait(lambda: user.train.looked)
        assert (user.panel.config.vocabulary, user.panel.config.vocab_size) == (kind, size)
        assert user.train.spec.sample_prompt in content
        assert not any(part.isVisible() for part in (hint, use)), text
        user.train.use_text("story")
        user.train.set(sample_prompt="Every effort moves you")
        vocabulary(user, "GPT-2")
