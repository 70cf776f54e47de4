"""Passages copied from the training text: in a sample, in a generated text, and their places in the training text."""

from pathlib import Path

from made_up import started, step_done
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QTextEdit
from strips import nodes

from gptstudio.app.requests import Model
from gptstudio.app.text_tasks import Passage, open_passage
from gptstudio.data import texts
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.gui.generate.strip import token_strip
from gptstudio.i18n import percent
from gptstudio.inference.text_tree import ROOT, Tree
from gptstudio.training.events import CopiesFound, Copy, SampleWritten
from gptstudio.training.model_source import ImportedModel, SavedModel

ALL_WORDS = True

STORY = texts.read("story").content
WORDS = " " + STORY[1_000:1_130].split(" ", 1)[1].rsplit(" ", 1)[0]  # whole tokens
OPEN = "Open the copied passage in Texts"


def sampled(user, words: str, *copies: Copy, run: Path | None = None, tokens: int = 20, copied: int = 15) -> None:
    """Deliver a sample of a run and the passages that are copied in it."""
    user.window.training.take([
        started(run=str(run or "")), SampleWritten(step=1, epoch=1, text=words),
        CopiesFound(step=1, tokens=tokens, copied=copied, longest=15, copies=copies)])


def underlined(user) -> list[str]:
    return [each.cursor.selectedText() for each in user.find("samples").extraSelections()]


def passage(user) -> str:
    """Return the marked passage on the Texts page, once it is shown."""
    user.wait(lambda: user.current == "texts" and user.find("texts_preview_title").text().startswith("Passage in"))
    shown = user.find("texts_preview")
    begin, end = shown.marked
    return shown.toPlainText().encode("utf-16-le")[2 * begin : 2 * end].decode("utf-16-le")


def test_that_copied_stretches_of_a_sample_lead_to_their_passage_and_each_sample_is_a_dot_of_a_curve(user):
    sampled(user, "One 😀 two\nthree", Copy(start=4, stop=9, tokens=9), Copy(start=8, stop=13, tokens=15))
    assert underlined(user) == ["😀 two", "o thr"]
    assert user.reads("sample_copied") == "75.0 % copied, longest 15 tokens"
    assert "five or more tokens" in user.find("sample_copied").toolTip()

    sampled(user, "One two", Copy(start=4, stop=7, tokens=5))
    text = user.find("samples")
    for place, on in ((1, False), (5, True)):
        cursor = text.textCursor()
        cursor.setPosition(place)
        text.setTextCursor(cursor)
        QApplication.sendEvent(text, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
        menu = QApplication.activePopupWidget()
        [entry] = [each for each in menu.actions() if each.text() == OPEN]
        assert (entry.isEnabled(), bool(entry.toolTip() != OPEN)) == (on, not on)
        menu.close()

    for copies in (
        (Copy(start=9, stop=3, tokens=5),), (Copy(start=2**53, stop=2**53, tokens=2**53),),
        tuple(Copy(start=1, stop=0, tokens=1) for _ in range(3_000)),
    ):  # fmt: skip
        sampled(user, "One two", *copies, tokens=0, copied=2**53)
        assert underlined(user) == [], copies[0]
        sampled(user, "One two", *copies, Copy(start=4, stop=2**53, tokens=5))
        assert underlined(user) == ["two"] or len(copies) > 1_000, copies[0]

    steps = map(step_done, range(6))
    user.train.turn_side("copied")
    user.train.show([started(run=""), CopiesFound(step=0, tokens=20, copied=5, longest=5)])  # a log without its steps
    assert user.train.side("copied").x() == [1]
    user.train.show([started(run=""), *steps, *(
        CopiesFound(step=n, tokens=20, copied=copied, longest=copied) for n, copied in ((1, 0), (3, 5), (5, 20)))])
    side = user.train.side("copied")
    assert (side.x(), side.y()) == ([2, 4, 6], [0, 25, 100])
    assert side.chart.curves["value"].lone.getData()[1].tolist() == [0, 25, 100]


def test_that_a_click_and_enter_on_a_copied_stretch_open_its_passage(user, study_once):
    run = study_once()
    words = f"A bell {WORDS}"
    sampled(user, words, Copy(start=7, stop=len(words), tokens=30), run=run.path)
    text = user.find("samples")
    cursor = text.textCursor()
    cursor.setPosition(20)
    user.qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=text.cursorRect(cursor).center())
    shown = passage(user)
    assert "".join(shown.replace("↵", "").split()) in "".join(STORY.split())
    assert "".join(WORDS.split()) in "".join(shown.replace("↵", "").split())
    user.click(user.find("texts_beginning"))
    assert user.reads("texts_preview_title").endswith("token by token")
    user.go_to("train")
    text.setFocus()
    text.setTextCursor(cursor)
    user.press(Qt.Key.Key_Return)
    assert passage(user) == shown


# Generate.


def write(user, source, prompt: str, new: str) -> int:
    """Put a text of a model on the Generate page and open it; return the number of tokens in the prompt."""
    user.go_to("generate")
    return put(user, source, prompt, new)


def put(user, source, prompt: str, new: str) -> int:
    """Put a text of a model on the Generate page, which need not be shown; return the number of tokens in the
    prompt."""
    given, ids = len(GPT2.encode(prompt)), GPT2.encode(prompt) + GPT2.encode(new)
    tree, key = Tree(source.name), ROOT
    for node in nodes(ids, given):
        key = tree.add(key, node.reading)
    user.generate.text.open(tree, Model(source))
    user.generate.view.show_text()
    return given


def underlined_to_be_read(shown: QTextEdit) -> str:
    """Return the underlined parts of a text."""
    pieces, block = [], shown.document().begin()
    while block.isValid():
        each = block.begin()
        while not each.atEnd():
            if each.fragment().charFormat().fontUnderline():
                pieces.append(each.fragment().text())
            each += 1
        block = block.next()
    return "".join(pieces)


def copied_tokens(user) -> str:
    strip = user.generate.strip
    return GPT2.decode([strip.path[place].id for place in sorted(strip.copied)])


def test_that_copied_stretches_of_a_text_lead_to_their_passage_and_their_underlining_can_be_hidden(user, study_once):
    source = SavedModel(study_once().newest_checkpoint())
    given = write(user, source, "A stone", WORDS + " 12345 xyz")
    user.wait(lambda: user.generate.strip.copied)
    assert copied_tokens(user).strip() in STORY
    assert WORDS in copied_tokens(user)
    share = percent(len(user.generate.strip.copied) / (len(user.generate.text.ids) - given))
    assert user.reads("text_copied").startswith(f"{share} copied, longest ")
    assert "Copied: one of" in user.generate.strip.words(given + 10)
    exported = token_strip.as_html(user.generate.strip)
    assert exported.count("3px solid") == len(user.generate.strip.copied)
    strip = user.generate.strip
    user.generate.choose(given + 10)
    QApplication.sendEvent(strip, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
    user.generate.view.card.menu.open_passage.trigger()
    assert "".join(WORDS.split()) in "".join(passage(user).replace("↵", "").split())
    user.go_to("generate")
    user.click(user.find("read_text"))
    assert WORDS.strip() in underlined_to_be_read(user.find("reading_text")), "to be read, it is underlined too"
    user.click(user.find("read_text"))
    user.generate.choose(0)
    user.click(user.find("text_passage"))
    assert "".join(WORDS.split()) in "".join(passage(user).replace("↵", "").split()), "the longest, from the prompt"

    write(user, source, "A stone", WORDS)
    user.wait(lambda: user.generate.strip.copied)
    share, phase = user.find("text_copied"), user.find("generate_phase")
    for letters in range(20, 80, 2):
        share.setText("x" * letters)
        user.rest(0.02)
        assert phase.height() <= 3 * phase.fontMetrics().height(), "a narrow text does not push the tokens down"
    user.window.actions_of["mark_copies"].trigger()
    assert not user.generate.strip.copied
    assert user.reads("text_copied") == ""
    user.window.actions_of["mark_copies"].trigger()
    user.wait(lambda: user.generate.strip.copied)
    write(user, source, "A stone", " 1 2 3 4 5 6 7")
    user.wait(lambda: user.reads("text_copied") == "Nothing copied")
    assert not user.generate.strip.copied

    user.go_to("train")
    user.wait(lambda: not user.busy("pool"))
    put(user, source, "A stone", WORDS)
    assert not user.busy("pool")
    user.go_to("generate")
    user.wait(lambda: user.generate.strip.copied)


def test_that_no_copies_of_an_unknown_text_are_shown_and_a_passage_of_a_changed_or_missing_one_is_refused(
    user, study_once, tmp_path
):
    text = tmp_path / "mine.txt"
    text.write_text(STORY, encoding="utf-8")
    checkpoint = study_once(text=(str(text),)).newest_checkpoint()
    write(user, ImportedModel(checkpoint), "A stone", WORDS)
    user.wait(lambda: "imported" in user.find("text_copied").toolTip())
    assert user.reads("text_copied") == "Copied: –"
    text.write_text(STORY + "!", encoding="utf-8")
    write(user, SavedModel(checkpoint), "A stone", WORDS)
    user.wait(lambda: "has changed" in user.find("text_copied").toolTip())
    text.unlink()
    write(user, ImportedModel(checkpoint), "A stone", WORDS)
    write(user, SavedModel(checkpoint), "A stone", WORDS)
    user.wait(lambda: "does not exist" in user.find("text_copied").toolTip())
    assert not user.generate.strip.copied

    # A passage of a changed or missing text.
    text.write_text(STORY, encoding="utf-8")
    run = study_once(text=(str(text),))
    for change, expected in ((lambda: text.write_text("else"), "has changed"), (text.unlink, "does not exist")):
        change()
        open_passage(user.window.state, Passage(run.path, WORDS))
        user.wait(lambda expected=expected: expected in user.reads("texts_passage_problem"))
        assert user.find("texts_beginning").isHidden()

    open_passage(user.window.state, Passage(study_once().path, "zyx" * 9))
    user.wait(lambda: "does not have this passage" in user.reads("texts_passage_problem"))


# Texts.


def test_that_a_passage_is_found_in_the_second_text_which_is_added_to_the_list(user, study_once, tmp_path):
    names = []
    for name, content in (("one", "No words of it. " * 400), ("two", "x" * 300_000 + STORY)):
        names.append(tmp_path / f"{name}.txt")
        names[-1].write_text(content, encoding="utf-8")
    run = study_once(text=tuple(map(str, names)), train_ratio=0.9)
    open_passage(user.window.state, Passage(run.path, f"\ufffd{WORDS}"))
    assert "".join(WORDS.split()) in "".join(passage(user).replace("↵", "").split())
    assert user.reads("texts_preview_title") == "Passage in two.txt"
    assert user.texts.widget.table.selected_name == str(names[1])
    assert str(names[1]) not in user.texts.ticked
