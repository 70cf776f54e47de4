"""The Generate tab: a model generates, and every token shows its alternatives."""

import json
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from messages import message
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPushButton

from gptstudio.app import text_document
from gptstudio.app.requests import ModelCache
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.sampling import sampler
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import percent
from gptstudio.inference import tree_files
from gptstudio.training import model_source, run_folder
from gptstudio.training.events import Ended, PromptRead, TokenDrawn, TokenRead
from gptstudio.training.model_source import SavedModel, UntrainedModel

FIRST_PAGE = "generate"
ALL_WORDS = True

PROMPT_TOKENS = len(GPT2.encode("Every effort moves you"))


def rows_of(writer) -> list:
    """Return the rows of the table of choices."""
    return writer.generate.choices()


def shares(writer) -> list[float]:
    return [row.after for row in rows_of(writer)]


def expected_shares(drawn: TokenDrawn, sampling_params: SamplingParams, names: int) -> list[float]:
    """Return the expected lengths of the bars, from the logits alone: those of the listed tokens, and that of the
    rest."""
    plain = np.exp(drawn.logits.astype(np.float64) - drawn.logits.max())
    listed = np.argsort(-plain, kind="stable")[:names].tolist()
    if drawn.id not in listed:
        listed.insert(0, drawn.id)
    after = sampler.distribution(drawn.logits, sampling_params).probabilities
    return [*after[listed].tolist(), 1 - after[listed].sum()]


# The bars.


def test_that_parameters_apply_to_the_following_tokens_and_the_table_shows_what_they_cut_in_their_order(writer):
    writer.generate.begin(3)
    writer.generate.param("temperature").slider.setFocus()
    writer.press(Qt.Key.Key_Home)  # before the first token: the model is still being loaded
    writer.generate.wait_ended()
    assert {token.sampling_params.temperature for token in writer.received(TokenDrawn)} == {0.0}

    writer.decoding.clear()
    writer.type("temperature_number", "0.5")  # a number that was just typed applies
    writer.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    writer.wait(lambda: len(writer.received(TokenDrawn)) == 3)  # which may be over before the check
    writer.generate.wait_ended()
    assert {token.sampling_params.temperature for token in writer.received(TokenDrawn)} == {0.5}

    writer.decoding.clear()
    writer.generate.set_params(SamplingParams(temperature=1.0, top_k=50))
    writer.generate.begin(5000)
    writer.wait(lambda: len(writer.received(TokenDrawn)) > 3)
    writer.generate.param("temperature").slider.setFocus()
    writer.press(Qt.Key.Key_Home)
    writer.generate.param("top_k").slider.setFocus()
    writer.press(Qt.Key.Key_End)
    writer.wait(lambda: writer.received(TokenDrawn)[-1].sampling_params.top_k is None)
    turned = len(writer.received(TokenDrawn))
    writer.wait(lambda: len(writer.received(TokenDrawn)) > turned + 3)
    writer.generate.go()
    writer.generate.wait_ended()
    drawn = writer.received(TokenDrawn)
    assert (drawn[0].sampling_params.temperature, drawn[0].sampling_params.top_k) == (1.0, 50)
    assert (drawn[-1].sampling_params.temperature, drawn[-1].sampling_params.top_k) == (0.0, None)
    turns = sum(a.sampling_params.temperature != b.sampling_params.temperature for a, b in pairwise(drawn))
    assert turns == 1, "once turned, it stays"
    assert all(token.probability == 1 for token in drawn if token.sampling_params.temperature == 0)

    writer.decoding.clear()
    writer.generate.set_params(SamplingParams(temperature=1.0, top_k=50))
    writer.generate.set_parameter("top_k", "3")
    writer.generate.write(3)
    rows = rows_of(writer)
    assert sum(row.after > 0 for row in rows) == 3
    assert sum(not row.reasons for row in rows[:-1]) == 3
    assert sum(shares(writer)) == pytest.approx(1)
    assert next(row.outcome for row in rows[:-1] if row.reasons) == "removed: rank 4, top-k is 3"

    writer.decoding.clear()
    writer.generate.set_parameter("top_k", "50")
    writer.generate.set_parameter("temperature", "0")
    writer.generate.write(5)
    drawn = writer.received(TokenDrawn)
    assert [token.id for token in drawn] == [int(np.argmax(token.logits)) for token in drawn]
    assert [token.probability for token in drawn] == [1.0] * 5
    first, second = rows_of(writer)[:2]
    assert (first.after, first.came, first.name) == (1.0, True, GPT2.visible(drawn[-1].id))
    assert "100.0 %" in writer.reads("bars_title")
    assert "0.00 bits" in writer.reads("bars_note")
    assert "temperature" in second.outcome.lower(), "top-k is 50: it is the temperature that leaves the others out"

    order = SamplingParams(order=("top_k", "temperature", "top_p", "min_p", "repetition_penalty")).order
    writer.generate.reorder(order)
    assert writer.generate.sampling_params.order == order
    writer.generate.write(2)
    assert writer.received(TokenDrawn)[-1].sampling_params.order == order


# Branches.


def test_that_a_clicked_candidate_branches_the_text_and_chosen_tokens_are_marked_also_after_the_prompt(writer):
    writer.generate.write(8)
    before = writer.generate.ids()
    writer.click(writer.generate.strip, writer.generate.strip.place_of(6).center().toPoint())
    other = next(row.token for row in rows_of(writer) if not row.came)
    writer.generate.branch(other)
    assert writer.generate.running
    writer.generate.wait_ended()
    after = writer.generate.ids()
    assert after[:7] == [*before[:6], other]
    assert len(after) == len(before), "it goes on to its length"
    leaves = list(writer.generate.text.snapshot.tree.leaves())
    assert len(leaves) == 2
    assert writer.generate.text.walk.forks == [6]

    writer.generate.go_button.setFocus()
    writer.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert writer.generate.ids() == before
    writer.press(Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert writer.generate.ids() == after

    came = len(writer.decoding)
    writer.generate.choose(6)
    writer.generate.branch(before[6])
    assert not writer.generate.running, "what was followed before is only gone to"
    assert writer.generate.ids() == before
    assert len(writer.decoding) == came

    generate = writer.generate
    generate.write(6)
    for position in (PROMPT_TOKENS + 3, PROMPT_TOKENS):
        generate.choose(position)
        generate.branch(11)
        generate.wait_ended()
        assert message("you_chose_token") in generate.strip.words(position)
        assert generate.text.given == generate.strip.new_from == PROMPT_TOKENS
        beside = generate.strip.words(position - 1) + generate.strip.words(position + 1)
        assert message("you_chose_token") not in beside


def test_that_stepping_and_playing_at_the_end_draw_the_same_tokens_as_one_generation(writer):
    writer.generate.write(6)
    whole = writer.generate.ids()
    writer.generate.text.remove(writer.generate.view.document.path[PROMPT_TOKENS + 2].key)
    writer.generate.view.show_text()
    writer.generate.strip.setFocus()
    for _ in range(4):
        writer.generate.step()
        writer.generate.wait_ended()
    assert writer.generate.ids() == whole
    writer.window.actions_of["transport_back"].trigger()
    assert writer.generate.strip.current == len(whole) - 2
    assert writer.generate.ids() == whole, "going back takes nothing away"

    writer.generate.write(2)
    length = len(writer.generate.ids())
    writer.generate.choose(length - 2)
    writer.generate.view.transport.slider.setValue(writer.generate.view.transport.slider.maximum())
    writer.click(writer.generate.play_button)
    writer.wait(lambda: len(writer.generate.ids()) >= length + 2)
    writer.click(writer.generate.play_button)
    writer.generate.wait_ended()
    held = len(writer.generate.ids())
    writer.rest(0.2)
    assert len(writer.generate.ids()) == held
    assert writer.generate.strip.current == held - 1


def test_that_a_tree_is_opened_again_but_not_over_a_text_being_written_which_is_inspected_and_branched(writer):
    writer.generate.write(4)
    writer.generate.choose(5)
    writer.generate.branch(11)
    writer.generate.wait_ended()
    branched = writer.generate.ids()
    writer.generate.save_tree("two ways")
    (saved,) = tree_files.saved_trees(writer.generate.source)
    writer.generate.write(2)
    writer.generate.write(2, "Something else")
    writer.generate.open_tree(saved.path)
    assert writer.generate.ids() == branched
    assert len(list(writer.generate.text.snapshot.tree.leaves())) == 2
    writer.wait(lambda: rows_of(writer) and not writer.busy("model"))
    assert rows_of(writer), "logits are computed again for a text from a file"

    writer.generate.begin(5000, "Another text")
    writer.wait(lambda: len(writer.generate.ids()) > 6)
    writer.generate.open_tree(saved.path)
    assert writer.reads("generate_notice") == message("text_being_written")
    writer.rest(0.1)
    assert writer.generate.written().startswith("Another text")
    writer.generate.go()
    writer.generate.wait_ended()
    writer.generate.open_tree(saved.path)
    assert writer.reads("generate_notice") == ""
    assert writer.generate.ids() == branched
    saved.path.write_text(json.dumps(json.loads(saved.path.read_text(encoding="utf-8")) | {"model": "another"}))
    writer.generate.open_tree(saved.path)
    assert "was generated by another." in writer.reads("generate_notice")
    assert writer.find("generate_notice").property("role") == "notice", "not the red of an error"

    writer.decoding.clear()
    transport, strip = writer.generate.view.transport, writer.generate.strip
    writer.generate.begin(5000, "Every effort moves you")
    writer.wait(lambda: writer.received(TokenDrawn) and strip.place_of(PROMPT_TOKENS))
    writer.click(strip, strip.place_of(PROMPT_TOKENS).center().toPoint())
    held = writer.reads("bars_title")
    assert held.startswith(f"Position {PROMPT_TOKENS}:")
    came = len(strip.boxes)
    writer.wait(lambda: len(strip.boxes) > came + 5)
    assert writer.reads("bars_title") == held, "a click holds the bars there"

    writer.generate.choose(1)
    writer.generate.step()
    assert strip.current == 2, "what is there can be walked while more is written"
    writer.click(transport.end)
    came = len(strip.boxes)
    writer.wait(lambda: len(strip.boxes) > came + 3)
    assert strip.current == len(strip.boxes) - 1

    writer.generate.choose(PROMPT_TOKENS + 2)
    before = writer.generate.ids()[: PROMPT_TOKENS + 2]
    writer.generate.set(max_new_tokens=8)
    writer.generate.branch(11)
    writer.wait(lambda: not writer.generate.running and len(writer.received(Ended)) == 2)
    assert [ended.outcome for ended in writer.received(Ended)] == ["stopped", "finished"]
    assert writer.generate.ids()[: PROMPT_TOKENS + 3] == [*before, 11]
    assert len(writer.generate.ids()) == PROMPT_TOKENS + 8


def test_that_samples_are_counted_and_shown_at_the_same_position_and_an_ended_text_gives_the_reason(writer):
    writer.generate.set(samples=3)
    writer.generate.write(5)
    assert writer.reads("text_title") == "Text 1 of 3"
    assert "The Branches pane shows all 3 texts." in writer.reads("generate_phase")
    writer.generate.choose(PROMPT_TOKENS + 1)
    texts = [writer.generate.ids()]
    for number in (2, 3):
        writer.click(writer.generate.view.card.later)
        assert writer.reads("text_title") == f"Text {number} of 3"
        assert writer.generate.strip.current == PROMPT_TOKENS + 1
        texts.append(writer.generate.ids())
    assert len({tuple(text) for text in texts}) == 3
    assert not writer.generate.view.card.later.isEnabled()
    writer.click(writer.generate.view.card.earlier)
    assert writer.generate.ids() == texts[1]
    writer.generate.set(samples=1)
    writer.generate.write(2)
    assert writer.generate.ids() == texts[0][: PROMPT_TOKENS + 2], "the beginning of a text that is there"
    assert writer.reads("text_title") == "Text 1 of 3"

    writer.generate.write(6)
    third = GPT2.decode([writer.generate.ids()[PROMPT_TOKENS + 2]])
    writer.generate.set(stop_text=third)
    writer.generate.write(6)
    ended = writer.generate.ids()
    assert len(ended) <= PROMPT_TOKENS + 3
    assert writer.reads("generate_phase").startswith(message("came_text_stop"))
    assert not writer.generate.forward_button.isEnabled()
    assert "The stop text was reached. To continue, choose another token" in writer.generate.forward_button.toolTip()
    writer.generate.step()
    writer.generate.play()
    assert not writer.generate.running
    assert writer.generate.ids() == ended


# Undo.


def test_that_every_action_is_undone_and_redone_and_the_prompt_has_its_own_undo(writer):
    script = writer.generate.text

    def state() -> tuple:
        return writer.generate.ids(), [(node.id, node.name) for node in script.snapshot.tree.nodes.values()]

    def rename() -> None:
        writer.generate.view.branches.rename_requested.emit(script.path[-1].key, "mine")

    def remove() -> None:
        writer.generate.view.branches.remove_requested.emit(script.path[-2].key)

    def branch() -> None:
        writer.generate.choose(PROMPT_TOKENS + 1)
        writer.generate.branch(11)

    def open_saved() -> None:
        writer.generate.save_tree("kept")
        writer.generate.open_tree(tree_files.saved_trees(writer.generate.source)[0].path)

    def another() -> None:
        writer.generate.begin(3, "Something else")

    states = [state()]
    for act in (lambda: writer.generate.write(4), branch, rename, writer.generate.step, remove, open_saved, another):
        if act == writer.generate.step:
            writer.generate.end()
        act()
        writer.generate.wait_ended()
        states.append(state())
    writer.generate.go_button.setFocus()
    for before in states[-2::-1]:
        writer.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert state() == before
    for after in states[1:]:
        writer.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        assert state() == after

    # In the prompt, undo is the prompt's own.
    before = writer.generate.ids()
    writer.type("prompt", "Another")
    writer.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert writer.generate.prompt.toPlainText() != "Another"
    assert writer.generate.ids() == before


# Walking and playing.


def test_that_the_keys_step_play_and_stop_and_playing_ends_when_the_user_does_something_else(writer):
    generate, view = writer.generate, writer.generate.view
    generate.write(2)
    length = len(writer.generate.ids())
    generate.go_button.setFocus()
    for key in (Qt.Key.Key_Comma, Qt.Key.Key_Comma, Qt.Key.Key_S):
        writer.press(key)
    assert generate.strip.current == length - 2
    writer.press(Qt.Key.Key_Period)
    writer.press(Qt.Key.Key_Period)
    writer.wait(lambda: len(writer.generate.ids()) == length + 1 and not generate.running)
    generate.view.transport.slider.setValue(view.transport.slider.maximum())
    writer.press(Qt.Key.Key_P)
    writer.wait(lambda: len(writer.generate.ids()) >= length + 3)
    assert generate.go_button.text() == "Stop"
    assert not generate.segments.isEnabled()
    writer.press(Qt.Key.Key_P)
    assert not generate.playing
    generate.wait_ended()
    assert generate.go_button.text() == "Generate"
    generate.strip.setFocus()
    generate.set(max_new_tokens=1000)  # a text of two tokens may end before the key is released
    writer.press(Qt.Key.Key_Space)
    assert generate.running
    writer.press(Qt.Key.Key_Space)
    generate.wait_ended()
    assert len(generate.ids()) < 1000

    strip = generate.strip
    generate.write(4)
    generate.view.transport.slider.setValue(0)
    for how, act in {
        "the button": generate.go, "Esc": lambda: writer.press(Qt.Key.Key_Escape),
        "a click": lambda: writer.click(strip, strip.place_of(2).center().toPoint()),
        "another view": lambda: writer.go_to("train"), "another text": lambda: generate.branch(11),
    }.items():  # fmt: skip
        writer.go_to("generate")
        generate.choose(0)
        generate.go_button.setFocus()
        writer.press(Qt.Key.Key_P)
        assert generate.playing, how
        act()
        assert not generate.playing, how
        assert generate.running == (how == "another text"), f"{how}: it stops, and begins nothing new"
        generate.wait_ended()


# The page.


def test_that_the_page_describes_itself_before_the_first_text_and_n_goes_to_the_most_uncertain_next_token(writer):
    blocked = writer.window.actions_of["transport_uncertain"]
    assert not blocked.isEnabled()
    assert writer.find("write_welcome").isVisible()
    assert "Press Generate" in writer.reads("write_welcome")
    assert message("has_not_been") in writer.reads("write_welcome")
    assert not writer.generate.view.transport.isVisible()
    QGuiApplication.clipboard().setText("something precious")
    writer.qtbot.mouseClick(writer.generate.view.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "something precious"

    writer.generate.write(20, "One\ntwo 🦔")
    assert not writer.find("write_welcome").isVisible()
    assert writer.generate.view.transport.isVisible()
    writer.click(writer.generate.view.copy)
    ids = [piece.id for piece in writer.received(PromptRead)[0].pieces]
    ids += [each.id for each in writer.received(TokenDrawn)]
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("One\ntwo 🦔")
    assert copied.replace("\x00", "") == GPT2.decode(ids).replace("\x00", "")

    text, strip = writer.generate.text, writer.generate.strip
    bits = [node.reading.plain_entropy_bits for node in text.path]
    assert bits[0] is None
    known = range(1, len(bits))
    expected, at = [], max(known, key=bits.__getitem__)
    while at < len(bits) - 1:
        expected.append(at)
        at = max(range(at + 1, len(bits)), key=bits.__getitem__)
    expected.append(at)
    strip.setFocus()
    visited = []
    for _ in range(len(expected) + 1):
        writer.press(Qt.Key.Key_N)
        visited.append(text.snapshot.cursor)
    assert visited == [*expected, expected[0]], "from the last one to that of the whole text"
    writer.generate.choose(0)
    writer.click(writer.find("transport_uncertain"))
    assert text.snapshot.cursor == expected[0]

    writer.generate.undo()
    assert writer.find("write_welcome").isVisible()
    assert writer.generate.view.transport.redo.isVisible(), "what was undone can be done again"


def test_that_at_twice_the_text_size_everything_is_shown_without_sideways_scrolling(writer):
    window, generate = writer.window, writer.generate
    window.resize(960, 800)
    theme.enlarge(2)
    generate.set(samples=3)
    generate.write(3)
    assert "The Branches pane shows all 3 texts." in writer.reads("generate_phase"), "as much as is ever said there"
    page = writer.find("generate_scroll")
    writer.wait(lambda: page.horizontalScrollBar().maximum() == 0)
    controls = writer.find("generate_side_scroll")
    writer.wait(lambda: controls.verticalScrollBar().maximum() == 0)  # the page scrolls, not the card
    assert generate.widget.height() > page.viewport().height()


FIRST = "model", "prompt", "generate_max_new_tokens", "temperature", "top_k", "top_p", "generate"
FOLDED = "min_p", "typical_p", "repetition_penalty", "generate_seed", "generate_samples", "generate_stop_text"


def test_that_the_side_shows_frequent_settings_and_a_button_or_a_problem_shows_the_rest(writer):
    def in_side(name: str) -> bool:
        return writer.find(name).isVisible() and not writer.find(name).visibleRegion().isEmpty()

    for size in ((1280, 800), (1024, 700)):
        writer.window.resize(*size)
        writer.rest(0.1)
        scroll = writer.find("generate_side_scroll")
        assert all(in_side(name) for name in FIRST)
        assert scroll.verticalScrollBar().maximum() == 0
        assert not any(writer.find(name).isVisible() for name in FOLDED)
        writer.click(writer.find("more_stages"))
        assert all(writer.find(name).isVisible() for name in FOLDED)
        writer.click(writer.find("more_stages"))
        assert not any(writer.find(name).isVisible() for name in FOLDED)

    state = writer.window.state
    state.generate_values = {**state.generate_values, "seed": 7}
    assert writer.find("generate_seed").isVisible()
    state.generate_values = {**state.generate_values, "seed": 123, "samples": 0}
    assert not writer.find("generate_seed").isVisible()
    assert writer.find("generate_samples_problem").isVisible()
    state.generate_values = {**state.generate_values, "samples": 1}
    state.sampling_params = state.sampling_params.but(min_p=0.1)
    assert [name for name in FOLDED if writer.find(name).isVisible()] == ["min_p"]
    state.sampling_params = state.sampling_params.but(min_p=0.0)
    assert not writer.find("min_p").isVisible()

    panes = writer.generate.panes
    assert [panes.tabText(place) for place in range(panes.count())] == ["Choices", "Branches", "Inside", "Experiments"]
    for name in panes.places:
        writer.generate.open_pane(name)
        assert writer.generate.pane(name).isVisible()
    writer.generate.open_pane("layers")
    writer.generate.open_pane("choices")
    assert not writer.generate.pane("layers").isVisible()

    samples = writer.generate.editors["samples"]
    writer.click(writer.find("more_stages"))
    shown = []
    for view in range(3):
        writer.generate.switch_to(view)
        shown.append(samples.isVisible())
    assert shown == [True, False, False]
    writer.generate.switch_to(0)

    writer.window.resize(1280, 800)
    qtbot = writer.qtbot
    card, panes = writer.generate.view.card, writer.generate.panes
    grip = card.parent().handle(1)
    before, share = card.height(), card.height() / (card.height() + panes.height())
    assert share == pytest.approx(0.4, abs=0.03)
    for by, larger in ((80, True), (-2_000, False), (4_000, True)):
        start, middle = card.height(), grip.rect().center()
        qtbot.mousePress(grip, Qt.MouseButton.LeftButton, pos=middle)
        qtbot.mouseMove(grip, middle + QPoint(0, by))
        qtbot.mouseRelease(grip, Qt.MouseButton.LeftButton, pos=middle)
        assert (card.height() > start) == larger
        assert card.height() >= card.minimumSizeHint().height()
        assert panes.height() >= panes.minimumSizeHint().height()
    assert card.height() > before


# The strip.


def test_that_a_clicked_token_shows_its_candidates_arrow_keys_walk_and_hovered_tokens_describe_themselves(writer):
    generate = writer.generate
    generate.write(5)
    drawn = {token.position: token for token in writer.received(TokenDrawn)}
    given = {token.position: token for token in writer.received(TokenRead) if token.logits is not None}
    first, last = 0, max(drawn)

    def shown() -> int:
        number = generate.strip.current
        if number:
            assert writer.reads("bars_title").startswith(f"Position {number}: ")
        if number:
            expected = expected_shares((given | drawn)[number], generate.sampling_params, 12)
            assert shares(writer) == pytest.approx(expected)
        assert generate.strip.current == number
        return number

    assert shown() == last
    writer.click(generate.strip, generate.strip.place_of(2).center().toPoint())
    assert shown() == 2
    walked = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, *[Qt.Key.Key_Left] * 6, *[Qt.Key.Key_Right] * 12):
        writer.press(key)
        walked.append(shown())
    assert walked[:2] == [3, 4]
    assert min(walked) == first
    assert walked[-1] == last

    writer.click(writer.generate.strip, writer.generate.strip.place_of(0).center().toPoint())
    assert message("nothing_before_token") in writer.reads("choices_nothing")
    writer.click(writer.generate.strip, writer.generate.strip.rect().bottomRight())
    assert writer.generate.strip.current == 0

    writer.generate.open_pane("attention")
    writer.wait(lambda: writer.generate.view.attention.answer is not None)
    writer.qtbot.mouseMove(writer.generate.strip, writer.generate.strip.place_of(1).center().toPoint())
    token = GPT2.visible(writer.generate.ids()[1])
    assert writer.reads("attention_looks") == f"“{token}” attends most to"


# The prompt.


def test_that_any_prompt_is_continued_a_long_or_empty_one_is_reported_and_stop_ends_the_stream(writer):
    writer.generate.write(1, "a 🦔 é 漢 \u200b \x07 שלום")
    assert writer.generate.written().startswith("a 🦔 é 漢 \u200b \x07 שלום")
    assert not [box for box in writer.generate.strip.boxes if "\ufffd" in box.text]

    writer.decoding.clear()
    prompt = "one two three four five six seven eight nine ten " * 2
    dropped = len(GPT2.encode(prompt)) - 16
    assert dropped > 0
    writer.generate.write(2, prompt)
    words = f"The prompt is longer than the context length. Prompt tokens the model does not see: {dropped}."
    assert writer.reads("generate_notice") == words
    assert writer.find("generate_notice").property("role") == "notice", "not the red of an error"
    assert len(writer.received(TokenDrawn)) == 2

    writer.generate.write(20, "Every effort moves you")
    for add in (writer.generate.step, lambda: writer.generate.branch(11)):
        add()
        writer.generate.wait_ended()
        assert writer.reads("generate_notice") == "", "a text that has outgrown the context is no prompt too long"

    writer.generate.write(2, "")
    assert writer.reads("generate_notice").startswith(message("the_prompt_is_empty"))
    assert writer.generate.go_button.text() == "Generate"
    assert writer.generate.go_button.isEnabled()
    writer.decoding.clear()
    writer.generate.begin(2, "A word")
    assert writer.reads("generate_notice") == ""
    writer.wait(lambda: len(writer.received(TokenDrawn)) == 2 and not writer.generate.running)

    writer.type("generate_max_new_tokens", "0")
    words = "New tokens must be a whole number between 1 and 100,000, not 0."
    assert writer.reads("generate_max_new_tokens_problem") == words
    writer.generate.go()
    assert not writer.generate.running
    assert words in writer.reads("generate_notice")
    writer.type("generate_max_new_tokens", "2")
    assert writer.reads("generate_max_new_tokens_problem") == ""
    writer.generate.go()
    assert writer.reads("generate_notice") == ""
    writer.generate.wait_ended()

    writer.generate.begin(50_000, "Every effort moves you")
    assert writer.generate.go_button.text() == writer.generate.go_button.accessibleName() == "Stop"
    writer.wait(lambda: len(writer.generate.strip.boxes) > PROMPT_TOKENS + 3)
    writer.generate.go()
    writer.generate.wait_ended()
    assert writer.received(Ended)[-1].outcome == "stopped"
    held = len(writer.generate.strip.boxes)
    writer.rest(0.1)
    assert len(writer.generate.strip.boxes) == held < 5000
    assert writer.generate.go_button.text() == "Generate"
    assert writer.reads("generate_phase").startswith(f"New tokens: {held - PROMPT_TOKENS:,}.")


# The stream.


def test_that_the_bars_show_the_drawn_token_a_slider_reshapes_them_and_released_logits_are_requested_again(
    writer, tiny, monkeypatch
):
    # Released logits are requested again, also beyond the context.
    monkeypatch.setattr(text_document, "CACHED_LOGITS", 5)
    writer.generate.write(30)
    for place in (0, 12, 13, 20):
        drawn = writer.received(TokenDrawn)[place]
        assert (drawn.position >= tiny.context_length) == (place >= 12)
        assert writer.generate.text.logits(drawn.position) is None
        writer.generate.choose(drawn.position)
        assert writer.reads("choices_nothing") == message("asking_model_again")
        writer.wait(lambda drawn=drawn: writer.generate.text.logits(drawn.position) is not None)
        assert shares(writer) == pytest.approx(expected_shares(drawn, writer.generate.sampling_params, 12), rel=1e-4)

    # A slider reshapes the bars without the model.
    writer.generate.write(5)
    writer.wait(lambda: not writer.busy("model"))
    drawn = writer.received(TokenDrawn)[-1]
    assert shares(writer) == pytest.approx(expected_shares(drawn, SamplingParams(temperature=1.0, top_k=50), 12))
    assert sum(shares(writer)) == pytest.approx(1)
    assert sum(row.before for row in rows_of(writer)) == pytest.approx(1)
    (chosen,) = [row for row in rows_of(writer) if row.came]
    assert chosen.name == GPT2.visible(drawn.id)
    assert chosen.after == pytest.approx(drawn.probability)
    name, share = GPT2.visible(drawn.id), percent(drawn.probability)
    assert writer.reads("bars_title") == f"Position {drawn.position}: {name} was sampled with probability {share}"
    assert f"{drawn.entropy_bits:.2f} bits" in writer.reads("bars_note")
    assert rows_of(writer)[-1].name == f"{50_257 - len(rows_of(writer)) + 1:,} more"

    generate, came = writer.generate, len(writer.decoding)
    monkeypatch.setattr(writer.window.tasks, "run", None)  # any later request for the model fails
    generate.param("temperature").slider.setFocus()
    seen = [shares(writer)]
    for _ in range(5):
        writer.press(Qt.Key.Key_Left)
        assert shares(writer) == pytest.approx(expected_shares(drawn, generate.sampling_params, 12))
        seen.append(shares(writer))
        assert not writer.busy("model")
    assert len({tuple(each) for each in seen}) == 6
    assert generate.sampling_params.temperature == 0.75
    generate.param("top_k").slider.setFocus()
    writer.press(Qt.Key.Key_Home)
    assert generate.sampling_params.top_k == 1
    assert max(shares(writer)) == 1
    writer.rest(0.1)
    assert len(writer.decoding) == came


# The model.


def test_that_the_untrained_model_follows_the_panel_and_is_loaded_once_and_a_failure_ends_with_a_message(
    writer, tiny, monkeypatch
):
    assert writer.generate.source == UntrainedModel(tiny)
    assert writer.generate.model_box.currentText() == message("untrained_model_panel")
    writer.panel.select(PRESETS["book"])
    assert writer.generate.source == UntrainedModel(PRESETS["book"])
    writer.type("config_n_layers", "0")
    assert not writer.generate.go_button.isEnabled()
    assert writer.generate.go_button.toolTip() == message("model_problem_see")
    writer.type("config_n_layers", "12")
    assert writer.generate.go_button.isEnabled()

    writer.panel.select(tiny)
    loaded, real = [], model_source.load
    monkeypatch.setattr(model_source, "load", lambda *args: loaded.append(args) or real(*args))

    def text_of(seed: int) -> str:
        writer.generate.set(seed=seed)
        writer.generate.write(10)
        return writer.generate.written()

    first = text_of(5)
    assert text_of(5) == first
    assert len(loaded) == 1
    assert text_of(6) != first
    assert len(loaded) == 2, "an untrained model of another seed is another one"
    writer.panel.select(PRESETS["workshop"].but(emb_dim=32))
    writer.generate.write(2)
    assert len(loaded) == 3

    writer.panel.select(PRESETS["gpt2-xl"].but(emb_dim=65_536, n_heads=1, n_layers=1000))
    writer.generate.write(2)
    assert "There is not enough memory to generate with this model" in writer.reads("generate_notice")
    assert writer.generate.go_button.isEnabled()
    writer.panel.select(tiny)

    def broken(*args):
        raise RuntimeError("the decoder went home")

    monkeypatch.setattr(ModelCache, "work", lambda *args: broken)
    writer.generate.write(2)
    assert "RuntimeError: the decoder went home" in writer.reads("generate_notice")
    writer.wait(lambda: "the reason is shown there" in writer.reads("error_bar_message"))
    assert writer.generate.go_button.isEnabled()


def test_that_the_untrained_model_is_still_offered_after_a_run_ended_with_an_invalid_field(user):
    user.train.begin(steps=5000, eval_freq=1000)
    user.type("config_n_layers", "0")
    user.train.stop()
    assert isinstance(user.generate.source, SavedModel)
    user.type("config_n_layers", "1")
    user.go_to("generate")
    user.choose(user.generate.model_box, "Untrained, as set in the Model panel")
    assert user.generate.source == UntrainedModel(user.panel.config)
    assert user.generate.go_button.isEnabled()


def test_that_a_checkpoint_that_another_process_has_replaced_is_followed_by_the_new_one(user):
    """A run of another process removes its last checkpoint when it saves the next one."""
    def saved(step: int) -> SavedModel:
        path = user.generate.source.path
        return SavedModel(path.rename(path.with_name(f"step-{step:06d}")))

    user.train.to_end(steps=2)
    user.go_to("generate")
    now = saved(5)
    user.generate.write(2)
    assert user.generate.source == now
    assert user.received(PromptRead)[-1].model == now.name
    now = saved(7)
    user.generate.turn_to_view(2)
    user.generate.score("Every effort moves you")
    user.generate.wait_ended()
    assert user.generate.source == now
    assert user.received(PromptRead)[-1].model == now.name
    now = saved(8)
    user.window.actions_of["export_model"].trigger()
    assert user.dialogs.exports.source == user.generate.source == now


def test_that_a_checkpoint_from_disk_is_opened_and_kept_and_a_broken_one_or_another_folder_is_refused(
    user, home, monkeypatch
):
    source = user.train.to_end(steps=2)
    user.go_to("generate")
    for chosen, words in ((str(home), "There is no model"), ("", "")):
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args, chosen=chosen: chosen)
        user.choose(user.generate.model_box, "Choose a checkpoint…")
        assert user.generate.source == source
        assert user.reads("generate_notice").startswith(words)
        assert user.generate.go_button.isEnabled()

    elsewhere = home / "elsewhere"
    shutil.copytree(source.path.parent.parent, elsewhere)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: str(elsewhere))
    user.choose(user.generate.model_box, "Choose a checkpoint…")
    opened = SavedModel(elsewhere / "checkpoints" / "step-000001")
    assert user.generate.source == opened
    assert user.reads("model_name") == "elsewhere  ·  step 2 on CPU"
    user.generate.write(3)
    assert user.received(PromptRead)[-1].model == "elsewhere, step 2"
    user.go_to("train")
    user.train.run_to_end()
    assert user.generate.offers(opened)
    assert user.generate.source == SavedModel(run_folder.all_runs()[0].newest_checkpoint())

    whole = user.generate.source.path
    user.go_to("generate")
    for harm in ("a flipped bit", "cut off", "no weights", "another state", "gone"):
        broken = home / harm
        shutil.copytree(whole, broken)
        harmed(broken, harm)
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args, broken=broken: str(broken))
        user.choose(user.generate.model_box, "Choose a checkpoint…")
        if harm == "gone":
            shutil.rmtree(broken)
        user.decoding.clear()
        user.generate.write(2)
        assert str(broken) in user.reads("generate_notice"), harm
        assert message("something_went_wrong") not in user.reads("generate_notice"), harm
        assert user.received(TokenDrawn) == [], harm
        assert user.generate.go_button.isEnabled(), harm
        user.choose(user.generate.model_box, "Untrained, as set in the Model panel")
        user.generate.write(2)
        assert user.reads("generate_notice") == "", harm


def harmed(broken: Path, harm: str) -> None:
    """Damage a checkpoint in one way."""
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


def test_that_every_pane_and_view_has_one_primary_button(writer):
    def primary() -> list[str]:
        buttons = writer.window.generate.findChildren(QPushButton)
        return [each.objectName() for each in buttons if each.isVisible() and each.property("role") == "primary"]

    for pane in writer.window.generate.panes.places:
        writer.window.generate.panes.open(pane)
        assert len(primary()) == 1, pane
    for view in range(3):
        writer.window.generate.segments.choose(view)
        writer.rest(0.02)
        assert len(primary()) == 1, view
