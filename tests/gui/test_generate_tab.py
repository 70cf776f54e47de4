"""The Generate tab: a model writes, and every token can be asked what else it could have been."""

import re
import shutil

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QFileDialog

from gptstudio.gpt import sampling, tokenizer
from gptstudio.gpt.config import PRESETS
from gptstudio.gui import jobs
from gptstudio.gui.tabs import text_view
from gptstudio.gui.theme import colour
from gptstudio.gui.widgets.dial import temperature_dial, top_k_dial
from gptstudio.gui.words import percent
from gptstudio.runs import folder
from gptstudio.runs.control import Dials
from gptstudio.runs.events import Ended, PromptRead, TokenDrawn
from gptstudio.runs.source import Fresh, Saved

PROMPT_TOKENS = len(tokenizer.encode("Every effort moves you"))


@pytest.fixture
def writer(user, tiny):
    """The user, in front of an untrained tiny model."""
    user.window.panel.select(tiny)
    user.window.go_to(user.window.generate)
    return user


@pytest.fixture
def painted(monkeypatch):
    """What was painted by hand: text -> its colour."""
    seen: dict[str, str] = {}
    real = QPainter.drawText

    def draw(painter, *args):
        seen[args[-1]] = painter.pen().color().name()
        return real(painter, *args)

    monkeypatch.setattr(QPainter, "drawText", draw)
    return seen


def shares(bars) -> list[float]:
    return [row.after for row in bars.rows]


def expected_shares(drawn: TokenDrawn, dials: Dials, names: int) -> list[float]:
    """What the bars should show, from the logits alone: the listed tokens, and the rest in one."""
    plain = np.exp(drawn.logits.astype(np.float64) - drawn.logits.max())
    listed = np.argsort(-plain, kind="stable")[:names].tolist()
    if drawn.id not in listed:
        listed[-1] = drawn.id
    after = sampling.distribution(drawn.logits, *dials).probabilities
    return [*after[listed].tolist(), 1 - after[listed].sum()]


# The bars.


def test_that_the_bars_show_the_drawn_token_and_sum_to_one_hundred_percent(writer):
    bars = writer.window.generate.view.bars
    writer.write(5)
    drawn = writer.heard(TokenDrawn)[-1]
    assert shares(bars) == pytest.approx(expected_shares(drawn, Dials(1.0, 50), 12))
    assert sum(shares(bars)) == sum(row.before for row in bars.rows) == pytest.approx(1)
    (chosen,) = [row for row in bars.rows if row.chosen]
    assert chosen.name == tokenizer.visible(drawn.id)
    assert chosen.after == pytest.approx(drawn.probability)
    title = f"Token {drawn.position}: {tokenizer.visible(drawn.id)} was chosen, with {percent(drawn.probability)}"
    assert writer.reads("bars_title") == title
    assert f"{drawn.entropy_bits:.2f} bits" in writer.reads("bars_note")
    assert bars.rows[-1].name == f"{50_257 - 12:,} other tokens"


def test_that_a_slider_reshapes_the_bars_from_kept_logits_without_the_model(writer, monkeypatch):
    generate, decoder = writer.window.generate, writer.window.decoder
    writer.write(5)
    writer.wait(lambda: not decoder.busy)
    drawn, came = writer.heard(TokenDrawn)[-1], len(writer.decoding)
    monkeypatch.setattr(jobs.Shelf, "_take", None)  # whoever asks for the model now, fails
    generate.temperature.slider.setFocus()
    seen = [shares(generate.view.bars)]
    for _ in range(5):
        writer.press(Qt.Key.Key_Left)
        assert shares(generate.view.bars) == pytest.approx(expected_shares(drawn, generate.dials(), 12))
        seen.append(shares(generate.view.bars))
        assert not decoder.busy
    assert len({tuple(each) for each in seen}) == 6
    assert generate.dials().temperature == 0.75
    generate.top_k.slider.setFocus()
    writer.press(Qt.Key.Key_Home)
    assert generate.dials().top_k == 1
    assert shares(generate.view.bars)[0] == 1
    writer.rest(0.1)
    assert len(writer.decoding) == came


def test_that_dials_turned_while_it_writes_hold_for_the_tokens_that_follow(writer):
    generate = writer.window.generate
    writer.begin_writing(5000)
    writer.wait(lambda: len(writer.heard(TokenDrawn)) > 3)
    generate.temperature.slider.setFocus()
    writer.press(Qt.Key.Key_Home)
    generate.top_k.slider.setFocus()
    writer.press(Qt.Key.Key_End)
    writer.wait(lambda: writer.heard(TokenDrawn)[-1].top_k is None)
    turned = len(writer.heard(TokenDrawn))
    writer.wait(lambda: len(writer.heard(TokenDrawn)) > turned + 3)
    writer.click(generate.go)
    writer.wait(lambda: not generate.running)
    drawn = writer.heard(TokenDrawn)
    assert (drawn[0].temperature, drawn[0].top_k) == (1.0, 50)
    assert (drawn[-1].temperature, drawn[-1].top_k) == (0.0, None)
    turns = sum(a.temperature != b.temperature for a, b in zip(drawn, drawn[1:], strict=False))
    assert turns == 1, "once turned, it stays"
    assert all(token.probability == 1 for token in drawn if token.temperature == 0)


def test_that_dials_turned_before_the_first_token_hold_for_it(writer):
    """The model is still being loaded."""
    generate = writer.window.generate
    writer.begin_writing(3)
    generate.temperature.slider.setFocus()
    writer.press(Qt.Key.Key_Home)
    writer.wait(lambda: not generate.running)
    assert {token.temperature for token in writer.heard(TokenDrawn)} == {0.0}


def test_that_a_number_just_typed_counts_when_ctrl_enter_is_pressed(writer):
    generate = writer.window.generate
    writer.type("temperature_number", "0.5")
    writer.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert generate.running
    writer.wait(lambda: not generate.running)
    assert {token.temperature for token in writer.heard(TokenDrawn)} == {0.5}


@pytest.mark.parametrize(
    ("made", "typed", "shown", "value"),
    [
        ("temperature", "0,5", "0.50", 0.5), ("temperature", "9", "2.00", 2.0), ("temperature", "-1", "0.00", 0.0),
        ("temperature", "warm", "1.00", 1.0), ("temperature", "nan", "0.00", 0.0), ("temperature", "", "1.00", 1.0),
        ("top_k", "7", "7", 7), ("top_k", "0", "all", 0), ("top_k", "all", "all", 0), ("top_k", "", "all", 0),
        ("top_k", "1,000", "1,000", 1000), ("top_k", "99999999", "50,257", 50_257), ("top_k", "few", "1", 1),
        ("top_k", "-4", "1", 1),
    ],
)  # fmt: skip
def test_that_a_dial_takes_what_can_be_read_and_keeps_the_rest_out(application, qtbot, made, typed, shown, value):
    dial = temperature_dial("Temperature") if made == "temperature" else top_k_dial("Top-k", "all", 50_257)
    qtbot.addWidget(dial)
    dial.set_value(1)
    told = []
    dial.turned.connect(lambda: told.append(dial.value()))
    dial.number.selectAll()
    qtbot.keyClick(dial.number, Qt.Key.Key_Delete)
    qtbot.keyClicks(dial.number, typed)
    qtbot.keyClick(dial.number, Qt.Key.Key_Return)
    assert dial.number.text() == shown
    assert dial.value() == value
    assert told == ([value] if value != 1 else [])


def test_that_every_position_of_a_slider_is_a_value_that_can_be_used(writer):
    generate = writer.window.generate
    for dial in (generate.temperature, generate.top_k):
        for tick in range(dial.slider.maximum() + 1):
            dial.slider.setValue(tick)
            generate.spec()
            value = dial.value()
            dial.set_value(value)
            assert dial.value() == value
    assert generate.dials().top_k is None


def test_that_top_k_cuts_are_grey_and_say_why(writer, painted):
    generate = writer.window.generate
    writer.turn(generate.top_k, "3")
    writer.write(3)
    rows = generate.view.bars.rows
    assert sum(row.after > 0 for row in rows) == 3
    assert sum(not row.cut for row in rows[:-1]) == 3
    assert sum(shares(generate.view.bars)) == pytest.approx(1)
    painted.clear()
    generate.view.bars.repaint()
    assert painted["cut by top-k"] == colour("muted").name()
    kept = next(row.name for row in rows if not row.cut and not row.chosen)
    cut = next(row.name for row in rows if row.cut)
    assert painted[f"   {kept}"] == colour("text").name()
    assert painted[f"   {cut}"] == colour("muted").name()
    assert "cut by top-k" in generate.view.bars.accessibleDescription()


def test_that_temperature_zero_is_the_likeliest_for_certain(writer, painted):
    generate = writer.window.generate
    writer.turn(generate.temperature, "0")
    writer.write(5)
    drawn = writer.heard(TokenDrawn)
    assert [token.id for token in drawn] == [int(np.argmax(token.logits)) for token in drawn]
    assert [token.probability for token in drawn] == [1.0] * 5
    first = generate.view.bars.rows[0]
    assert (first.after, first.chosen, first.name) == (1.0, True, tokenizer.visible(drawn[-1].id))
    assert "100.0 %" in writer.reads("bars_title")
    assert "0.00 bits" in writer.reads("bars_note")
    painted.clear()
    generate.view.bars.repaint()
    assert "100.0 %" in painted
    assert "temperature 0" in painted, "top-k is 50: it is the temperature that leaves the others out"
    assert "cut by top-k" not in painted


# The strip.


def test_that_a_clicked_token_shows_its_candidates_and_arrow_keys_walk(writer):
    generate = writer.window.generate
    writer.write(5)
    drawn = {token.position: token for token in writer.heard(TokenDrawn)}
    first, last = min(drawn), max(drawn)

    def shown() -> int:
        number = int(re.match(r"Token ([\d,]+):", writer.reads("bars_title"))[1].replace(",", ""))
        assert shares(generate.view.bars) == pytest.approx(expected_shares(drawn[number], generate.dials(), 12))
        assert generate.view.strip.current == number
        return number

    assert shown() == last
    writer.click(generate.view.strip, generate.view.strip.place_of(first + 1).center().toPoint())
    assert shown() == first + 1
    walked = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, *[Qt.Key.Key_Left] * 5, *[Qt.Key.Key_Right] * 6):
        writer.press(key)
        walked.append(shown())
    assert walked[:2] == [first + 2, first + 3]
    assert min(walked) == first
    assert walked[-1] == last


def test_that_a_token_of_the_prompt_and_a_gap_cannot_be_chosen(writer):
    generate = writer.window.generate
    writer.write(3)
    before = writer.reads("bars_title")
    writer.click(generate.view.strip, generate.view.strip.place_of(0).center().toPoint())
    writer.click(generate.view.strip, generate.view.strip.rect().bottomRight())
    assert writer.reads("bars_title") == before


def test_that_a_click_while_it_writes_holds_the_bars_there(writer):
    generate = writer.window.generate
    writer.begin_writing(5000)
    writer.wait(lambda: generate.view.strip.place_of(PROMPT_TOKENS))
    writer.click(generate.view.strip, generate.view.strip.place_of(PROMPT_TOKENS).center().toPoint())
    held = writer.reads("bars_title")
    assert held.startswith(f"Token {PROMPT_TOKENS}:")
    came = len(generate.view.strip.boxes)
    writer.wait(lambda: len(generate.view.strip.boxes) > came + 5)
    assert writer.reads("bars_title") == held
    writer.click(generate.go)
    writer.wait(lambda: not generate.running)


def test_that_white_space_and_special_tokens_can_be_seen(writer):
    strip = writer.window.generate.view.strip
    writer.begin_writing(1, "One <|endoftext|>two\n\tthree  four")
    writer.wait(lambda: not writer.window.generate.running)
    shown = [box.text for box in strip.boxes if box.prompt]
    assert "<|endoftext|>" in shown
    assert "".join(shown) == "One␣<|endoftext|>two↵⇥three␣␣four"
    assert [box.breaks for box in strip.boxes if box.text.endswith("↵")] == [True]


def test_that_half_characters_are_bytes_and_never_question_marks(writer):
    generate = writer.window.generate
    writer.begin_writing(1, "a 🦔 é 漢 \u200b \x07")
    writer.wait(lambda: not generate.running)
    boxes = generate.view.strip.boxes
    assert not [box for box in boxes if "\ufffd" in box.text + box.tip]
    halves = [box.text for box in boxes if re.fullmatch(r"⟨[0-9A-F]{2}( [0-9A-F]{2})*⟩", box.text)]
    assert len(halves) >= 3
    assert all(box.text for box in boxes), "a box without a sign in it"
    assert generate.view.text().startswith("a 🦔 é 漢 \u200b \x07")


def test_that_an_untrained_model_draws_no_question_marks_either(writer):
    writer.write(300)
    assert not [box for box in writer.window.generate.view.strip.boxes if "\ufffd" in box.text + box.tip]


def test_that_no_two_boxes_of_the_strip_overlap(writer):
    strip = writer.window.generate.view.strip
    writer.begin_writing(60, "One two\nthree 🦔 four, " * 5)
    writer.wait(lambda: not writer.window.generate.running)
    for width in (900, 300, 120):
        strip.resize(width, strip.height())
        places = [strip.place_of(box.position) for box in strip.boxes]
        assert not [1 for i, a in enumerate(places) for b in places[i + 1 :] if a.intersects(b)]


# The prompt.


def test_that_a_prompt_longer_than_the_context_says_how_much_is_not_seen(writer):
    prompt = "one two three four five six seven eight nine ten " * 2
    dropped = len(tokenizer.encode(prompt)) - 16
    assert dropped > 0
    writer.begin_writing(2, prompt)
    writer.wait(lambda: not writer.window.generate.running)
    words = f"The prompt is longer than the model's context: its first {dropped} tokens are not seen."
    assert writer.reads("generate_notice") == words
    assert len(writer.heard(TokenDrawn)) == 2


def test_that_an_empty_prompt_says_so_and_the_next_one_works(writer):
    generate = writer.window.generate
    writer.begin_writing(2, "")
    writer.wait(lambda: not generate.running)
    assert writer.reads("generate_notice").startswith("The prompt is empty.")
    assert generate.go.text() == "Generate"
    assert generate.go.isEnabled()
    writer.begin_writing(2, "A word")
    assert writer.reads("generate_notice") == ""
    writer.wait(lambda: len(writer.heard(TokenDrawn)) == 2)


def test_that_a_wrong_setting_is_said_at_its_field_and_nothing_starts(writer):
    generate = writer.window.generate
    writer.type("generate_max_new_tokens", "0")
    words = "max_new_tokens is 0; allowed is a whole number from 1 to 100,000."
    assert writer.reads("generate_max_new_tokens_problem") == words
    writer.click(generate.go)
    assert not generate.running
    assert words in writer.reads("generate_notice")
    writer.type("generate_max_new_tokens", "2")
    assert writer.reads("generate_max_new_tokens_problem") == ""
    writer.click(generate.go)
    assert writer.reads("generate_notice") == ""
    writer.wait(lambda: not generate.running)


# The stream.


def test_that_stop_ends_the_stream(writer):
    generate = writer.window.generate
    writer.begin_writing(50_000)
    assert generate.go.text() == generate.go.accessibleName() == "Stop"
    writer.wait(lambda: len(generate.view.strip.boxes) > PROMPT_TOKENS + 3)
    writer.click(generate.go)
    writer.wait(lambda: not generate.running)
    assert writer.heard(Ended)[-1].outcome == "stopped"
    held = len(generate.view.strip.boxes)
    writer.rest(0.1)
    assert len(generate.view.strip.boxes) == held < 5000
    assert generate.go.text() == "Generate"
    assert writer.reads("generate_phase") == f"{held - PROMPT_TOKENS:,} new tokens. Click one."


def test_that_the_same_seed_writes_the_same_and_another_seed_something_else(writer):
    def text_of(seed: int) -> str:
        writer.window.generate.settings.editors["seed"].set_value(seed)
        writer.write(10)
        return writer.window.generate.view.text()

    first = text_of(5)
    assert text_of(5) == first
    assert text_of(6) != first


def test_that_copy_gives_the_text(writer):
    generate = writer.window.generate
    writer.begin_writing(20, "One\ntwo 🦔")
    writer.wait(lambda: not generate.running)
    writer.click(generate.view.copy)
    ids = [piece.id for piece in writer.heard(PromptRead)[0].pieces] + [each.id for each in writer.heard(TokenDrawn)]
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("One\ntwo 🦔")
    assert copied.replace("\x00", "") == tokenizer.decode(ids).replace("\x00", "")


def test_that_copy_of_nothing_leaves_the_clipboard_alone(writer):
    QGuiApplication.clipboard().setText("something precious")
    writer.qtbot.mouseClick(writer.window.generate.view.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "something precious"


def test_that_logits_are_kept_for_the_newest_tokens_only(writer, monkeypatch):
    monkeypatch.setattr(text_view, "KEPT_LOGITS", 5)
    generate = writer.window.generate
    writer.write(12)
    first = writer.heard(TokenDrawn)[0].position
    kept = []
    for position in range(first, first + 12):
        generate.view.show_position(position)
        if generate.view.bars.rows:
            kept.append(position)
        else:
            assert writer.reads("bars_title") == "Logits are kept for the newest 5 tokens."
            assert writer.reads("bars_note") == ""
    assert kept == list(range(first + 7, first + 12))
    generate.temperature.slider.setFocus()
    writer.press(Qt.Key.Key_Left)  # on a token without logits nothing breaks


# The model.


def test_that_the_untrained_model_follows_the_panel(writer, tiny):
    generate = writer.window.generate
    assert generate.source() == Fresh(tiny)
    assert generate.model_box.currentText() == "Untrained, as in the Model panel"
    writer.window.panel.select(PRESETS["book"])
    assert generate.source() == Fresh(PRESETS["book"])
    writer.type("config_n_layers", "0")
    assert not generate.go.isEnabled()
    assert generate.go.toolTip() == "The model has a problem: see the Model panel."
    writer.type("config_n_layers", "12")
    assert generate.go.isEnabled()


def test_that_the_untrained_model_is_still_offered_after_a_run_ended_beside_a_problem(user):
    user.begin_training(steps=5000, eval_freq=1000)
    user.type("config_n_layers", "0")
    user.click(user.window.train.stop_button)
    user.wait(lambda: not user.window.train.running)
    generate = user.window.generate
    assert isinstance(generate.source(), Saved)
    user.type("config_n_layers", "1")
    user.choose(generate.model_box, "Untrained, as in the Model panel")
    assert generate.source() == Fresh(user.window.panel.config)
    assert generate.go.isEnabled()


def test_that_a_model_too_large_for_the_memory_says_so(writer):
    writer.window.panel.select(PRESETS["gpt2-xl"].but(emb_dim=65_536, n_heads=1, n_layers=1000))
    writer.write(2)
    assert "There is not enough memory to generate with this model" in writer.reads("generate_notice")
    assert writer.window.generate.go.isEnabled()


def test_that_a_checkpoint_from_the_disk_is_opened_offered_and_kept(user, home, monkeypatch):
    generate = user.window.generate
    source = user.train(steps=6)
    elsewhere = home / "elsewhere"
    shutil.copytree(source.path.parent.parent, elsewhere)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: str(elsewhere))
    user.window.go_to(generate)
    user.choose(generate.model_box, "Choose a checkpoint …")
    opened = Saved(elsewhere / "checkpoints" / "step-000005")
    assert generate.source() == opened
    assert user.reads("model_name") == "elsewhere, step 5, on CPU"
    user.write(3)
    assert user.heard(PromptRead)[-1].model == "elsewhere, step 5"
    user.window.go_to(user.window.train)
    user.click(user.window.train.start)
    user.wait(lambda: not user.window.train.running)
    assert generate.offers(opened)
    assert generate.source() == Saved(folder.all_runs()[0].newest_checkpoint())


def test_that_a_folder_without_a_model_says_so_and_the_choice_stays(user, home, monkeypatch):
    generate = user.window.generate
    source = user.train(steps=6)
    user.window.go_to(generate)
    for chosen, words in ((str(home), "There is no model"), ("", "")):
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args, chosen=chosen: chosen)
        user.choose(generate.model_box, "Choose a checkpoint …")
        assert generate.source() == source
        assert user.reads("generate_notice").startswith(words)
        assert generate.go.isEnabled()


@pytest.mark.parametrize("harm", ["a flipped bit", "cut off", "no weights", "another state", "gone"])
def test_that_a_broken_checkpoint_says_so(user, home, monkeypatch, harm):
    generate = user.window.generate
    broken = home / "broken"
    shutil.copytree(user.train(steps=2).path, broken)
    weights = broken / "model.safetensors"
    data = bytearray(weights.read_bytes())
    if harm == "a flipped bit":
        data[len(data) // 2] ^= 1
        weights.write_bytes(data)
    elif harm == "cut off":
        weights.write_bytes(data[: len(data) // 2])
    elif harm == "no weights":
        weights.unlink()
    elif harm == "another state":
        (broken / "state.json").write_text("{}")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: str(broken))
    user.window.go_to(generate)
    user.choose(generate.model_box, "Choose a checkpoint …")
    if harm == "gone":
        shutil.rmtree(broken)
    user.write(2)
    assert str(broken) in user.reads("generate_notice")
    assert "Something went wrong" not in user.reads("generate_notice")
    assert user.heard(TokenDrawn) == []
    assert generate.go.isEnabled()
    user.choose(generate.model_box, "Untrained, as in the Model panel")
    user.write(2)
    assert user.reads("generate_notice") == ""


def test_that_a_job_that_raises_ends_the_text_with_words(writer, monkeypatch, failures):
    def broken(*args):
        raise RuntimeError("the decoder went home")

    monkeypatch.setattr(jobs.Shelf, "decoding", lambda *args: broken)
    writer.write(2)
    assert writer.reads("generate_notice") == "RuntimeError: the decoder went home"
    assert writer.window.generate.go.isEnabled()
    failures.clear()


def test_that_the_model_is_loaded_once_for_several_texts(writer, monkeypatch):
    from gptstudio.runs import source

    loaded, real = [], source.load
    monkeypatch.setattr(source, "load", lambda *args: loaded.append(args) or real(*args))
    writer.write(2)
    writer.write(2)
    assert len(loaded) == 1
    writer.window.panel.select(PRESETS["workshop"].but(emb_dim=32))
    writer.write(2)
    assert len(loaded) == 2
